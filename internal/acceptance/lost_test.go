package acceptance

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/faultnet"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestOperations_lostResponseRepeatsOnlyIdempotent calls every method against a server that loses its responses, in
// each way that the protocol allows, on a connection that has been used. If an operation is not idempotent, it arrives
// once, and the client counts as many attempts as the server.
func TestOperations_lostResponseRepeatsOnlyIdempotent(t *testing.T) {
	f := startSampleAccount(t)
	for _, protocol := range []faultnet.Protocol{faultnet.HTTP1, faultnet.HTTP2} {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			l := newLossy(t, f, faultnet.Serve(t, protocol, faultnet.OK))
			for row, fault := range faultnet.Lost(protocol) {
				if fault.Name != faultnet.Silence.Name {
					l.loses(t, row, fault)
				}
			}
		})
		t.Run(string(protocol)+" in silence", func(t *testing.T) { // In time that passes when nothing moves any more.
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				newLossy(t, f, faultnet.ServePiped(t, protocol, faultnet.OK)).loses(t, 0, faultnet.Silence)
			})
		})
	}
}

// loses calls every method while responses get lost.
func (l *lossy) loses(t *testing.T, row int, fault faultnet.Fault) {
	t.Helper()
	for i, q := range allQueries() {
		if race.Thin(i, row) {
			continue
		}
		l.ask(t, q, fault)
		attempts := 0
		for _, seen := range l.seen {
			attempts += seen.attempts
			if !seen.op.Idempotent {
				assert.Equal(t, 1, seen.attempts, "%s, %s, %s", q.method, seen.op.ID, fault.Name)
			}
		}
		assert.Positive(t, attempts, q.method)
		assert.Equal(t, l.arrived(), attempts, "%s, %s", q.method, fault.Name)
	}
}

// TestOperations_unprocessedRequestIsRepeated checks that the operation is executed after all, without any retries of
// the policy.
func TestOperations_unprocessedRequestIsRepeated(t *testing.T) {
	f := startSampleAccount(t)
	l := newLossy(t, f, faultnet.Serve(t, faultnet.HTTP2, faultnet.OK))
	for row, fault := range faultnet.Unprocessed {
		for i, q := range allQueries() {
			if race.Thin(i, row) {
				continue
			}
			l.ask(t, q, fault, faultnet.OK)
			require.NotEmpty(t, l.seen, q.method)
			assert.Equal(t, 2, l.seen[0].attempts, "%s, %s", q.method, fault.Name)
			assert.Equal(t, 200, l.seen[0].status, "%s, %s", q.method, fault.Name)
		}
	}
}

// lossy is a client of a server that loses responses, and the events that its observer got.
type lossy struct {
	sampleAccount *sampleAccount
	server        *faultnet.Server
	client        *rpcfleet.Client
	before        int
	seen          []outcome
}

type outcome struct {
	op               rpcfleet.Operation
	attempts, status int
}

func newLossy(t *testing.T, f *sampleAccount, server *faultnet.Server) *lossy {
	t.Helper()
	l := &lossy{sampleAccount: f, server: server}
	l.client = must(rpcfleet.New(
		rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey("made-up-key-0001"), rpcfleet.WithHTTPClient(server.Client()),
		rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 2, Budget: -1}),
		rpcfleet.WithCallHook(func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
			return ctx, func(o rpcfleet.CallResult) {
				l.seen = append(l.seen, outcome{op, o.Response.Attempts, o.Response.StatusCode})
			}
		}),
	))(t)
	return l
}

// ask executes a query on a connection that has been used, while the server plays the script.
func (l *lossy) ask(t *testing.T, q query, script ...faultnet.Fault) {
	t.Helper()
	l.client.CloseIdleConnections() // The last script has left broken ones behind.
	l.server.Play(faultnet.OK)
	require.NoError(t, second(l.client.Account.Info(t.Context())))
	l.server.Play(script...)
	l.before, l.seen = l.server.Requests(), nil
	_, _ = q.run(t.Context(), l.client, l.sampleAccount) // The response of the service does not matter here.
}

// arrived is the number of requests that the query has brought.
func (l *lossy) arrived() int { return l.server.Requests() - l.before }
