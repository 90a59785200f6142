package transport_test

import (
	"context"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/test/faultnet"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// sample is an operation of each kind, with the body that it sends.
type sample struct {
	*api.Operation
	body string
}

var samples = []sample{
	{create, `{"a":1}`}, {create, ""},
	{&api.Operation{ID: "changeThing", Method: http.MethodPatch, Path: "/thing"}, `{"a":1}`},
	{&api.Operation{ID: "dropThing", Method: http.MethodDelete, Path: "/thing"}, ""},
	{&api.Operation{ID: "visitThing", Method: http.MethodGet, Path: "/thing"}, ""},
	{read, ""}, {set, `{"a":1}`}, {set, ""},
}

func (s sample) name() string {
	kind := map[bool]string{true: "idempotent ", false: ""}[s.Idempotent]
	return kind + s.Method + map[bool]string{true: " without a body", false: ""}[s.body == ""]
}

// faulty is a transport in front of a faultnet server.
type faulty struct {
	*transport.Transport
	server   *faultnet.Server
	pacer    pacer
	received func() // It is called while a response is being read.
}

func newFaulty(t *testing.T, protocol faultnet.Protocol, script ...faultnet.Fault) *faulty {
	t.Helper()
	return inFrontOf(t, faultnet.Serve(t, protocol, script...))
}

func inFrontOf(t *testing.T, server *faultnet.Server) *faulty {
	t.Helper()
	f := &faulty{server: server}
	f.over(t, f.server.Client().Transport)
	return f
}

// over makes the transport anew, above another one.
func (f *faulty) over(t *testing.T, base http.RoundTripper) {
	t.Helper()
	origin, err := url.Parse(f.server.URL)
	require.NoError(t, err)
	f.Transport = transport.New(transport.Config{
		Origin: origin, HTTPClient: &http.Client{Transport: base}, Wait: f.pacer.Wait,
		Received: func(int, http.Header) {
			if f.received != nil {
				f.received()
			}
		},
		Credentials: func(context.Context) (key, token scalar.Secret, err error) { return key, token, nil },
	})
}

// tripper is an http.RoundTripper made of a function.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func (f *faulty) send(ctx context.Context, s sample, change ...func(*transport.Call)) (*transport.Response,
	*transport.Result, error) {
	address, err := url.Parse(f.server.URL + "/thing")
	if err != nil {
		return nil, nil, err
	}
	call := transport.Call{
		Operation: s.Operation, Address: address, Body: []byte(s.body),
		Timeout: time.Minute, MaxAttempts: 3, MaxBody: 1 << 20,
	}
	for _, c := range change {
		c(&call)
	}
	return f.Send(ctx, call)
}

func once(c *transport.Call) { c.MaxAttempts = 1 }

func asItIs(*transport.Call) {}

// TestSend_lostResponseRepeatsOnlyIdempotentCalls counts the requests that arrive on the server if a response gets
// lost, on a new connection and on one that has been used. If the operation is not idempotent, that is one request, and
// always as many as the client counts.
func TestSend_lostResponseRepeatsOnlyIdempotentCalls(t *testing.T) {
	for _, protocol := range faultnet.Protocols {
		for _, fault := range faultnet.Lost(protocol) {
			for _, s := range samples {
				t.Run(string(protocol)+"/"+fault.Name+"/"+s.name(), func(t *testing.T) {
					t.Parallel()
					script := []faultnet.Fault{faultnet.OK, fault}
					if fault.Name == faultnet.Silence.Name { // The time is over when nothing moves any more, and not before.
						synctest.Test(t, func(t *testing.T) { s.lose(t, faultnet.ServePiped(t, protocol, script...)) })
						return
					}
					s.lose(t, faultnet.Serve(t, protocol, script...))
				})
			}
		}
	}
}

// lose sends the sample once, and then twice while responses get lost.
func (s sample) lose(t *testing.T, server *faultnet.Server) {
	t.Helper()
	f := inFrontOf(t, server)
	_, result, err := f.send(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, 1, result.Attempts)
	before, attempts := f.server.Requests(), 0
	for _, change := range []func(*transport.Call){asItIs, once} {
		paced := f.pacer.waits
		_, result, err = f.send(t.Context(), s, change)
		attempts += result.Attempts
		assert.Equal(t, f.server.Requests()-before, attempts)
		assert.Equal(t, result.Attempts, f.pacer.waits-paced)
		if !s.Idempotent {
			assert.Equal(t, 1, result.Attempts)
			assert.True(t, result.Open || err == nil, "a create without a response may have been executed")
		}
	}
}

// TestSend_unprocessedRequestIsSentAgainOnce is sent again whatever the operation, at once, counted and paced, and
// once.
func TestSend_unprocessedRequestIsSentAgainOnce(t *testing.T) {
	for _, fault := range faultnet.Unprocessed {
		for _, warm := range []bool{false, true} {
			for _, s := range samples {
				t.Run(fault.Name+"/"+s.name()+map[bool]string{true: "/reused"}[warm], func(t *testing.T) {
					t.Parallel()
					script := []faultnet.Fault{fault, faultnet.OK, fault}
					if warm {
						script = append([]faultnet.Fault{faultnet.OK}, script...)
					}
					f := newFaulty(t, faultnet.HTTP2, script...)
					if warm {
						_, _, err := f.send(t.Context(), s)
						require.NoError(t, err)
					}
					before, paced := f.server.Requests(), f.pacer.waits
					response, result, err := f.send(t.Context(), s, once)
					require.NoError(t, err)
					assert.Equal(t, http.StatusOK, response.Status)
					assert.Equal(t, 2, result.Attempts)
					assert.Equal(t, 2, f.server.Requests()-before)
					assert.Equal(t, 2, f.pacer.waits-paced)
					assert.False(t, result.MayHaveActed)

					before = f.server.Requests()
					_, result, err = f.send(t.Context(), s, once)
					require.Error(t, err)
					assert.NotContains(t, err.Error(), "GetBody", "advice to this library is not the caller's")
					assert.Equal(t, 2, result.Attempts, "once more, and not for ever")
					assert.Equal(t, 2, f.server.Requests()-before)

					_, result, err = f.send(t.Context(), s)
					require.Error(t, err)
					assert.Equal(t, 4, result.Attempts, "three of the policy, and the one")
				})
			}
		}
	}
}
