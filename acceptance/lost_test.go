package acceptance

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/faultnet"
)

// TestEveryOperationWhenResponsesGetLost carries out every method against a server that loses its responses, in each
// way that the protocol knows, on a connection that has been used. An operation that is not idempotent arrives once,
// and the client counts as many attempts as the server.
func TestEveryOperationWhenResponsesGetLost(t *testing.T) {
	f := startSampleAccount(t)
	for _, protocol := range []faultnet.Protocol{faultnet.HTTP1, faultnet.HTTP2} {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			l := newLossy(t, f, protocol)
			for _, fault := range faultnet.Lost(protocol) {
				for _, q := range slices.Concat(adminQueries, securityQueries, alertsQueries, graphQueries) {
					l.ask(t, q, fault)
					arrived, silent := l.arrived(), fault.Name == faultnet.Silence.Name
					attempts := 0
					for _, seen := range l.seen {
						attempts += seen.attempts
						if !seen.op.Idempotent {
							assert.Equal(t, 1, seen.attempts, "%s, %s, %s", q.method, seen.op.ID, fault.Name)
						}
					}
					assert.Positive(t, attempts, q.method)
					if silent {
						assert.LessOrEqual(t, arrived, attempts, q.method) // The time can be over before one arrives.
					} else {
						assert.Equal(t, arrived, attempts, "%s, %s", q.method, fault.Name)
					}
				}
			}
		})
	}
}

// TestEveryOperationThatWasNotProcessed is carried out after all, without any retries of the policy's.
func TestEveryOperationThatWasNotProcessed(t *testing.T) {
	f := startSampleAccount(t)
	l := newLossy(t, f, faultnet.HTTP2)
	for _, fault := range faultnet.Unprocessed {
		for _, q := range slices.Concat(adminQueries, securityQueries, alertsQueries, graphQueries) {
			l.ask(t, q, fault, faultnet.OK)
			require.NotEmpty(t, l.seen, q.method)
			assert.Equal(t, 2, l.seen[0].attempts, "%s, %s", q.method, fault.Name)
			assert.Equal(t, 200, l.seen[0].status, "%s, %s", q.method, fault.Name)
		}
	}
}

// lossy is a client of a server that loses responses, and what its observer was told.
type lossy struct {
	sampleAccount *sampleAccount
	server        *faultnet.Server
	client        *rpcfleet.Client
	hasty         *rpcfleet.Client // It waits for nothing long.
	before        int
	seen          []outcome
}

type outcome struct {
	op               rpcfleet.Operation
	attempts, status int
}

func newLossy(t *testing.T, f *sampleAccount, protocol faultnet.Protocol) *lossy {
	t.Helper()
	l := &lossy{sampleAccount: f, server: faultnet.Serve(t, protocol, faultnet.OK)}
	l.client, l.hasty = l.newClient(t), l.newClient(t, rpcfleet.WithTimeout(20*time.Millisecond))
	return l
}

func (l *lossy) newClient(t *testing.T, options ...rpcfleet.Option) *rpcfleet.Client {
	t.Helper()
	client, err := rpcfleet.New(append([]rpcfleet.Option{
		rpcfleet.WithBaseURL(l.server.URL), rpcfleet.WithAPIKey("made-up-key-0001"), rpcfleet.WithHTTPClient(l.server.Client()),
		rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 2, Quota: -1}),
		rpcfleet.WithObserver(func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
			return ctx, func(o rpcfleet.Outcome) { l.seen = append(l.seen, outcome{op, o.Attempts, o.StatusCode}) }
		}),
	}, options...)...)
	require.NoError(t, err)
	return client
}

// ask carries out a query on a connection that has been used, while the server plays the script.
func (l *lossy) ask(t *testing.T, q query, script ...faultnet.Fault) {
	t.Helper()
	l.server.Client().CloseIdleConnections() // The last script has left broken ones behind.
	l.server.Play(faultnet.OK)
	_, err := l.client.Account.Info(t.Context())
	require.NoError(t, err)
	l.server.Play(script...)
	l.before, l.seen = l.server.Requests(), nil
	client := l.client
	if script[0].Name == faultnet.Silence.Name {
		client = l.hasty
	}
	_, _ = q.call(t.Context(), client, l.sampleAccount) // What the service says is not the matter here.
}

// arrived is the number of requests that the query has brought.
func (l *lossy) arrived() int { return l.server.Requests() - l.before }
