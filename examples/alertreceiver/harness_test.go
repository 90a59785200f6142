package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// asProgram makes the test binary the program itself.
const asProgram = "ALERTRECEIVER_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

const token = "made-up-token"

func runs(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(context.WithoutCancel(t.Context()), args, nil, &out, &errs)
	return code, out.String(), errs.String()
}

// delivery is a signed request. Two with the same nonce are one that comes twice.
func delivery(t *testing.T, signer, nonce string) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/alerts", strings.NewReader(fmt.Sprintf(`{"n":%q}`, nonce)))
	signed := alerts.Headers{Timestamp: time.Now(), Nonce: nonce, ContentHash: "hash"}
	require.NoError(t, alerts.Signer{Token: scalar.NewSecret(signer)}.Sign(r.Header, signed))
	return r
}

// receive sends a delivery to a service without a network, and returns the response.
func (s *service) receive(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.routes.ServeHTTP(w, r)
	return w
}

func newTestService(t *testing.T, o options, handle alerts.Callback, tokens ...string) *service {
	t.Helper()
	o.path = "/alerts"
	var secrets []scalar.Secret
	for _, text := range append(tokens, token) {
		secrets = append(secrets, scalar.NewSecret(text))
	}
	s, err := newService(o, secrets, handle, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	return s
}

// listen is a listener, and the address of the webhook on it.
func listen(t *testing.T) (net.Listener, string) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return listener, "http://" + listener.Addr().String() + "/alerts"
}
