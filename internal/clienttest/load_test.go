package clienttest

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestRetry_budgetLimitsReadsWhileServiceIsDown counts the requests of 64 goroutines with 20 calls each.
func TestRetry_budgetLimitsReadsWhileServiceIsDown(t *testing.T) {
	const goroutines, calls = 64, 20
	for name, line := range map[string]responder{"503": respondJSON(503, ``), "lost connections": hangUp} {
		t.Run(name, func(t *testing.T) {
			var requests, exhausted atomic.Int64
			client := piped(t, responder(func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				line(w, r)
			}), rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 4}))
			var callers sync.WaitGroup
			for range goroutines {
				callers.Go(func() {
					for range calls {
						_, err := get(client)
						var failure *rpcfleet.Error
						if assert.ErrorAs(t, err, &failure) && failure.RetryBudgetExhausted {
							exhausted.Add(1)
						}
					}
				})
			}
			callers.Wait()
			assert.LessOrEqual(t, float64(requests.Load()), 1.2*goroutines*calls)
			assert.Greater(t, requests.Load(), int64(goroutines*calls), "there are retries at first")
			assert.Greater(t, exhausted.Load(), int64(goroutines), "later errors report why there is none")
		})
	}
}

// TestClient_concurrentCallsGetOwnResponses while keys rotate and the service drops the connection of every 50th
// request. The end of the bubble shows that no goroutine is left.
func TestClient_concurrentCallsGetOwnResponses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var open, requests, keys atomic.Int64
		connections := pipenet.Start(t, &http.Server{
			Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if requests.Add(1)%50 == 0 {
					panic(http.ErrAbortHandler)
				}
				id, key := strings.Split(r.URL.Path, "/")[3], r.Header.Get("X-Api-Key")
				respondJSON(200, fmt.Sprintf(`{"data":{"http_url":"https://a.example.com/%s/%s"},"error":null}`, id, key))(w, r)
			}),
			ConnState: func(_ net.Conn, state http.ConnState) {
				switch state {
				case http.StateNew:
					open.Add(1)
				case http.StateClosed:
					open.Add(-1)
				}
			},
		})
		client := clientOf(t, "http://localhost", nil, rpcfleet.WithHTTPClient(connections),
			rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 9, Budget: -1}),
			rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
				return rpcfleet.Credentials{APIKey: scalar.NewSecret(fmt.Sprint("made-up-key-", keys.Add(1)/100))}, nil
			})))
		var callers sync.WaitGroup
		for caller := range 1000 {
			callers.Go(func() {
				for call := range 5 {
					id := fmt.Sprintf("ep-%d-%d", caller, call)
					urls, err := client.Endpoints.URLs(t.Context(), id)
					if assert.NoError(t, err) {
						assert.Contains(t, urls.HTTPURL.Reveal(), "https://a.example.com/"+id+"/made-up-key-")
					}
				}
			})
		}
		callers.Wait()
		client.CloseIdleConnections()
		synctest.Wait()
		assert.Zero(t, open.Load(), "connections left open")
	})
}
