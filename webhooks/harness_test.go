package webhooks_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

const (
	tokenText   = "qnsec_made-up"
	payloadText = `{"matched": [1, 2]}`
)

var (
	token = scalar.NewSecret(tokenText)
	// noon is when the receivers' clocks stand, until a test moves them.
	noon = time.Date(2026, time.March, 10, 12, 0, 0, 0, time.UTC)
)

func verifier(t testing.TB, tokens ...scalar.Secret) *webhooks.Verifier {
	t.Helper()
	return must(webhooks.NewVerifier(tokens))(t)
}

// hook is a receiver with a clock, and the deliveries that its callback was given.
type hook struct {
	*webhooks.Receiver
	t     testing.TB
	now   time.Time
	ran   []*webhooks.Delivery
	reply error // Of the callback.
}

func listen(t testing.TB, scheme webhooks.Scheme, options ...webhooks.ReceiverOption) *hook {
	t.Helper()
	h := &hook{t: t, now: noon}
	receive := func(_ context.Context, d *webhooks.Delivery) error { h.ran = append(h.ran, d); return h.reply }
	clock := webhooks.WithClock(func() time.Time { return h.now })
	h.Receiver = must(webhooks.NewReceiver(scheme, receive, append(options, clock)...))(t)
	return h
}

// signed makes a delivery with this nonce, signed at the hook's present.
func (h *hook) signed(nonce string) *http.Request {
	h.t.Helper()
	request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(payloadText))
	sign(h.t, request, nonce, h.now)
	return request
}

func (h *hook) send(request *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request)
	return w
}

func (h *hook) status(request *http.Request) int { return h.send(request).Code }

// must returns the value of a call that must not fail, as in must(os.ReadFile(name))(t).
func must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		require.NoError(t, err)
		return value
	}
}

// errOf returns the error of a call, whatever its result.
func errOf[T any](_ T, err error) error { return err }

// newReceiver makes a receiver by the real clock. Without a callback, every delivery is taken over.
func newReceiver(t testing.TB, callback webhooks.Callback, options ...webhooks.ReceiverOption) *webhooks.Receiver {
	t.Helper()
	if callback == nil {
		callback = func(context.Context, *webhooks.Delivery) error { return nil }
	}
	return must(webhooks.NewReceiver(verifier(t, token), callback, options...))(t)
}

// sign signs a request with the usual payload anew.
func sign(t testing.TB, r *http.Request, nonce string, at time.Time) {
	t.Helper()
	signFor(t, r, nonce, at, payloadText)
}

func signFor(t testing.TB, r *http.Request, nonce string, at time.Time, payload string) {
	t.Helper()
	require.NoError(t, webhooks.Signer{Token: token}.Sign(r.Header, nonce, at, []byte(payload)))
}

// wire is a connection on which a test writes bytes that no client would.
type wire struct {
	net.Conn
	reader *bufio.Reader
}

func dial(t testing.TB, handler http.Handler) *wire {
	t.Helper()
	return dialServer(t, &http.Server{Handler: handler})
}

func dialServer(t testing.TB, server *http.Server) *wire {
	t.Helper()
	transport := pipenet.Start(t, server).Transport.(*http.Transport)
	conn := must(transport.DialContext(t.Context(), "pipe", ""))(t)
	return &wire{conn, bufio.NewReader(conn)}
}

// head returns the start of a delivery that is signed now, with further headers.
func (w *wire) head(nonce, more string) string { return w.headAt(nonce, "{}", more, time.Now()) }

// headAt returns the start of a delivery. A signed header that is among the further ones takes the place of the signed.
func (w *wire) headAt(nonce, payload, more string, signed time.Time) string {
	header := http.Header{}
	if err := (webhooks.Signer{Token: token}).Sign(header, nonce, signed, []byte(payload)); err != nil {
		panic(err)
	}
	for line := range strings.Lines(more) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		header.Set(name, value)
	}
	var head strings.Builder
	fmt.Fprint(&head, "POST /deliveries HTTP/1.1\r\nHost: hook.example\r\n")
	_ = header.Write(&head)
	return head.String() + "\r\n"
}

func (w *wire) write(t testing.TB, text string) {
	t.Helper()
	require.NoError(t, errOf(io.WriteString(w, text)))
}

func (w *wire) response(t testing.TB) *http.Response {
	t.Helper()
	response := must(http.ReadResponse(w.reader, nil))(t)
	require.NoError(t, errOf(io.Copy(io.Discard, response.Body)))
	return response
}

// closes waits until the other side has closed the connection.
func (w *wire) closes(t testing.TB) {
	t.Helper()
	_, err := w.reader.ReadByte()
	assert.Equal(t, io.EOF, err)
}
