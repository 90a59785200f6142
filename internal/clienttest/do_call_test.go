package clienttest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
)

func TestDo_retriesIdempotentRequests(t *testing.T) {
	for name, test := range map[string]struct {
		request  rpcfleet.Request
		opts     []rpcfleet.CallOption
		attempts int
	}{
		"a read":              {rpcfleet.Request{Method: "GET", Path: "/v0/notes"}, nil, 4},
		"HEAD":                {rpcfleet.Request{Method: "HEAD", Path: "/v0/notes"}, nil, 4},
		"OPTIONS":             {rpcfleet.Request{Method: "OPTIONS", Path: "/v0/notes"}, nil, 4},
		"a write":             {rpcfleet.Request{Method: "POST", Path: "/v0/notes"}, nil, 1},
		"PUT":                 {rpcfleet.Request{Method: "PUT", Path: "/v0/notes"}, nil, 1},
		"DELETE":              {rpcfleet.Request{Method: "DELETE", Path: "/v0/notes"}, nil, 1},
		"an idempotent write": {rpcfleet.Request{Method: "POST", Path: "/v0/notes", Idempotent: true}, nil, 4},
		"a known one": {
			rpcfleet.Request{Method: "PATCH", Path: "/v0/endpoints/{x}", PathParams: map[string]string{"x": "ep1"}}, nil, 4},
		"a known one that adds": {rpcfleet.Request{Method: "POST", Path: "/v0/endpoints"}, nil, 1},
		"against the contract": {rpcfleet.Request{Method: "POST", Path: "/v0/endpoints", Idempotent: true},
			[]rpcfleet.CallOption{rpcfleet.WithoutValidation()}, 4},
		"without retries": {rpcfleet.Request{Method: "GET", Path: "/v0/notes"},
			[]rpcfleet.CallOption{rpcfleet.WithoutRetries()}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			for _, line := range []responder{respondJSON(503, ``), hangUp} {
				client, server := scripted(t, line)
				require.Error(t, errOf(rpcfleet.Do[struct{}](t.Context(), client, test.request, test.opts...)))
				assert.Len(t, server.Requests(), test.attempts)
			}
			client, server := scripted(t, respondJSON(429, ``))
			_, err := rpcfleet.Do[struct{}](t.Context(), client, test.request, test.opts...)
			require.ErrorIs(t, err, rpcfleet.ErrRateLimited)
			if test.attempts > 1 || test.opts == nil {
				assert.Len(t, server.Requests(), 4, "it was not acted on")
			}
			client, server = scripted(t, withHeaders(respondJSON(307, ``), "Location", "/moved"), respondJSON(200, ``))
			_, _ = rpcfleet.Do[struct{}](t.Context(), client, test.request, test.opts...)
			assert.Equal(t, test.attempts > 1 || test.opts != nil, len(server.Requests()) > 1, "it is redirected")
		})
	}
	deleted := rpcfleet.Request{Method: "DELETE", Path: "/v0/notes/{id}", PathParams: map[string]string{"id": "7"},
		Idempotent: true}
	client, _ := scripted(t, hangUp, respondJSON(404, `{"error":"gone"}`))
	require.NoError(t, errOf(rpcfleet.Do[struct{}](t.Context(), client, deleted)), "the first attempt has deleted it")
}

