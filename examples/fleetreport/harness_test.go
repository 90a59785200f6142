package main

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// readerOf makes a reader of an emulator in memory, whose requests pass by a transport where one is given.
func readerOf(t *testing.T, e *emulator.Emulator, workers int, by func(http.RoundTripper) http.RoundTripper) *reader {
	t.Helper()
	client := e.Client()
	if by != nil {
		client.Transport = by(client.Transport)
	}
	made, err := rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithHTTPClient(client), rpcfleet.WithAPIKey(e.APIKey))
	require.NoError(t, err)
	return &reader{made, admin.MetricsPeriodWeek, workers}
}

// seeded is a report on the made-up fleet, at noon. It is for a bubble.
func seeded(t *testing.T) *report {
	t.Helper()
	time.Sleep(12 * time.Hour)
	e := emulator.New()
	defer e.Close()
	require.NoError(t, seed(e))
	r, err := readerOf(t, e, 4, nil).read(t.Context(), time.Now().UTC())
	require.NoError(t, err)
	r.Findings = findings(r, 5)
	return r
}

// runs runs the program.
func runs(t *testing.T, ctx context.Context, args string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(ctx, strings.Fields(args), nil, &out, &errs)
	return code, out.String(), errs.String()
}

// account starts an emulator with the made-up fleet as the account in the environment.
func account(t *testing.T) *emulator.Server {
	t.Helper()
	server := emulator.Start()
	t.Cleanup(server.Close)
	require.NoError(t, seed(server.Emulator))
	t.Setenv("RPCFLEET_BASE_URL", server.URL)
	t.Setenv("RPCFLEET_API_KEY", server.APIKey)
	return server
}

// labeled finds an endpoint of a report.
func labeled(t *testing.T, r *report, label string) *endpoint {
	t.Helper()
	for _, e := range r.Endpoints {
		if e.Label == label {
			return e
		}
	}
	assert.Fail(t, "no such endpoint", label)
	return &endpoint{}
}
