package clienttest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// TestDoRepeatsWhatIsIdempotent counts the attempts at a service that is down.
func TestDoRepeatsWhatIsIdempotent(t *testing.T) {
	for name, test := range map[string]struct {
		request  rpcfleet.Request
		opts     []rpcfleet.CallOption
		attempts int
	}{
		"a read":                {rpcfleet.Request{Method: "GET", Path: "/v0/notes"}, nil, 4},
		"HEAD":                  {rpcfleet.Request{Method: "HEAD", Path: "/v0/notes"}, nil, 4},
		"OPTIONS":               {rpcfleet.Request{Method: "OPTIONS", Path: "/v0/notes"}, nil, 4},
		"a write":               {rpcfleet.Request{Method: "POST", Path: "/v0/notes"}, nil, 1},
		"PUT":                   {rpcfleet.Request{Method: "PUT", Path: "/v0/notes"}, nil, 1},
		"DELETE":                {rpcfleet.Request{Method: "DELETE", Path: "/v0/notes"}, nil, 1},
		"an idempotent write":   {rpcfleet.Request{Method: "POST", Path: "/v0/notes", Idempotent: true}, nil, 4},
		"a known one":           {rpcfleet.Request{Method: "PATCH", Path: "/v0/endpoints/{x}", PathParams: map[string]string{"x": "ep1"}}, nil, 4},
		"a known one that adds": {rpcfleet.Request{Method: "POST", Path: "/v0/endpoints"}, nil, 1},
		"against the contract":  {rpcfleet.Request{Method: "POST", Path: "/v0/endpoints", Idempotent: true}, []rpcfleet.CallOption{rpcfleet.WithoutValidation()}, 4},
		"without retries":       {rpcfleet.Request{Method: "GET", Path: "/v0/notes"}, []rpcfleet.CallOption{rpcfleet.WithoutRetries()}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			for _, line := range []responder{says(503, ``), hangsUp} {
				client, server := scripted(t, line)
				_, err := rpcfleet.Do[struct{}](t.Context(), client, test.request, test.opts...)
				require.Error(t, err)
				assert.Len(t, server.Requests(), test.attempts)
			}
			client, server := scripted(t, says(429, ``))
			_, err := rpcfleet.Do[struct{}](t.Context(), client, test.request, test.opts...)
			require.ErrorIs(t, err, rpcfleet.ErrRateLimited)
			if test.attempts > 1 || test.opts == nil {
				assert.Len(t, server.Requests(), 4, "it was not acted on")
			}
		})
	}
	deleted := rpcfleet.Request{Method: "DELETE", Path: "/v0/notes/{id}", PathParams: map[string]string{"id": "7"}, Idempotent: true}
	client, _ := scripted(t, hangsUp, says(404, `{"error":"gone"}`))
	_, err := rpcfleet.Do[struct{}](t.Context(), client, deleted)
	require.NoError(t, err, "the first attempt has deleted it")
	client, _ = scripted(t, hangsUp, says(404, `{"error":"gone"}`))
	archived := rpcfleet.Request{Method: "DELETE", Path: "/v0/endpoints/{id}", PathParams: map[string]string{"id": "ep1"}}
	_, err = rpcfleet.Do[note](t.Context(), client, archived)
	require.ErrorIs(t, err, rpcfleet.ErrCarriedOut, "and nobody has seen what it was")
}

func TestDoNamesTheCall(t *testing.T) {
	for want, request := range map[string]rpcfleet.Request{
		"GET /v0/endpoints/{id}/notes/{note_id}": made,
		"getEndpoint":                            {Method: "GET", Path: "/v0/endpoints/{any}", PathParams: map[string]string{"any": "ep1"}},
		"GET /v0/endpoints/ep1":                  {Method: "GET", Path: "/v0/endpoints/ep1"},
		"listNotes":                              {Method: "GET", Path: "/v0/notes", Operation: "listNotes"},
		"peek":                                   {Method: "GET", Path: "/v0/endpoints", Operation: "peek"},
	} {
		_, server := scripted(t, says(404, `{"error":"none"}`))
		var seen rpcfleet.Operation
		client := server.client(t, rpcfleet.WithObserver(func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
			seen = op
			return ctx, nil
		}))
		_, err := rpcfleet.Do[json.RawMessage](t.Context(), client, request)
		var failure *rpcfleet.Error
		require.ErrorAs(t, err, &failure)
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
		assert.Equal(t, want, failure.Operation)
		assert.Equal(t, want, seen.ID)
		assert.Equal(t, seen.Path, failure.Path)
		assert.Equal(t, strings.Contains(want, "notes") || strings.Contains(want, "ep1") || want == "listNotes", seen.Source == "assumed")
		assert.Equal(t, want == "peek", seen.Paging == "offset")
		assert.NotEmpty(t, seen.Paging)
	}
}

func TestDoSendsTheBearerToken(t *testing.T) {
	_, server := scripted(t, says(200, `{}`))
	client := server.client(t, rpcfleet.WithBearerToken("made-up-token"))
	for _, test := range []struct {
		request rpcfleet.Request
		want    string
	}{
		{rpcfleet.Request{Method: "GET", Path: "/v0/notes"}, ""},
		{rpcfleet.Request{Method: "GET", Path: "/v0/notes", Bearer: true}, "Bearer made-up-token"},
		{rpcfleet.Request{Method: "GET", Path: "/v0/teams"}, "Bearer made-up-token"},
		{rpcfleet.Request{Method: "GET", Path: "/v0/chains"}, ""},
		{rpcfleet.Request{Method: "GET", Path: "/v0/chains", Bearer: true}, "Bearer made-up-token"},
	} {
		_, err := rpcfleet.Do[struct{}](t.Context(), client, test.request)
		require.NoError(t, err)
		sent := server.Requests()
		assert.Equal(t, test.want, sent[len(sent)-1].Header.Get("Authorization"))
	}
}
