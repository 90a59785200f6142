package emulator_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// The paths of the areas. The admin area has none.
const (
	alertsPath, webhooksPath  = "/alerts/rest/v1", "/webhooks/rest/v1"
	keyValuePath, streamsPath = "/kv/rest/v1", "/streams/rest/v1"
)

// start is the time at which the emulators of these tests stand still, unless a test gives its own clock.
var start = time.Date(2026, time.March, 10, 9, 30, 0, 0, time.UTC)

// service is an emulator and a caller of it. The tests speak plain HTTP, not through the client library, so that a
// mistake of the one cannot hide behind the same mistake of the other.
type service struct {
	*emulator.Emulator
	t   testing.TB
	key string
}

func startService(t testing.TB, options ...emulator.Option) *service {
	t.Helper()
	still := emulator.WithClock(func() time.Time { return start })
	e := emulator.New(append([]emulator.Option{still}, options...)...)
	t.Cleanup(e.Close)
	return &service{e, t, e.APIKey}
}

// withKey is the same service, called with another key.
func (s *service) withKey(key string) *service { return &service{s.Emulator, s.t, key} }

// request makes a request. The body is sent as it is when it is a text, and as JSON otherwise.
func (s *service) request(method, path string, body any) *http.Request {
	s.t.Helper()
	text, ok := body.(string)
	if !ok && body != nil {
		text = string(must(json.Marshal(body))(s.t))
	}
	r := httptest.NewRequest(method, "http://emulator.example"+path, strings.NewReader(text))
	r.RequestURI = "" // A client sends no request that a server got.
	r.Header.Set("X-Api-Key", s.key)
	return r
}

// responseBuffer is the response to a request.
type responseBuffer struct {
	t      testing.TB
	status int
	header http.Header
	body   []byte
}

func (s *service) do(r *http.Request) responseBuffer {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return responseBuffer{s.t, w.Code, w.Header(), w.Body.Bytes()}
}

func (s *service) call(method, path string, body any) responseBuffer {
	return s.do(s.request(method, path, body))
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

// dataOf returns the payload of a success.
func dataOf[T any](a responseBuffer) T {
	a.t.Helper()
	envelope := bodyOf[struct {
		Data  T
		Error *string
	}](a.ok())
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
		Data   []map[string]any
		NextAt string `json:"next_at"`
	}](s.get(path).ok())
	for _, entry := range page.Data {
		ids = append(ids, entry["request_id"].(string))
	}
	return ids, page.NextAt
}

type singleEndpoint struct {
	ID    string
	Label *string
}

// create creates an endpoint on Ethereum's main network.
func (s *service) create() singleEndpoint {
	s.t.Helper()
	return dataOf[singleEndpoint](s.post("/v0/endpoints", object{"chain": "eth", "network": "mainnet"}))
}
