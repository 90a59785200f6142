package clienttest

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/test/faultnet"
)

// createEndpoint is a call that is not idempotent.
func createEndpoint(ctx context.Context, client *rpcfleet.Client, opts ...rpcfleet.CallOption) error {
	_, err := client.Endpoints.Create(ctx, admin.CreateEndpointRequest{Chain: "ethereum", Network: "mainnet"}, opts...)
	return err
}

// Every way to lose the response to a create leaves open whether it was carried out, and says so.
func TestALostResponseMayBeThatOfACreate(t *testing.T) {
	for _, protocol := range faultnet.Protocols {
		for _, fault := range faultnet.Lost(protocol) {
			if fault.Name == "425" {
				continue // Too early to be acted on, as the status says.
			}
			t.Run(string(protocol)+", "+fault.Name, func(t *testing.T) {
				if fault.Name == faultnet.Silence.Name { // The time is over when nothing moves any more, and not before.
					synctest.Test(t, func(t *testing.T) { createIsLeftOpen(t, faultnet.ServePiped(t, protocol, fault)) })
					return
				}
				createIsLeftOpen(t, faultnet.Serve(t, protocol, fault))
			})
		}
	}
}

func createIsLeftOpen(t *testing.T, server *faultnet.Server) {
	t.Helper()
	client, err := rpcfleet.New(
		rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(testKey), rpcfleet.WithHTTPClient(server.Client()),
	)
	require.NoError(t, err)
	err = createEndpoint(t.Context(), client)
	require.ErrorIs(t, err, rpcfleet.ErrMaybeCarriedOut)
	require.NotErrorIs(t, err, rpcfleet.ErrCarriedOut)
	assert.Equal(t, 1, server.Requests())
}

func TestWhatMayHaveBeenCarriedOut(t *testing.T) {
	for name, test := range map[string]struct {
		line  responder
		maybe bool
	}{
		"400":                 {says(400, `{"error":"no"}`), false},
		"404":                 {says(404, ``), false},
		"409":                 {says(409, ``), false},
		"425":                 {says(425, ``), false},
		"429":                 {says(429, ``), false},
		"408":                 {says(408, ``), true},
		"500":                 {says(500, ``), true},
		"599":                 {says(599, ``), true},
		"600":                 {writes("HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n"), true},
		"000":                 {writes("HTTP/1.1 000 Odd\r\nContent-Length: 0\r\n\r\n"), true},
		"099":                 {writes("HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n"), true},
		"101":                 {writes("HTTP/1.1 101 Switching Protocols\r\n\r\n"), true},
		"304":                 {says(304, ``), true},
		"redirect":            {redirects("https://elsewhere.example/"), true},
		"refusal":             {says(200, `{"data":null,"error":"no"}`), false},
		"no record":           {says(200, `{}`), true},
		"HTML":                {saysAs("text/html", 200, `<html>`), true},
		"half":                {cutShort, true},
		"no response":         {hangsUp, true},
		"another HTTP client": {writes("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"), true},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, test.line)
			err := createEndpoint(t.Context(), client)
			require.Error(t, err)
			assert.Equal(t, test.maybe, errors.Is(err, rpcfleet.ErrMaybeCarriedOut), "%v", err)
			err = client.Endpoints.Pause(t.Context(), "ep1")
			assert.NotErrorIs(t, err, rpcfleet.ErrMaybeCarriedOut, "what is idempotent can be set again")
		})
	}
}

func TestWhatWasNotSentWasNotCarriedOut(t *testing.T) {
	_, server := scripted(t, says(200, record))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	err := createEndpoint(ended, server.client(t))
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, rpcfleet.ErrMaybeCarriedOut, "the context had ended before")

	err = createEndpoint(t.Context(), server.client(t, rpcfleet.WithPacer(&pacer{err: errors.New("the budget is spent")})))
	require.Error(t, err)
	require.NotErrorIs(t, err, rpcfleet.ErrMaybeCarriedOut, "the pacer ended it")
	assert.Empty(t, server.Requests())

	synctest.Test(t, func(t *testing.T) {
		client, asked := clocked(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "30")
			says(429, ``)(w, r)
		})
		waiting, stop := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Second, stop)
		err := createEndpoint(waiting, client, rpcfleet.WithRetryPolicy(rpcfleet.DefaultRetryPolicy()))
		require.ErrorIs(t, err, context.Canceled)
		require.NotErrorIs(t, err, rpcfleet.ErrMaybeCarriedOut, "the only attempt was refused")
		assert.Len(t, asked.Requests(), 1)
	})

	server.Close()
	err = createEndpoint(t.Context(), server.client(t))
	require.ErrorIs(t, err, rpcfleet.ErrConnection)
	require.NotErrorIs(t, err, rpcfleet.ErrMaybeCarriedOut, "no connection was made")
}

func TestAResponseThatThereWasNoTimeToReadMayBeThatOfACreate(t *testing.T) {
	const repeated = `{"data":{"id":"ep1","id":"ep2"},"error":null}`
	synctest.Test(t, func(t *testing.T) {
		client, err := rpcfleet.New(
			rpcfleet.WithBaseURL("https://api.example.com"), rpcfleet.WithAPIKey(testKey), rpcfleet.WithTimeout(time.Second),
			rpcfleet.WithHTTPClient(&http.Client{Transport: &lateTransport{repeated, func() { time.Sleep(2 * time.Second) }}}),
		)
		require.NoError(t, err)
		err = createEndpoint(t.Context(), client)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, rpcfleet.ErrMaybeCarriedOut)
	})
}
