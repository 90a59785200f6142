package clienttest

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

var unauthorized = says(401, `the token is worthless`)

func TestA401RenewsOnceAndRepeats(t *testing.T) {
	for name, body := range map[string]func() io.Reader{
		"a body that can be read again": func() io.Reader { return strings.NewReader("text") },
		"no body":                       func() io.Reader { return nil },
		"an empty body":                 func() io.Reader { return http.NoBody },
	} {
		t.Run(name, func(t *testing.T) {
			p := startPlane(t, fine, unauthorized, fine)
			for range 3 {
				assert.Equal(t, 200, post(t, p.rpc, p.URL+"/tooling/42", body()))
			}
			assert.Equal(t, []string{"Bearer session-1", "Bearer session-1", "Bearer session-2", "Bearer session-2"}, bearers(p.Server))
			assert.Equal(t, p.Requests()[1].Body, p.Requests()[2].Body)
			assert.Equal(t, 2, p.mint.count())
		})
	}
	t.Run("a body that cannot", func(t *testing.T) {
		p := startPlane(t, unauthorized, fine)
		assert.Equal(t, 401, post(t, p.rpc, p.URL+"/tooling/42", io.MultiReader(strings.NewReader("text"))))
		assert.Equal(t, 200, post(t, p.rpc, p.URL+"/tooling/42", io.MultiReader(strings.NewReader("text"))))
		assert.Equal(t, []string{"Bearer session-1", "Bearer session-2"}, bearers(p.Server))
	})
	t.Run("a 401 again", func(t *testing.T) {
		p := startPlane(t, unauthorized)
		resp, err := p.rpc.Get(p.URL + "/tooling/42/")
		require.NoError(t, err)
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		assert.Equal(t, "the token is worthless", string(text), "the response is the caller's")
		assert.Len(t, p.Requests(), 2)
	})
	t.Run("other failures", func(t *testing.T) {
		p := startPlane(t, says(403, `no`))
		assert.Equal(t, 403, post(t, p.rpc, p.URL+"/tooling/42", nil))
		assert.Len(t, p.Requests(), 1)
	})
	t.Run("elsewhere", func(t *testing.T) {
		p := startPlane(t, unauthorized)
		assert.Equal(t, 401, post(t, p.rpc, p.URL+"/elsewhere", nil))
		assert.Len(t, p.Requests(), 1)
		assert.Equal(t, 1, p.mint.count())
	})
	t.Run("the endpoint has moved", func(t *testing.T) {
		p := startPlane(t)
		p.Play(func(w http.ResponseWriter, r *http.Request) {
			p.mint.mu.Lock()
			p.mint.address = p.URL + "/tooling/43"
			p.mint.mu.Unlock()
			unauthorized(w, r)
		})
		assert.Equal(t, 401, post(t, p.rpc, p.URL+"/tooling/42", strings.NewReader("text")))
		assert.Len(t, p.Requests(), 1)
	})
	t.Run("the renewal fails", func(t *testing.T) {
		p := startPlane(t)
		p.Play(func(w http.ResponseWriter, r *http.Request) {
			p.mint.fails(down)
			unauthorized(w, r)
		})
		_, err := p.rpc.Get(p.URL + "/tooling/42/")
		require.ErrorIs(t, err, rpcfleet.ErrServer)
		assert.ErrorContains(t, err, "responded with 401")
		assert.Len(t, p.Requests(), 1)
	})
}

func TestARepeatedRequestHasItsWholeBody(t *testing.T) {
	service := &mint{lifetime: time.Hour, address: "https://rpc.example.com/"}
	var bodies []string
	base := &http.Client{Transport: tripper(func(req *http.Request) (*http.Response, error) {
		recorder := httptest.NewRecorder()
		if req.URL.Host == "localhost" {
			service.ServeHTTP(recorder, req)
			return recorder.Result(), nil
		}
		text, err := io.ReadAll(req.Body)
		bodies = append(bodies, string(text))
		unauthorized(recorder, req)
		return recorder.Result(), err
	})}
	client, err := rpcfleet.New(rpcfleet.WithBaseURL("http://localhost"), rpcfleet.WithAPIKey(testKey), rpcfleet.WithHTTPClient(base))
	require.NoError(t, err)
	assert.Equal(t, 401, post(t, client.Tooling.HTTPClient(), "https://rpc.example.com/", strings.NewReader("text")))
	assert.Equal(t, []string{"text", "text"}, bodies)
}

func TestMany401sRenewOnce(t *testing.T) {
	const many = 50
	var arrived sync.WaitGroup
	arrived.Add(many)
	first, renewed := make(chan struct{}, 1), make(chan struct{})
	first <- struct{}{}
	done := sync.OnceFunc(func() { close(renewed) })
	p := startPlane(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer session-1" {
			arrived.Done()
			arrived.Wait() // All of them come with the old token,
			select {
			case <-first:
			case <-renewed: // and all but one hear of it when there is a new one.
			}
			unauthorized(w, r)
			return
		}
		fine(w, r)
		done()
	})
	take(t, p.admin.Tooling.TokenSource())
	var all sync.WaitGroup
	for range many {
		all.Go(func() { assert.Equal(t, 200, post(t, p.rpc, p.URL+"/tooling/42/", strings.NewReader("x"))) })
	}
	all.Wait()
	assert.Equal(t, 2, p.mint.count())
	assert.Len(t, p.Requests(), 2*many)
}

