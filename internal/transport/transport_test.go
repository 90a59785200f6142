package transport_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/url"
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

// harness is a transport in front of a scripted server, with the requests that the server saw.
type harness struct {
	*transport.Transport // It is made of the configuration for the first call.
	config               transport.Config
	once                 sync.Once
	log                  bytes.Buffer
	seen                 []seen
}

type seen struct {
	at     time.Time
	header http.Header
	body   string
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

func cutShort(code int) responder {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, `{"data":`)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

// serve starts a server that follows the script, one line a request, and repeats the last line.
func serve(t *testing.T, script ...responder) *harness {
	t.Helper()
	h := &harness{}
	client := pipenet.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		h.seen = append(h.seen, seen{time.Now(), r.Header.Clone(), string(body)})
		script[min(len(h.seen), len(script))-1](w, r)
	}))
	origin, err := url.Parse("http://127.0.0.1")
	require.NoError(t, err)
	h.config = transport.Config{
		Origin:     origin,
		HTTPClient: client,
		Credentials: func(context.Context) (scalar.Secret, scalar.Secret, error) {
			return scalar.NewSecret(key), scalar.NewSecret("made-up-bearer"), nil
		},
		Logger:    slog.New(slog.NewTextHandler(&h.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		UserAgent: "test",
	}
	return h
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
	h.once.Do(func() {
		if h.Transport == nil {
			h.Transport = transport.New(h.config)
		}
	})
	return h.Send(ctx, call)
}

func stalls(code int) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(code)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
}
