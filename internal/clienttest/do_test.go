package clienttest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// made is an operation that this version does not know.
var made = rpcfleet.Request{Method: "GET", Path: "/v0/endpoints/{id}/notes/{note_id}",
	PathParams: map[string]string{"id": "ep1", "note_id": "a/b"}}

type note struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
}

func TestDo_sendsAnyRequest(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{"data":{"id":7,"text":"x"},"error":null}`))
	request := made
	request.Method, request.Query = "POST", url.Values{"b": {"2", "1"}, "a": {"x&y"}}
	request.Body = map[string]any{"token": scalar.NewSecret("made-up-secret")}
	assert.Equal(t, note{7, "x"}, must(rpcfleet.Do[note](t.Context(), client, request))(t))
	sent := server.Requests()[0]
	assert.Equal(t, "POST", sent.Method)
	assert.Equal(t, "/v0/endpoints/ep1/notes/a%2Fb", sent.Path)
	assert.Equal(t, "a=x%26y&b=2&b=1", sent.Query)
	assert.JSONEq(t, `{"token":"made-up-secret"}`, sent.Body)
	assert.Equal(t, testKey, sent.Header.Get("X-Api-Key"))
}

func TestDo_readsAnyPayload(t *testing.T) {
	const one = `{"id":7,"text":"x"}`
	bare := made
	bare.NoEnvelope = true
	inAlerts := rpcfleet.Request{Method: "GET", Path: "/notes", Area: "alerts"}
	listing := rpcfleet.Request{Method: "GET", Path: "/v0/endpoints"}
	backtest := rpcfleet.Request{Method: "POST", Path: "/notifications/backtest", Area: "alerts"}
	disable := rpcfleet.Request{Method: "POST", Path: "/notifications/{id}/disable",
		PathParams: map[string]string{"id": "n1"}, Area: "alerts"}
	bareWrite := rpcfleet.Request{Method: "PATCH", Path: "/v0/notes", NoEnvelope: true}
	write := rpcfleet.Request{Method: "PATCH", Path: "/v0/notes"}
	options := rpcfleet.Request{Method: "PATCH", Path: "/v0/endpoints/{id}/security_options",
		PathParams: map[string]string{"id": "ep1"}}
	for name, test := range map[string]struct {
		request rpcfleet.Request
		body    string
		do      func(context.Context, *rpcfleet.Client, rpcfleet.Request) (any, error)
		want    any
		kind    string
	}{
		"a record":               {made, `{"data":` + one + `}`, do[note], note{7, "x"}, "data"},
		"a pointer":              {made, `{"data":` + one + `}`, do[*note], &note{7, "x"}, "data"},
		"a list":                 {made, `{"data":[` + one + `]}`, do[[]note], []note{{7, "x"}}, "list"},
		"a list that is null":    {made, `{"data":null,"error":null}`, do[[]note], []note(nil), "list"},
		"a table":                {made, `{"data":{"a":1}}`, do[map[string]int], map[string]int{"a": 1}, "data"},
		"a number":               {made, `{"data":0}`, do[int], 0, "data"},
		"JSON":                   {made, `{"data": {"a": [1]} }`, do[json.RawMessage], json.RawMessage(`{"a": [1]}`), "data"},
		"nothing":                {made, `{"data":"done"}`, do[struct{}], struct{}{}, "confirm"},
		"no body":                {made, ``, do[struct{}], struct{}{}, "confirm"},
		"a bare record":          {bare, one, do[note], note{7, "x"}, "record"},
		"a bare list":            {bare, `[` + one + `]`, do[[]note], []note{{7, "x"}}, "array"},
		"bare JSON":              {bare, `{"data":1}`, do[json.RawMessage], json.RawMessage(`{"data":1}`), "record"},
		"bare text":              {bare, `"done"`, do[struct{}], struct{}{}, "empty"},
		"a bare no":              {bare, `false`, do[struct{}], struct{}{}, "empty"},
		"a bare list of null":    {bare, `null`, do[[]note], []note(nil), "array"},
		"a bare list in data":    {bare, `{"data":[` + one + `]}`, do[[]note], []note{{7, "x"}}, "array"},
		"a bare record, written": {bareWrite, one, do[note], note{7, "x"}, "record"},
		"a record of the alerts": {inAlerts, one, do[note], note{7, "x"}, "record"},
		"a list of the alerts":   {inAlerts, `[` + one + `]`, do[[]note], []note{{7, "x"}}, "array"},
		"a known listing":        {listing, `{"data":[` + one + `],"pagination":{"total":9}}`, do[[]note], []note{{7, "x"}}, "page"},
		"a record that is known": {backtest, `{}`, do[note], note{}, "record"},
		"a list, written":        {write, `{"data":[` + one + `]}`, do[[]note], []note{{7, "x"}}, "list"},
		"a known table, written": {options, `{"data":{"a":1}}`, do[map[string]int], map[string]int{"a": 1}, "data"},
		"a known list, written":  {options, `{"data":[` + one + `]}`, do[[]note], []note{{7, "x"}}, "maybe"},
		"a write that is known":  {disable, ``, do[struct{}], struct{}{}, "empty"},
	} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, respondJSON(200, test.body))
			var kind string
			client := server.client(t,
				onResult(func(op rpcfleet.Operation, _ rpcfleet.CallResult) { kind = op.Response }))
			assert.Equal(t, test.want, must(test.do(t.Context(), client, test.request))(t))
			assert.Equal(t, test.kind, kind)
			assert.Equal(t, test.request.Area == "alerts", strings.HasPrefix(server.Requests()[0].Path, "/alerts/rest/v1/not"))
		})
	}
}

func do[T any](ctx context.Context, client *rpcfleet.Client, request rpcfleet.Request) (any, error) {
	return rpcfleet.Do[T](ctx, client, request)
}

// TestDo_returnsTextAsItCame if a []byte or a string is asked for, but not a failure in JSON.
func TestDo_returnsTextAsItCame(t *testing.T) {
	const metrics = "\xef\xbb\xbf# TYPE calls counter\ncalls{network=\"a\"} 7\n\n"
	const text, inJSON = "text/plain; version=0.0.4; charset=utf-8", "application/json"
	write := rpcfleet.Request{Method: "POST", Path: "/v0/notes"}
	inAlerts := rpcfleet.Request{Method: "GET", Path: "/notes", Area: "alerts"}
	known := rpcfleet.Request{Method: "GET", Path: "/v0/endpoints"}
	for name, test := range map[string]struct {
		request           rpcfleet.Request
		contentType, body string
		do                func(context.Context, *rpcfleet.Client, rpcfleet.Request) (any, error)
		want              any
	}{
		"text":                      {made, text, metrics, do[string], metrics},
		"bytes":                     {made, text, metrics, do[[]byte], []byte(metrics)},
		"no text":                   {made, text, "", do[string], ""},
		"bytes that are no text":    {made, "application/octet-stream", "\x00\xff", do[[]byte], []byte("\x00\xff")},
		"a page":                    {made, "text/html", "<p>", do[string], "<p>"},
		"text that looks like JSON": {made, text, `{"data":"a"}`, do[string], `{"data":"a"}`},
		"text of the alerts":        {inAlerts, text, metrics, do[string], metrics},
		"text of a write":           {write, text, metrics, do[string], metrics},
		"text of a known operation": {known, "text/csv", "id,chain\n", do[string], "id,chain\n"},
		"JSON":                      {made, inJSON, `{"data":"a"}`, do[string], `{"data":"a"}`},
		"JSON as text":              {made, text, `{"data":"a"}`, do[json.RawMessage], json.RawMessage(`"a"`)},
	} {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, respond(test.contentType, 200, test.body))
			assert.Equal(t, test.want, must(test.do(t.Context(), client, test.request))(t))
			accept := "*/*"
			if name == "JSON as text" {
				accept = inJSON
			}
			assert.Equal(t, []string{accept}, server.Headers("Accept"))
		})
	}

	client, server := scripted(t, respond(text, 200, metrics))
	_, err := rpcfleet.Do[string](t.Context(), client, made, rpcfleet.WithHeader("Accept", "application/vnd.a+json"))
	require.NoError(t, err)
	assert.Equal(t, []string{"application/vnd.a+json"}, server.Headers("Accept"), "the caller's own stays")
	_, err = rpcfleet.Do[string](t.Context(), client, made, rpcfleet.WithMaxBodySize(int64(len(metrics)-1)))
	require.ErrorContains(t, err, "response too large: more than")
	server.Play(respond(text, 403, "no plan for "+testKey), respond(inJSON, 200, `{"data":"a","error":"no"}`))
	got, err := rpcfleet.Do[[]byte](t.Context(), client, made)
	require.ErrorIs(t, err, rpcfleet.ErrForbidden)
	assert.Nil(t, got)
	hides(t, err, testKey)
	require.ErrorIs(t, errOf(rpcfleet.Do[string](t.Context(), client, made)), rpcfleet.ErrRejected)
}

// TestPrometheus_otherBodyIsError reads bodies that Do returns and this method rejects.
func TestPrometheus_otherBodyIsError(t *testing.T) {
	for _, test := range []struct{ contentType, body, want string }{
		{"", "up 1\n", ""},
		{"text/plain; version=0.0.4", "", ""},
		{"application/json", `{"data":null,"error":"no exporter"}`, `no exporter`},
		{"application/json", `{"data":null,"error":null}`, "unexpected content type: application/json"},
		{"application/octet-stream", "up 1\n", "unexpected content type: application/octet-stream"},
		{"text/html", "hello", "HTML"},
		{"text/plain", " <html>", "HTML"},
	} {
		client, _ := scripted(t, respond(test.contentType, 200, test.body))
		got, err := client.Metrics.Prometheus(t.Context())
		if test.want == "" {
			assert.NoError(t, err)
			assert.Equal(t, test.body, string(got))
		} else {
			assert.Nil(t, got)
			assert.ErrorContains(t, err, test.want)
		}
	}
}

func TestDo_writeWithoutRecordIsError(t *testing.T) {
	unknown := rpcfleet.Request{Method: "PATCH", Path: "/v0/notes", Idempotent: true}
	known := rpcfleet.Request{Method: "PATCH", Path: "/v0/endpoints/{id}", PathParams: map[string]string{"id": "ep1"}}
	maybe := rpcfleet.Request{Method: "PATCH", Path: "/v0/endpoints/tags/{id}", PathParams: map[string]string{"id": "7"}}
	none := rpcfleet.Request{
		Method: "PUT", Path: "/v0/endpoints/{id}/security/request_filters/{filter}",
		PathParams: map[string]string{"id": "ep1", "filter": "f"},
	}
	empty := rpcfleet.Request{Method: "POST", Path: "/notifications/{id}/disable",
		PathParams: map[string]string{"id": "n1"}, Area: "alerts"}
	client, server := scripted(t)
	for _, body := range []string{``, `{}`} {
		server.Play(respondJSON(200, body))
		err := errOf(rpcfleet.Do[note](t.Context(), client, empty))
		require.ErrorIs(t, err, rpcfleet.ErrNoRecord)
		require.ErrorContains(t, err, "no data in the response (POST")
	}
	for _, request := range []rpcfleet.Request{unknown, known, maybe, none} {
		for body, line := range emptyBodies {
			server.Play(line)
			var response rpcfleet.Response
			_, err := rpcfleet.Do[note](t.Context(), client, request, rpcfleet.WithResponse(&response))
			require.ErrorIs(t, err, rpcfleet.ErrNoRecord, "%s: %s", request.Path, body)
			assert.True(t, response.NoRecord)
			_, err = rpcfleet.Do[struct{}](t.Context(), client, request, rpcfleet.WithResponse(&response))
			require.NoError(t, err, "%s: %s", request.Path, body)
			assert.False(t, response.NoRecord)
		}
		server.Play(respondJSON(200, `{"data":null,"error":null}`))
		_, err := rpcfleet.Do[json.RawMessage](t.Context(), client, request)
		require.ErrorIs(t, err, rpcfleet.ErrNoRecord)
		require.NotErrorIs(t, err, rpcfleet.ErrNotFound, "a null says this of a read only")
		server.Play(respondJSON(200, `{"data":null,"error":"no"}`))
		require.ErrorIs(t, errOf(rpcfleet.Do[note](t.Context(), client, request)), rpcfleet.ErrRejected)
		server.Play(respondJSON(200, `{"data":{"id":0,"text":null}}`))
		require.ErrorIs(t, errOf(rpcfleet.Do[note](t.Context(), client, request)), rpcfleet.ErrNoRecord, "it is all zero")
	}
}

// TestRecords_readFieldsWithTwoNames reads them with Do, as methods do: a domain and the ids of destinations.
func TestRecords_readFieldsWithTwoNames(t *testing.T) {
	const mask = `{"domain_mask":"a.example.com"}`
	const security, notification = `{"domain_masks":[` + mask + `]}`, `{"id":"n1","destinations":[{"id":"d1"}]}`
	const domain, ids = `"domain":"a.example.com"`, `"destinationIds":["d1"]`
	bare := rpcfleet.Request{Method: "GET", Path: "/v0/things", NoEnvelope: true}
	type call func(context.Context, *rpcfleet.Client, rpcfleet.Request) (any, error)
	for _, test := range []struct {
		body, want string
		calls      []call
	}{
		{`{"security":` + security + `}`, domain, []call{do[admin.Endpoint], do[*admin.Endpoint]}},
		{security, domain, []call{do[admin.EndpointSecurity], do[*admin.EndpointSecurity]}},
		{mask, domain, []call{do[admin.EndpointDomainMask], do[*admin.EndpointDomainMask]}},
		{notification, ids, []call{do[alerts.Notification], do[*alerts.Notification]}},
		{`[` + notification + `]`, ids, []call{do[[]alerts.Notification]}},
		{`{"destinationIds":["d1"],"destinations":[{"id":"d2"}]}`, ids, []call{do[alerts.Notification]}},
		{`{"domain":"a.example.com","domain_mask":"b"}`, domain, []call{do[admin.EndpointDomainMask]}},
	} {
		for _, do := range test.calls {
			client, _ := scripted(t, respondJSON(200, test.body))
			assert.Contains(t, string(must(json.Marshal(must(do(t.Context(), client, bare))(t)))(t)), test.want)
		}
	}
}

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
		" ~":                                     {Method: "PUT", Path: "/v0/~notes/", Operation: " ~", Area: "admin"},
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
		assert.Equal(t, want != "getEndpoint" && want != "peek", seen.Source == "assumed")
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
		{"Method", "one of GET, HEAD, OPTIONS", []rpcfleet.Request{
			method(""), method("get"), method("GET /v0/chains"), method("CONNECT"), method("TRACE")}},
		{"T", "HEAD", []rpcfleet.Request{method("HEAD")}},
		{"Area", "alerts", []rpcfleet.Request{ofGraph}},
		{"Operation", "printable", []rpcfleet.Request{named("a\nb"), named("a\x1fb"), named("a\x7fb")}},
		{"Body", "RawMessage", []rpcfleet.Request{bytes}},
		{"request", "cannot be built", []rpcfleet.Request{unwritten}},
		{"Path", "escaping", escaped},
		{"Path", "dot", []rpcfleet.Request{get("/v0/../admin"), get("/v0/./notes"), get("/v0/..")}},
		{"PathParams", "parameters", []rpcfleet.Request{with("/v0/notes", "1"),
			{Method: "GET", Path: "/v0/{ids}", PathParams: map[string]string{"id": "1", "ids": "2"}}}},
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
			if part == "{id}" { // It is the value, escaped.
				part = value
				got[i] = must(url.PathUnescape(got[i]))(t)
				assert.NotContains(t, []string{"", ".", ".."}, value)
			}
			assert.Equal(t, part, got[i])
		}
	})
}