// Requests with a token that was refused before are refused one by one. Only the first refusal ends the wait for
// another token request.
func TestLateRefusalsDoNotEndTheBackoff(t *testing.T) {
	const many = 20
	var sent sync.WaitGroup
	sent.Add(many)
	turn := make(chan struct{}, 1)
	p := startPlane(t, func(w http.ResponseWriter, r *http.Request) {
		sent.Done()
		sent.Wait()
		turn <- struct{}{}
		unauthorized(w, r)
	})
	take(t, p.admin.Tooling.TokenSource())
	p.mint.fails(later(503, "60"))
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			_, err := p.rpc.Get(p.URL + "/tooling/42")
			assert.ErrorIs(t, err, rpcfleet.ErrServer)
			<-turn
		})
	}
	all.Wait()
	assert.Equal(t, 2, p.mint.count())
	assert.Len(t, p.Requests(), many)
}

// exchange is a response that a transport of the test's own gives, and what became of it.
type exchange struct {
	resp *http.Response
	err  error
	body *body
}

func replies(status int, text string) *exchange {
	e := &exchange{body: &body{Reader: strings.NewReader(text)}}
	e.resp = &http.Response{StatusCode: status, Header: http.Header{}, Body: e.body}
	return e
}

// rest is what nobody has read of the response.
func (e *exchange) rest() string {
	text, _ := io.ReadAll(e.body.Reader)
	return string(text)
}

// scriptedTransport is a tooling transport over exchanges, which is asked as it is: http.Client would tidy up behind
// it.
func scriptedTransport(t *testing.T, service *mint, sent *[]*http.Request, exchanges ...*exchange) http.RoundTripper {
	t.Helper()
	service.lifetime, service.address = time.Hour, "https://rpc.example.com/tooling/42"
	base := tripper(func(req *http.Request) (*http.Response, error) {
		if req.URL.Host == "localhost" {
			recorder := httptest.NewRecorder()
			service.ServeHTTP(recorder, req)
			return recorder.Result(), nil
		}
		*sent = append(*sent, req)
		if req.Body != nil {
			defer req.Body.Close()
			text, err := io.ReadAll(req.Body)
			require.NoError(t, err)
			assert.Equal(t, "text", string(text), "every attempt has the whole body")
		}
		require.LessOrEqual(t, len(*sent), len(exchanges), "a request too many")
		e := exchanges[len(*sent)-1]
		return e.resp, e.err
	})
	client, err := rpcfleet.New(rpcfleet.WithBaseURL("http://localhost"), rpcfleet.WithAPIKey(testKey),
		rpcfleet.WithHTTPClient(&http.Client{Transport: base}))
	require.NoError(t, err)
	return client.Tooling.HTTPClient().Transport
}

