package clienttest

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// TestWithDump_writesExchanges: TestErrors_hideSecrets looks for secrets in dumps.
func TestWithDump_writesExchanges(t *testing.T) {
	var dump bytes.Buffer
	_, server := scripted(t, withHeaders(respondJSON(503, "busy\x1b[2J"), "Date", "then"),
		withHeaders(respondJSON(200, `{"data":{"token":"made-up-value"}}`), "Date", "now", "X-Request-Id", "r-1"), hangUp)
	client := server.client(t, rpcfleet.WithDump(&dump))
	change := admin.UpdateEndpointRequest{Label: new("line\nend")}
	require.NoError(t, client.Endpoints.Update(t.Context(), "ep1", change))
	const sent = `PATCH /v0/endpoints/ep1
Host: HOST
Accept: application/json
Accept-Encoding: gzip
Content-Type: application/json
User-Agent: rpcfleet-go/` + rpcfleet.Version + `
X-Api-Key: [redacted]

{"label":"line\nend"}

`
	want := sent + `HTTP/1.1 503 Service Unavailable
Content-Length: 8
Content-Type: application/json
Date: then

busy\x1b[2J

` + sent + `HTTP/1.1 200 OK
Content-Length: 34
Content-Type: application/json
Date: now
X-Request-Id: r-1

{"data":{"token":"[redacted]"}}

`
	assert.Equal(t, strings.ReplaceAll(want, "HOST", strings.TrimPrefix(server.URL, "http://")), dump.String())
	dump.Reset()
	require.Error(t, errOf(get(client, rpcfleet.WithoutRetries())))
	assert.Contains(t, dump.String(), "\n\nNo complete response: ")
}

// TestErrors_areGroupsInLogs: the JSON of a log has the fields to search for.
func TestErrors_areGroupsInLogs(t *testing.T) {
	client, _ := scripted(t, withHeaders(respondJSON(409, `{"error":"taken"}`), "X-Request-Id", "r-1"),
		respondJSON(200, `{`))
	_, refused := client.Endpoints.Create(t.Context(), admin.CreateEndpointRequest{Chain: "eth", Network: "mainnet"})
	_, unreadable := client.Endpoints.Create(t.Context(), admin.CreateEndpointRequest{Chain: "eth", Network: "mainnet"})
	const of = `{"error":%q,"kind":"conflict","operation":"createEndpoint","status":409,"request_id":"r-1","attempts":1}`
	inner := strings.Replace(of, "%q", quoted(t, refused.Error()), 1)
	for want, err := range map[string]error{
		inner: refused,
		`{"error":` + quoted(t, unreadable.Error()) + `,"kind":"unreadable","operation":"createEndpoint","status":200,
			"attempts":1,"reason":"response cut short","outcome_unknown":true}`: unreadable,
		`{"error":` + quoted(t, (&rpcfleet.PageError{Offset: 7, Cursor: "c", Err: refused}).Error()) +
			`,"kind":"conflict","offset":7,"cause":` + inner + `}`: &rpcfleet.PageError{Offset: 7, Cursor: "c", Err: refused},
		`{"error":"rpcfleet: following the log of endpoint \"ep1\" ended, resume from 1970-01-01T00:00:00Z: down",
			"kind":"failed","endpoint_id":"ep1","from":"1970-01-01T00:00:00Z","cause":"down"}`: &rpcfleet.FollowError{
			EndpointID: "ep1", From: time.Unix(0, 0).UTC(), Err: errors.New("down"),
		},
	} {
		var log bytes.Buffer
		slog.New(slog.NewJSONHandler(&log, nil)).Error("failed", "err", err)
		assert.Equal(t, decodeBody(t, want), decodeBody(t, log.String())["err"])
	}
}

// TestWithProgress_followsTheLoop: a call of the function comes after the loop has worked on a page. Bulk calls are in
// TestBulk_returnsWhatWasDoneBesideAnError.
func TestWithProgress_followsTheLoop(t *testing.T) {
	client, server := scripted(t)
	var progress []int
	report := rpcfleet.WithProgress(func(done, total int) { progress = append(progress, done, total) })
	for name, test := range map[string]struct {
		lines []responder
		run   func() error
		want  []int
	}{
		"by offset": {[]responder{respondJSON(200, page(numbered("e", 0, 3), 5, 3, 0)),
			respondJSON(200, page(numbered("e", 2, 5), 5, 3, 2))}, func() error {
			return run(client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}, report))
		}, []int{3, 5, 5, 5}},
		"by cursor, prefetched": {[]responder{respondJSON(200, `{"data":[{"request_id":"a"}],"next_at":"c"}`),
			respondJSON(200, `{"data":[{"request_id":"b"}]}`)}, func() error {
			return run(client.Logs.All(t.Context(), "ep1", anHour, report, rpcfleet.WithPrefetch(1)))
		}, []int{1, -1, 2, -1}},
		"up to a failure": {[]responder{respondJSON(200, page(numbered("e", 0, 3), 5, 3, 0)), respondJSON(400, ``)},
			func() error {
				ended := run(client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}, report))
				require.ErrorIs(t, ended, rpcfleet.ErrInvalidRequest)
				return nil
			}, []int{3, 5}},
	} {
		server.Play(test.lines...)
		progress = nil
		require.NoError(t, test.run(), name)
		assert.Equal(t, test.want, progress, name)
	}
	for range client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}, report) {
		progress = nil
		break
	}
	assert.Nil(t, progress, "not after a break")
}