func TestDo_namesTheOperation(t *testing.T) {
	for want, request := range map[string]rpcfleet.Request{
		"GET /v0/endpoints/{id}/notes/{note_id}": made,
		"getEndpoint":                            {Method: "GET", Path: "/v0/endpoints/{any}", PathParams: map[string]string{"any": "ep1"}},
		"GET /v0/endpoints/ep1":                  {Method: "GET", Path: "/v0/endpoints/ep1"},
		"listNotes":                              {Method: "GET", Path: "/v0/notes", Operation: "listNotes"},
		"peek":                                   {Method: "GET", Path: "/v0/endpoints", Operation: "peek"},
	} {
		_, server := scripted(t, respondJSON(404, `{"error":"none"}`))
		var seen rpcfleet.Operation
		client := server.client(t, onResult(func(op rpcfleet.Operation, _ rpcfleet.CallResult) { seen = op }))
		_, err := rpcfleet.Do[json.RawMessage](t.Context(), client, request)
		failure := errorAs[*rpcfleet.Error](t, err)
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
		assert.Equal(t, want, failure.Operation)
		assert.Equal(t, want, seen.ID)
		assert.Equal(t, seen.Path, failure.Path)
		assert.Equal(t, strings.Contains(want, "notes") || strings.Contains(want, "ep1") || want == "listNotes",
			seen.Source == "assumed")
		assert.Equal(t, want == "peek", seen.Paging == "offset")
		assert.NotEmpty(t, seen.Paging)
	}
}

func TestDo_sendsTheBearerToken(t *testing.T) {
	_, server := scripted(t, respondJSON(200, `{}`))
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
		require.NoError(t, errOf(rpcfleet.Do[struct{}](t.Context(), client, test.request)))
		sent := server.Requests()
		assert.Equal(t, test.want, sent[len(sent)-1].Header.Get("Authorization"))
	}
}

// TestDo_refusesRequests goes through requests that are not valid, or not the request that they look like. Nothing is
// sent, with any options.
func TestDo_refusesRequests(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{"data":{}}`))
	get, post := func(path string) rpcfleet.Request { return rpcfleet.Request{Method: "GET", Path: path} },
		rpcfleet.Request{Method: "POST", Path: "/v0/notes"}
	method := func(method string) rpcfleet.Request { return rpcfleet.Request{Method: method, Path: "/v0/notes"} }
	named := func(name string) rpcfleet.Request {
		return rpcfleet.Request{Method: "GET", Path: "/v0/notes", Operation: name}
	}
	with := func(path, id string) rpcfleet.Request {
		return rpcfleet.Request{Method: "GET", Path: path, PathParams: map[string]string{"id": id}}
	}
	ofGraph, bytes, unwritten := get("/v0/notes"), post, post
	ofGraph.Area, bytes.Body, unwritten.Body = "graph", []byte(`{}`), make(chan int)
	const endpoint = "/v0/endpoints/{id}"
	var escaped []rpcfleet.Request
	for _, path := range []string{
		"", "v0/notes", "https://elsewhere.example/v0", "//elsewhere.example/v0", "/", "/v0//notes", "/v0/%2e%2e/admin",
		"/v0/a%2fb", `/v0/..\admin`, "/v0/..;x/admin", "/v0/notes?x=y", "/v0/notes#x", "/v0/notes\r\nX-Y: z", "/v0/nötes",
		"/v0/{}", "/v0/{id", "/v0/a-{id}", "/v0/{a/b}",
	} {
		escaped = append(escaped, get(path))
	}
	for _, test := range []struct {
		field, rule string
		requests    []rpcfleet.Request
	}{
		{"Method", "one of", []rpcfleet.Request{
			method(""), method("get"), method("GET /v0/chains"), method("CONNECT"), method("TRACE")}},
		{"T", "HEAD", []rpcfleet.Request{method("HEAD")}},
		{"Area", "alerts", []rpcfleet.Request{ofGraph}},
		{"Operation", "printable", []rpcfleet.Request{named("a\nb"), named("a\x1fb"), named("a\x7fb")}},
		{"Body", "RawMessage", []rpcfleet.Request{bytes}},
		{"request", "cannot be built", []rpcfleet.Request{unwritten}},
		{"Path", "escaping", escaped},
		{"Path", "dot", []rpcfleet.Request{get("/v0/../admin"), get("/v0/./notes"), get("/v0/..")}},
		{"PathParams", "parameters", []rpcfleet.Request{with("/v0/notes", "1")}},
		{"id", "required", []rpcfleet.Request{get("/v0/notes/{id}")}},
		{"id", "empty", []rpcfleet.Request{with(endpoint, "")}},
		{"id", "dot", []rpcfleet.Request{with(endpoint, "."), with(endpoint, "..")}},
		{"PathParams", "listTags", []rpcfleet.Request{with(endpoint, "tags"), with(endpoint+"/", "tags")}},
	} {
		for _, request := range test.requests {
			for _, opts := range [][]rpcfleet.CallOption{nil, {rpcfleet.WithoutValidation()}} {
				_, err := rpcfleet.Do[note](t.Context(), client, request, opts...)
				invalid := errorAs[*rpcfleet.ValidationError](t, err, "%+v", request)
				assert.Equal(t, test.field, invalid.Field, "%+v", request)
				assert.Contains(t, invalid.Rule, test.rule)
				assert.NotContains(t, err.Error(), "elsewhere.example/v0", "it may be an endpoint's address")
				assert.Equal(t, slices.Contains([]string{"Method", "Operation", "Area", "Path", "PathParams"}, test.field) ||
					test.rule == "dot", invalid.Value != nil, "%+v", request)
			}
		}
	}
	var invalid *rpcfleet.ValidationError
	_, err := rpcfleet.Do[note](t.Context(), client,
		rpcfleet.Request{Method: "POST", Path: "/v0/endpoints", Idempotent: true})
	require.ErrorAs(t, err, &invalid)
	assert.Equal(t, "Idempotent", invalid.Field)
	assert.Equal(t, "must not be set: POST /v0/endpoints is not idempotent", invalid.Rule)
	assert.Empty(t, server.Requests())
}

func TestDo_sendsUnusualRequests(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{"data":true}`))
	_, err := rpcfleet.Do[struct{}](t.Context(), client,
		rpcfleet.Request{Method: "PUT", Path: "/v0/~notes/", Operation: " ~", Area: "admin"})
	require.NoError(t, err)
	assert.Equal(t, "/v0/~notes/", server.Requests()[0].Path)
}

