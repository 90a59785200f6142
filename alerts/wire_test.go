package alerts_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

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
