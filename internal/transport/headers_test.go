package transport_test

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/operation"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// TestHeadersAreShared between all requests of a kind, of which there are six, and none gets another kind's.
func TestHeadersAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, status(200))
		for range 2 {
			for _, bearer := range []bool{false, true} {
				for _, method := range []string{http.MethodGet, http.MethodPost} {
					for _, body := range []string{"", `{"b":2}`} {
						op := &operation.Operation{ID: "doThing", Method: method, Bearer: bearer}
						_, _, err := h.send(t.Context(), op, func(c *transport.Call) { c.Body = []byte(body) })
						require.NoError(t, err)
						header := h.seen[len(h.seen)-1].header
						assert.Equal(t, body, h.seen[len(h.seen)-1].body)
						assert.Equal(t, body != "", header.Get("Content-Type") == "application/json")
						assert.Equal(t, bearer, header.Get("Authorization") == "Bearer made-up-bearer")
						assert.Equal(t, key, header.Get("X-Api-Key"))
						assert.Equal(t, "test", header.Get("User-Agent"))
						assert.Equal(t, "application/json", header.Get("Accept"))
					}
				}
			}
		}
	})
}

// TestAnotherTransportHasHeadersOfItsOwn to spoil.
func TestAnotherTransportHasHeadersOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, status(200))
		own := h.config.HTTPClient.Transport
		h.config.HTTPClient = &http.Client{Transport: tripper(func(req *http.Request) (*http.Response, error) {
			resp, err := own.RoundTrip(req)
			req.Header["X-Api-Key"][0] = "spoiled"
			delete(req.Header, "User-Agent")
			return resp, err
		})}
		h.Transport = transport.New(h.config)
		for i := range 2 {
			_, _, err := h.send(t.Context(), read)
			require.NoError(t, err)
			assert.Equal(t, key, h.seen[i].header.Get("X-Api-Key"))
			assert.Equal(t, "test", h.seen[i].header.Get("User-Agent"))
		}
	})
}

// TestCookies come from the jar of the caller's client and go there, redirects included.
func TestCookies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, status(302, "Location", "/moved", "Set-Cookie", "a=1"), status(200, "Set-Cookie", "b=2"), status(200))
		var err error
		h.config.HTTPClient.Jar, err = cookiejar.New(nil)
		require.NoError(t, err)
		h.Transport = transport.New(h.config)
		for range 2 {
			_, _, err := h.send(t.Context(), read)
			require.NoError(t, err)
		}
		var sent []string
		for _, seen := range h.seen {
			sent = append(sent, seen.header.Get("Cookie"))
		}
		assert.Equal(t, []string{"", "a=1", "a=1; b=2"}, sent)
	})
}

// jar is a cookie jar that keeps what it is handed.
type jar struct {
	http.CookieJar
	handed [][]*http.Cookie
}

func (j *jar) SetCookies(_ *url.URL, cookies []*http.Cookie) { j.handed = append(j.handed, cookies) }
func (j *jar) Cookies(*url.URL) []*http.Cookie               { return nil }

func TestAJarIsNotHandedNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, status(200), status(200, "Set-Cookie", "a=1"))
		jar := &jar{}
		h.config.HTTPClient.Jar = jar
		h.Transport = transport.New(h.config)
		for range 2 {
			_, _, err := h.send(t.Context(), read)
			require.NoError(t, err)
		}
		require.Len(t, jar.handed, 1)
		assert.Equal(t, "a", jar.handed[0][0].Name)
	})
}