// Every way through the transport, with what must become of the two responses and of the token.
func TestTheTransportStepByStep(t *testing.T) {
	lost := &exchange{err: errors.New("connection lost")}
	nothing := &exchange{}
	bodiless := &exchange{resp: &http.Response{StatusCode: http.StatusUnauthorized, Header: http.Header{}}}
	again := func() (io.ReadCloser, error) { return &body{Reader: strings.NewReader("text")}, nil }
	broken := func() (io.ReadCloser, error) { return nil, errors.New("cannot be read again") }
	for name, test := range map[string]struct {
		exchanges []*exchange
		getBody   func() (io.ReadCloser, error)
		returned  int // Which of the exchanges is the caller's.
		tokens    string
		next      string // The token of the next request.
	}{
		"accepted":                        {[]*exchange{replies(200, "a")}, again, 0, "1", "session-1"},
		"forbidden":                       {[]*exchange{replies(403, "a")}, again, 0, "1", "session-1"},
		"a connection lost":               {[]*exchange{lost}, again, 0, "1", "session-1"},
		"no response and no error":        {[]*exchange{nothing}, again, 0, "1", "session-1"},
		"refused, then accepted":          {[]*exchange{replies(401, "a"), replies(200, "b")}, again, 1, "12", "session-2"},
		"refused twice":                   {[]*exchange{replies(401, "a"), replies(401, "b")}, again, 1, "12", "session-2"},
		"refused, then a connection lost": {[]*exchange{replies(401, "a"), lost}, again, 1, "12", "session-2"},
		"refused, then nothing":           {[]*exchange{replies(401, "a"), nothing}, again, 1, "12", "session-2"},
		"refused without a body":          {[]*exchange{bodiless, replies(200, "b")}, again, 1, "12", "session-2"},
		"refused, and not repeatable":     {[]*exchange{replies(401, "a")}, nil, 0, "1", "session-2"},
		"refused, and the body is broken": {[]*exchange{replies(401, "a")}, broken, 0, "1", "session-2"},
	} {
		t.Run(name, func(t *testing.T) {
			var sent []*http.Request
			service := &mint{}
			transport := scriptedTransport(t, service, &sent, append(test.exchanges, replies(200, ""))...)
			first := &body{Reader: strings.NewReader("text")}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://rpc.example.com/tooling/42/x?y=z", first)
			require.NoError(t, err)
			req.GetBody, req.ContentLength = test.getBody, 4
			resp, err := transport.RoundTrip(req)
			assert.Len(t, sent, len(test.exchanges))
			want := test.exchanges[test.returned]
			assert.Equal(t, want.err, err)
			assert.Same(t, want.resp, resp)
			if resp != nil {
				assert.Same(t, req, resp.Request, "the response names the caller's request, which has no token")
				assert.False(t, want.body.closed, "that is the caller's")
				assert.NotEmpty(t, want.rest())
			}
			if dropped := test.exchanges[0]; test.returned == 1 && dropped.body != nil {
				assert.Empty(t, dropped.rest(), "what is dropped is read to its end, for the connection's sake")
				assert.True(t, dropped.body.closed)
			}
			assert.True(t, first.closed)
			for i, request := range sent {
				assert.Equal(t, "Bearer session-"+test.tokens[i:i+1], request.Header.Get("Authorization"))
				assert.Equal(t, req.URL, request.URL)
				assert.EqualValues(t, 4, request.ContentLength)
			}
			assert.Empty(t, req.Header)

			req, err = http.NewRequestWithContext(t.Context(), http.MethodGet, "https://rpc.example.com/tooling/42", nil)
			require.NoError(t, err)
			_, err = transport.RoundTrip(req)
			require.NoError(t, err)
			assert.Equal(t, "Bearer "+test.next, sent[len(sent)-1].Header.Get("Authorization"))
		})
	}
}

// Where a refused request is not repeated although its body could be, nothing of it stays open.
func TestTheTransportClosesWhatItDoesNotSend(t *testing.T) {
	for name, test := range map[string]struct {
		spoil    func(*mint)
		text     string
		returned bool
	}{
		"the renewal fails":      {func(m *mint) { m.failure = down }, "responded with 401", false},
		"the endpoint has moved": {func(m *mint) { m.address = "https://rpc.example.com/tooling/43" }, "", true},
		"the endpoint is lost":   {func(m *mint) { m.address = "" }, "no usable address", false},
	} {
		t.Run(name, func(t *testing.T) {
			var sent []*http.Request
			service, refused := &mint{}, replies(401, "a")
			transport := scriptedTransport(t, service, &sent, refused)
			second := &body{Reader: strings.NewReader("text")}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://rpc.example.com/tooling/42", strings.NewReader("text"))
			require.NoError(t, err)
			req.GetBody = func() (io.ReadCloser, error) {
				test.spoil(service)
				return second, nil
			}
			resp, err := transport.RoundTrip(req)
			assert.True(t, second.closed)
			assert.Equal(t, !test.returned, refused.body.closed)
			if test.returned {
				require.NoError(t, err)
				assert.Same(t, refused.resp, resp)
				assert.Equal(t, "a", refused.rest())
				return
			}
			require.ErrorContains(t, err, test.text)
			assert.Nil(t, resp)
		})
	}
}

func TestLittleIsReadOfARefusal(t *testing.T) {
	var sent []*http.Request
	refused := replies(401, strings.Repeat("x", 1<<20))
	transport := scriptedTransport(t, &mint{}, &sent, refused, replies(200, "b"))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://rpc.example.com/tooling/42", nil)
	require.NoError(t, err)
	resp, err := transport.RoundTrip(req)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.True(t, refused.body.closed)
	assert.Len(t, refused.rest(), 1<<20-64<<10)
}

// idler counts how often its idle connections are closed.
type idler struct {
	http.RoundTripper
	closed int
}

func (i *idler) CloseIdleConnections() { i.closed++ }

func TestIdleConnectionsOfTheToolingClientCanBeClosed(t *testing.T) {
	base := &idler{RoundTripper: http.DefaultTransport}
	client, err := rpcfleet.New(rpcfleet.WithBaseURL("http://localhost"), rpcfleet.WithAPIKey(testKey),
		rpcfleet.WithHTTPClient(&http.Client{Transport: base}))
	require.NoError(t, err)
	client.Tooling.HTTPClient().CloseIdleConnections()
	assert.Equal(t, 1, base.closed)
	client, err = rpcfleet.New(rpcfleet.WithBaseURL("http://localhost"), rpcfleet.WithAPIKey(testKey),
		rpcfleet.WithHTTPClient(&http.Client{Transport: tripper(nil)}))
	require.NoError(t, err)
	client.Tooling.HTTPClient().CloseIdleConnections() // A transport that has none.
}