// FuzzDoPaths checks that a path follows its template, with each value one part of it, or is refused.
func FuzzDoPaths(f *testing.F) {
	for _, template := range []string{
		"/v0/endpoints/{id}", "/v0/notes/{id}/", "/{id}", "/v0/{id}/../x", "/v0/a%2fb/{id}", "//{id}", "/v0/..;/{id}",
		"/v0/{id}?x", "{id}",
	} {
		for _, value := range []string{"ep1", "", "..", "a/b", "%2e%2e", "ü?#", "tags", "{id}", "\x00\xff", "a;b", `..\..`} {
			f.Add(template, value)
		}
	}
	var paths []string
	server := script{scriptnet.Serve(f)}
	server.Config.Handler = http.HandlerFunc(
		func(_ http.ResponseWriter, r *http.Request) { paths = append(paths, r.URL.EscapedPath()) })
	client := server.client(f)
	f.Fuzz(func(t *testing.T, template, value string) {
		paths = nil
		_, err := rpcfleet.Do[struct{}](t.Context(), client, rpcfleet.Request{
			Method: "GET", Path: template, PathParams: map[string]string{"id": value},
		})
		var invalid *rpcfleet.ValidationError
		if len(paths) == 0 {
			require.ErrorAs(t, err, &invalid)
			assert.NotEmpty(t, invalid.Field)
			return
		}
		require.NoError(t, err)
		require.Len(t, paths, 1)
		want, got := strings.Split(template, "/"), strings.Split(paths[0], "/")
		require.Len(t, got, len(want), "%q with %q became %q", template, value, paths[0])
		for i, part := range want {
			if part == "{id}" {
				checkValue(t, value, got[i])
				continue
			}
			assert.Equal(t, part, got[i])
		}
	})
}

// checkValue checks that a part of a path is the value of a parameter, escaped.
func checkValue(t *testing.T, value, part string) {
	t.Helper()
	assert.Equal(t, value, must(url.PathUnescape(part))(t))
	assert.NotContains(t, []string{"", ".", ".."}, value)
}
