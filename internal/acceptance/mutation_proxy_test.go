package acceptance

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// mutator stands between the client and the validator. It lets the emulator respond to a call once, and from then on
// gives that response again and again, changed. So the emulator's state stays as it is, and the validator sees only the
// emulator's responses.
type mutator struct {
	*httptest.Server
	t        testing.TB
	upstream http.Handler

	mu        sync.Mutex
	recording bool
	answers   []response
	// mutated stands in for the response at the index.
	index   int
	mutated mutated
}

// response is the emulator's response.
type response struct {
	request string
	sent    []byte
	graph   bool
	kind    string
	status  int
	header  http.Header
	body    []byte
}

// mutated is the response that the client gets instead. A lost response ends half way, as on a broken connection.
type mutated struct {
	status int
	body   []byte
	lost   bool
}

// mutate starts a mutator, which records until say sets a response.
func mutate(t testing.TB, upstream http.Handler) *mutator {
	m := &mutator{t: t, upstream: upstream, recording: true}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.Close)
	return m
}

// say sets the response that the client gets instead of the recorded one.
func (m *mutator) say(index int, instead mutated) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.recording, m.index, m.mutated = false, index, instead
}

// mutatedHeader contains the address of the mutator that a request is meant for. Tests in other processes may still
// send requests to a port that was theirs before.
const mutatedHeader = "Mutated"

// ServeHTTP implements http.Handler. A request that was not recorded goes to the emulator: an iteration makes one if a
// page contains less than it should.
func (m *mutator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get(mutatedHeader) != m.URL {
		http.Error(w, "a request of another test", http.StatusMisdirectedRequest)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	request := r.Method + " " + r.URL.RequestURI()
	if !m.recording {
		for i, known := range m.answers {
			if known.request == request {
				m.replay(w, i)
				return
			}
		}
	}
	body, err := io.ReadAll(r.Body)
	if !assert.NoError(m.t, err) {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	recorder := httptest.NewRecorder()
	m.upstream.ServeHTTP(recorder, r)
	said := response{
		request: request, sent: body, status: recorder.Code, header: recorder.Header().Clone(),
		body: bytes.TrimSpace(recorder.Body.Bytes()),
	}
	said.header.Del("Content-Length")
	said.kind, said.graph = m.kind(r)
	repeated := slices.ContainsFunc(m.answers, func(known response) bool {
		return known.request == request && bytes.Equal(known.sent, body)
	})
	if m.recording && !repeated {
		m.answers = append(m.answers, said)
	}
	said.give(w, mutated{status: said.status, body: said.body})
}

func (m *mutator) replay(w http.ResponseWriter, index int) {
	said := m.answers[index]
	if index == m.index {
		said.give(w, m.mutated)
		return
	}
	said.give(w, mutated{status: said.status, body: said.body})
}

func (a *response) give(w http.ResponseWriter, instead mutated) {
	maps.Copy(w.Header(), a.header)
	if len(instead.body) > 0 && w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	body := instead.body
	if instead.lost {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		body = body[:len(body)/2]
	}
	w.WriteHeader(instead.status)
	_, _ = w.Write(body)
}

// kind returns the way in which the operation's response is read.
func (m *mutator) kind(r *http.Request) (kind string, graph bool) {
	area, path := areaOf(r.URL.Path)
	if area == nil {
		return api.ResponseData, true
	}
	inside := r.Clone(r.Context())
	inside.URL.Path, inside.URL.RawPath = path, ""
	route, _, err := area.router.FindRoute(inside)
	if !assert.NoError(m.t, err) {
		return "", false
	}
	name, _ := route.Operation.Extensions["x-response"].(string)
	return name, false
}
