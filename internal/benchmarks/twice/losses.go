package main

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/test/faultnet"
)

// patience is the timeout of each http.Client. Tests without silent servers set a longer one, for machines under load.
var patience = 5 * time.Second

const (
	// outage is the time limit of a call with all its retries.
	outage = 20 * time.Second
	// many is the number of consecutive lost responses, if it is more than one.
	many = 10
	// together is the number of concurrent calls. Most of them wait.
	together = 150
)

// kinds are the columns, with the names of the faults in each.
var kinds = []struct {
	title  string
	faults *regexp.Regexp
}{
	{"connection closed or reset", regexp.MustCompile(`^(close|reset) `)},
	{"`RST_STREAM`, `GOAWAY`", regexp.MustCompile(`^(RST_STREAM|GOAWAY)`)},
	{"response cut short", regexp.MustCompile(`^(a (status|head|piece|body)|chunks)\b`)},
	{"response unreadable", regexp.MustCompile(`^(a success in|no HTTP)`)},
	{"status 408, 425, 5xx", regexp.MustCompile(`^\d{3}\b`)},
	{"no response in time", regexp.MustCompile(`^no response`)},
}

func kindOf(fault string) int {
	for i, kind := range kinds {
		if kind.faults.MatchString(fault) {
			return i
		}
	}
	return -1
}

// loss is a call with a lost response.
type loss struct {
	protocol faultnet.Protocol
	fault    faultnet.Fault
	bare     bool // The request has no body.
	inARow   int  // The number of lost responses before the rest arrive.
}

// losses are the calls that each client makes.
func losses() (all []loss) {
	for _, protocol := range faultnet.Protocols {
		for _, fault := range faultnet.Lost(protocol) {
			for _, bare := range []bool{false, true} {
				all = append(all, loss{protocol, fault, bare, 1}, loss{protocol, fault, bare, many})
			}
		}
	}
	return all
}

// outcome is the result of a call.
type outcome struct {
	executed int // The number of complete requests.
	err      error
}

// try makes a call on a used connection. It returns an error if the call could not be made.
func (l loss) try(c contestant) (outcome, error) {
	ok := faultnet.Respond("a success", http.StatusOK, "application/json", c.record)
	server, err := faultnet.Start(l.protocol, ok)
	if err != nil {
		return outcome{}, err
	}
	defer server.Close()
	client := *server.Client()
	client.Timeout = patience
	dialed, err := c.dial(server.URL, &client)
	if err != nil {
		return outcome{}, fmt.Errorf("%s: %w", c.name, err)
	}
	call := dialed.withBody
	if l.bare {
		call = dialed.withoutBody
	}
	ctx, cancel := context.WithTimeout(context.Background(), outage)
	defer cancel()
	if err := call(ctx); err != nil {
		return outcome{}, fmt.Errorf("%s fails although no response is lost: %w", c.name, err)
	}
	server.Play(append(slices.Repeat([]faultnet.Fault{l.fault}, l.inARow), ok)...)
	before := server.Whole()
	err = call(ctx)
	return outcome{server.Whole() - before, err}, nil
}
