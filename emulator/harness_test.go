package emulator_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// start is the time at which the emulators of these tests stand still, unless a test gives its own clock.
var start = time.Date(2026, time.March, 10, 9, 30, 0, 0, time.UTC)

// service is a running emulator and a caller of it. The tests speak plain HTTP, not through the client library, so
// that a mistake of the one cannot hide behind the same mistake of the other.
type service struct {
	*emulator.Server
	t    testing.TB
	key  string
	host string // Of the requests, if it is not the host of the address.
}

func startService(t testing.TB, options ...emulator.Option) *service {
	t.Helper()
	still := emulator.WithClock(func() time.Time { return start })
	server := emulator.Start(append([]emulator.Option{still}, options...)...)
	t.Cleanup(server.Close)
	return &service{Server: server, t: t, key: server.APIKey}
}

// withKey is the same service, called with another key.
func (s *service) withKey(key string) *service { return &service{Server: s.Server, t: s.t, key: key} }

// responseBuffer is the response to a request.
type responseBuffer struct {
	t      testing.TB
	status int
	header http.Header
	body   []byte
}

// call sends a request. The body is sent as it is when it is a text, and as JSON otherwise.
func (s *service) call(method, path string, body any) responseBuffer {
	s.t.Helper()
	var sent []byte
	switch body := body.(type) {
	case nil:
	case string:
		sent = []byte(body)
	default:
		var err error
		sent, err = json.Marshal(body)
		require.NoError(s.t, err)
	}
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.URL+path, bytes.NewReader(sent))
	require.NoError(s.t, err)
	request.Host = cmp.Or(s.host, request.Host)
	if s.key != "" {
		request.Header.Set("x-api-key", s.key)
	}
	request.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(request)
	require.NoError(s.t, err)
	defer resp.Body.Close()
	received, err := io.ReadAll(resp.Body)
	require.NoError(s.t, err)
	return responseBuffer{t: s.t, status: resp.StatusCode, header: resp.Header, body: received}
}

func (s *service) get(path string) responseBuffer    { return s.call(http.MethodGet, path, nil) }
func (s *service) delete(path string) responseBuffer { return s.call(http.MethodDelete, path, nil) }
func (s *service) post(path string, body any) responseBuffer {
	return s.call(http.MethodPost, path, body)
}
func (s *service) patch(path string, body any) responseBuffer {
	return s.call(http.MethodPatch, path, body)
}

// object is a JSON object of a request.
type object = map[string]any

// ok requires a success.
func (a responseBuffer) ok() responseBuffer {
	a.t.Helper()
	require.Equalf(a.t, http.StatusOK, a.status, "body: %s", a.body)
	return a
}

// rejected checks that the response is the failure envelope, with this status and a reason that holds the text.
func (a responseBuffer) rejected(status int, reason string) {
	a.t.Helper()
	if !assert.Equalf(a.t, status, a.status, "body: %s", a.body) {
		return
	}
	var envelope map[string]any
	require.NoError(a.t, json.Unmarshal(a.body, &envelope), "body: %s", a.body)
	assert.Contains(a.t, envelope, "data")
	assert.Nil(a.t, envelope["data"])
	require.IsType(a.t, "", envelope["error"])
	assert.Contains(a.t, envelope["error"], reason)
}

// dataOf returns the payload of a success.
func dataOf[T any](a responseBuffer) T {
	a.t.Helper()
	a.ok()
	envelope := bodyOf[struct {
		Data  T       `json:"data"`
		Error *string `json:"error"`
	}](a)
	require.Nil(a.t, envelope.Error)
	return envelope.Data
}

// bodyOf returns the whole body.
func bodyOf[T any](a responseBuffer) T {
	a.t.Helper()
	var body T
	require.NoError(a.t, json.Unmarshal(a.body, &body), "body: %s", a.body)
	return body
}

// must returns a result that has to be there.
func must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		require.NoError(t, err)
		return value
	}
}

// errOf returns the error of a call, whatever its result.
func errOf[T any](_ T, err error) error { return err }

// mustData is the payload of a success, as it came.
func mustData(a responseBuffer) json.RawMessage { return dataOf[json.RawMessage](a) }

// list returns the ids of a page of endpoints.
func (s *service) list(query string) []string {
	s.t.Helper()
	var ids []string
	for _, endpoint := range dataOf[[]singleEndpoint](s.get("/v0/endpoints?" + query)) {
		ids = append(ids, endpoint.ID)
	}
	return ids
}

// logPath is the path of an endpoint's log around the tests' time. Further parameters can follow.
func logPath(endpoint string) string {
	return "/v0/endpoints/" + endpoint + "/logs?from=2026-03-10T00:00:00Z&to=2026-03-11T00:00:00Z"
}

// logs returns the ids of a page of a log, and the cursor of the next one.
func (s *service) logs(path string) (ids []string, next string) {
	s.t.Helper()
	page := bodyOf[struct {
		Data []struct {
			RequestID string `json:"request_id"`
		}
		NextAt string `json:"next_at"`
	}](s.get(path).ok())
	for _, entry := range page.Data {
		ids = append(ids, entry.RequestID)
	}
	return ids, page.NextAt
}

type usageTotal struct {
	Used int64 `json:"credits_used"`
}

type singleEndpoint struct {
	ID    string  `json:"id"`
	Label *string `json:"label"`
}

// create creates an endpoint on Ethereum's main network.
func (s *service) create() singleEndpoint {
	s.t.Helper()
	return dataOf[singleEndpoint](s.post("/v0/endpoints", object{"chain": "eth", "network": "mainnet"}))
}
