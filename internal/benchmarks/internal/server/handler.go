package server

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/record"
)

// Key is the accepted API key.
const Key = "made-up-key"

// The encodings of bodies. A base URL ends with the encoding of its bodies.
const (
	Identity = "identity"
	Gzip     = "gzip"
)

// handler serves prepared bodies from memory.
func handler() http.Handler {
	mux := http.NewServeMux()
	for _, p := range payload.All {
		body := p.Body()
		mux.Handle(p.Method+" /"+Identity+p.Path, ready(p, body, ""))
		mux.Handle(p.Method+" /"+Gzip+p.Path, ready(p, compressed(body), Gzip))
	}
	return mux
}

// ready sends a body.
func ready(p payload.Payload, body []byte, encoding string) http.HandlerFunc {
	length := strconv.Itoa(len(body))
	return func(w http.ResponseWriter, r *http.Request) {
		if fault := wrong(p, r); fault != "" {
			http.Error(w, fault, http.StatusBadRequest)
			return
		}
		header := w.Header()
		header.Set("Content-Type", "application/json; charset=utf-8")
		header.Set("Content-Length", length)
		if encoding != "" {
			header.Set("Content-Encoding", encoding)
		}
		_, _ = w.Write(body) // The client has gone away.
	}
}

// wrong checks a request, so that no contestant gains by sending less.
func wrong(p payload.Payload, r *http.Request) string {
	if r.Header.Get("x-api-key") != Key {
		return "the key is wrong"
	}
	if len(p.Query) > 0 {
		query := r.URL.Query()
		for name := range p.Query {
			if query.Get(name) != p.Query.Get(name) {
				return name + " is wrong"
			}
		}
	}
	switch p.Name {
	case payload.Create:
		var asked record.NewEndpoint
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil ||
			asked != (record.NewEndpoint{Chain: payload.Chain, Network: payload.Network}) {
			return "the endpoint is wrong"
		}
	case payload.NFTs:
		var asked record.Request
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.Variables.First != payload.NFTSize ||
			asked.Variables.ContractAddress != payload.Collection || !strings.Contains(asked.Query, asked.OperationName) {
			return "the query is wrong"
		}
	}
	return ""
}

func compressed(body []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(body) // A buffer never fails.
	_ = w.Close()
	return out.Bytes()
}
