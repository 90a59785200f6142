package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// service is an emulator whose time is made up.
type service struct {
	*emulator.Emulator
	client *rpcfleet.Client
}

// inVirtualTime runs a test on an emulator in memory.
func inVirtualTime(t *testing.T, test func(t *testing.T, s *service)) {
	t.Helper()
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New()
		defer e.Close()
		client, err := rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithHTTPClient(e.Client()), rpcfleet.WithAPIKey(e.APIKey))
		require.NoError(t, err)
		test(t, &service{e, client})
	})
}

// tail follows for a time, and returns what was written.
func (s *service) tail(t *testing.T, lasts time.Duration, args ...string) (stdout, stderr string) {
	t.Helper()
	o, err := parse(args, io.Discard)
	require.NoError(t, err)
	var out, errs bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), lasts)
	defer cancel()
	to, err := open(ctx, o, &out)
	require.NoError(t, err)
	require.NoError(t, follow(ctx, s.client, o, to, &errs))
	require.NoError(t, to.Close())
	return out.String(), errs.String()
}

func (s *service) log(t *testing.T, id string, entries ...emulator.LoggedCall) {
	t.Helper()
	_, err := s.AppendLog(id, entries...)
	require.NoError(t, err)
}

// column returns the words of a column, one line each.
func column(lines string, i int) (words []string) {
	for line := range strings.Lines(lines) {
		words = append(words, strings.Fields(line)[i])
	}
	return words
}
