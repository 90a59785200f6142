package clienttest

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// made is an operation that this version does not know.
var made = rpcfleet.Request{Method: "GET", Path: "/v0/endpoints/{id}/notes/{note_id}",
	PathParams: map[string]string{"id": "ep1", "note_id": "a/b"}}

// note is the caller's own type of record.
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

// do is Do with a result of any type.
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
	for _, body := range []string{``, `{}`} {
		client, _ := scripted(t, respondJSON(200, body))
		require.ErrorIs(t, errOf(rpcfleet.Do[note](t.Context(), client, empty)), rpcfleet.ErrNoRecord)
	}
	for _, request := range []rpcfleet.Request{unknown, known, maybe, none} {
		for _, body := range []string{``, `{}`, `{"data":null,"error":null}`, `{"data":true}`, `{"data":{}}`,
			`{"data":{"success":true}}`} {
			client, _ := scripted(t, respondJSON(200, body))
			var response rpcfleet.Response
			_, err := rpcfleet.Do[note](t.Context(), client, request, rpcfleet.WithResponse(&response))
			require.ErrorIs(t, err, rpcfleet.ErrNoRecord, "%s: %s", request.Path, body)
			assert.True(t, response.NoRecord)
			_, err = rpcfleet.Do[struct{}](t.Context(), client, request, rpcfleet.WithResponse(&response))
			require.NoError(t, err, "%s: %s", request.Path, body)
			assert.False(t, response.NoRecord)
		}
		client, _ := scripted(t, respondJSON(200, `{"data":null,"error":null}`))
		_, err := rpcfleet.Do[json.RawMessage](t.Context(), client, request)
		require.ErrorIs(t, err, rpcfleet.ErrNoRecord)
		require.NotErrorIs(t, err, rpcfleet.ErrNotFound, "a null says this of a read only")
		client, _ = scripted(t, respondJSON(200, `{"data":null,"error":"no"}`))
		require.ErrorIs(t, errOf(rpcfleet.Do[note](t.Context(), client, request)), rpcfleet.ErrRejected)
		client, _ = scripted(t, respondJSON(200, `{"data":{"id":0,"text":null}}`))
		got, err := rpcfleet.Do[note](t.Context(), client, request)
		require.NoError(t, err, "a zero is something")
		assert.Zero(t, got)
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
		{`{"security":` + security + `}`, domain, []call{do[admin.SingleEndpoint], do[*admin.SingleEndpoint]}},
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
