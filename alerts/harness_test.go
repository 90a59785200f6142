package alerts_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
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
