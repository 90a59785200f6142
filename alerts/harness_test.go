package alerts_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

const (
	tokenText   = "made-up-destination-token"
	payloadText = `{"matched": [1, 2]}`
)

var (
	token = scalar.NewSecret(tokenText)
	// noon is when the receivers' clocks stand, until a test moves them.
	noon = time.Date(2026, time.March, 10, 12, 0, 0, 0, time.UTC)
)

// webhook is a receiver that listens on a loopback port and keeps the deliveries that its callback was given.
type webhook struct {
	*httptest.Server
	t testing.TB

	mu    sync.Mutex
	now   time.Time
	ran   []*alerts.Delivery
	reply func(ctx context.Context, d *alerts.Delivery) error
}

func byHMAC(t testing.TB, tokens ...scalar.Secret) alerts.Verifier {
	t.Helper()
	return must(alerts.NewHMACVerifier(tokens, alerts.HeaderNames{}))(t)
}

func listen(t testing.TB, verifier alerts.Verifier, options ...alerts.ReceiverOption) *webhook {
	t.Helper()
	hook := &webhook{t: t, now: noon}
	receiver := must(alerts.NewReceiver(verifier, hook.receive, append(options, alerts.WithClock(hook.clock))...))(t)
	hook.Server = httptest.NewServer(receiver)
	t.Cleanup(hook.Close)
	return hook
}

func (h *webhook) receive(ctx context.Context, d *alerts.Delivery) error {
	h.mu.Lock()
	h.ran = append(h.ran, d)
	reply := h.reply
	h.mu.Unlock()
	if reply != nil {
		return reply(ctx, d)
	}
	return nil
}

func (h *webhook) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *webhook) advance(by time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(by)
}

// answers sets the result of the callback from now on.
func (h *webhook) answers(reply func(ctx context.Context, d *alerts.Delivery) error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reply = reply
}

// runs returns how often the callback was run.
func (h *webhook) runs() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.ran)
}

// signed makes a delivery with this nonce, signed at the webhook's present.
func (h *webhook) signed(nonce string) *http.Request {
	h.t.Helper()
	request, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, h.URL, strings.NewReader(payloadText))
	require.NoError(h.t, err)
	sign(h.t, request, nonce, h.clock())
	return request
}

// copyOf returns a request that can be sent beside the other one, or after it.
func copyOf(t testing.TB, request *http.Request) *http.Request {
	t.Helper()
	twin := request.Clone(request.Context())
	twin.Body = must(request.GetBody())(t)
	return twin
}

// send sends a request and returns the status and the text of the response.
func (h *webhook) send(request *http.Request) (int, string) {
	h.t.Helper()
	response, err := h.Client().Do(request)
	require.NoError(h.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(h.t, err)
	return response.StatusCode, string(text)
}

// status sends a request and returns the status of the response.
func (h *webhook) status(request *http.Request) int {
	h.t.Helper()
	status, _ := h.send(request)
	return status
}

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
func newReceiver(t testing.TB, callback alerts.Callback, options ...alerts.ReceiverOption) *alerts.Receiver {
	t.Helper()
	if callback == nil {
		callback = func(context.Context, *alerts.Delivery) error { return nil }
	}
	return must(alerts.NewReceiver(byHMAC(t, token), callback, options...))(t)
}

// sign signs a request anew.
func sign(t testing.TB, r *http.Request, nonce string, at time.Time) {
	t.Helper()
	signBy(t, r, token, nonce, at)
}

func signBy(t testing.TB, r *http.Request, by scalar.Secret, nonce string, at time.Time) {
	t.Helper()
	stamp := alerts.Headers{Timestamp: at, Nonce: nonce, ContentHash: "hash-1"}
	require.NoError(t, alerts.Signer{Token: by}.Sign(r.Header, stamp))
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
func (w *wire) head(nonce, more string) string { return w.headAt(nonce, more, time.Now()) }

// headAt returns the start of a delivery. A signed header that is among the further ones takes the place of the signed.
func (w *wire) headAt(nonce, more string, signed time.Time) string {
	header := http.Header{}
	stamp := alerts.Headers{Timestamp: signed, Nonce: nonce, ContentHash: "hash-1"}
	if err := (alerts.Signer{Token: token}).Sign(header, stamp); err != nil {
		panic(err)
	}
	for line := range strings.Lines(more) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		header.Set(name, value)
	}
	var head strings.Builder
	fmt.Fprint(&head, "POST /alerts HTTP/1.1\r\nHost: hook.example\r\n")
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
