package transport_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

const key = "made-up-key-0001"

var (
	read   = &api.Operation{ID: "readThing", Method: http.MethodGet, Path: "/thing", Idempotent: true}
	create = &api.Operation{ID: "createThing", Method: http.MethodPost, Path: "/thing"}
	set    = &api.Operation{ID: "setThing", Method: http.MethodPut, Path: "/thing", Idempotent: true}
)

// harness is a transport in front of a scripted server. It is made of the configuration for the first call.
type harness struct {
	*transport.Transport
	*scriptnet.Script
	config transport.Config
	once   sync.Once
	log    bytes.Buffer
}

type responder = http.HandlerFunc

var (
	hangUp  = scriptnet.HangUp
	silence = scriptnet.Wait
)

func status(code int, header ...string) responder {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, http.StatusText(code))
	}
}

func slow(line responder) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Second)
		line(w, r)
	}
}

// sends responds with a part of a body, flushed, and then does more.
func sends(code, length int, part string, then responder) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(length))
		w.WriteHeader(code)
		_, _ = io.WriteString(w, part)
		w.(http.Flusher).Flush()
		then(w, r)
	}
}

func nothing(http.ResponseWriter, *http.Request) {}

func cutShort(code int) responder { return sends(code, 1000, `{"data":`, hangUp) }
func stalls(code int) responder   { return sends(code, 1000, "", silence) }

// serve starts a server that follows the script, one line a request, and repeats the last line.
func serve(t *testing.T, script ...responder) *harness {
	t.Helper()
	h := &harness{Script: scriptnet.New(script...)}
	h.config = transport.Config{
		Origin: parsed(t, "http://127.0.0.1"), HTTPClient: pipenet.Serve(t, h), UserAgent: "test",
		Credentials: func(context.Context) (scalar.Secret, scalar.Secret, error) {
			return scalar.NewSecret(key), scalar.NewSecret("made-up-bearer"), nil
		},
		Logger: slog.New(slog.NewTextHandler(&h.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	return h
}

func parsed(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return u
}

func (h *harness) send(ctx context.Context, op *api.Operation, change ...func(*transport.Call)) (
	*transport.Response, *transport.Result, error,
) {
	address := *h.config.Origin
	address.Path, address.RawQuery = "/thing", "id=secret-id"
	call := transport.Call{
		Operation: op, Address: &address, MaxBody: 1 << 20,
		MaxAttempts: 4, BaseDelay: 100 * time.Millisecond, MaxDelay: time.Second, MaxRetryAfter: time.Minute,
	}
	if op.Method != http.MethodGet {
		call.Body = []byte(`{"a":1}`)
	}
	for _, c := range change {
		c(&call)
	}
	h.once.Do(func() { h.Transport = transport.New(h.config) })
	return h.Send(ctx, call)
}

func once(c *transport.Call) { c.MaxAttempts = 1 }

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func (h *harness) through(send tripper) {
	h.config.HTTPClient = &http.Client{Transport: send}
}

func failed(t *testing.T, err error) *transport.Failure {
	t.Helper()
	var failure *transport.Failure
	require.ErrorAs(t, err, &failure)
	return failure
}
