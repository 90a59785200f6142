package acceptance

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// faultyAccount is the account that the calls that meet faults need: endpoints with a log.
type faultyAccount struct {
	endpoints []string
	now       time.Time
}

func newFaultyAccount(t *testing.T, e *emulator.Emulator) faultyAccount {
	t.Helper()
	account := faultyAccount{endpoints: e.CreateEndpoints(5), now: time.Now()}
	for i := range 5 {
		at := account.now.Add(time.Duration(i-10) * time.Second)
		_, err := e.AppendLog(account.endpoints[0], emulator.LoggedCall{Method: "eth_call", Timestamp: at})
		require.NoError(t, err)
	}
	return account
}

// faultCall is a call that meets a fault.
type faultCall struct {
	operation string
	writes    bool
	carryOut  func(context.Context, *rpcfleet.Client, faultyAccount) error
}

// faultCalls are a read, writes with and without harm in their repetition, and listings of each kind of paging.
var faultCalls = map[string]faultCall{
	"read": {"getEndpoint", false, func(ctx context.Context, c *rpcfleet.Client, a faultyAccount) error {
		return second(c.Endpoints.Get(ctx, a.endpoints[0]))
	}},
	"create": {"createEndpoint", true, func(ctx context.Context, c *rpcfleet.Client, _ faultyAccount) error {
		return second(c.Endpoints.Create(ctx, admin.CreateEndpointRequest{Chain: "ethereum", Network: "ethereum-mainnet"}))
	}},
	"archive": {"archiveEndpoint", true, func(ctx context.Context, c *rpcfleet.Client, a faultyAccount) error {
		return c.Endpoints.Archive(ctx, a.endpoints[0])
	}},
	"listing by offset": {"listEndpoints", false, func(ctx context.Context, c *rpcfleet.Client, _ faultyAccount) error {
		return count(5, c.Endpoints.All(ctx, admin.ListEndpointsParams{Limit: new(2)}))
	}},
	"listing by cursor": {"listLogs", false, func(ctx context.Context, c *rpcfleet.Client, a faultyAccount) error {
		return count(5, c.Logs.All(ctx, a.endpoints[0], admin.ListLogsParams{
			From: scalar.NewTime(a.now.Add(-time.Hour)), To: scalar.NewTime(a.now), Limit: new(2),
		}))
	}},
	"query": {"graph", false, func(ctx context.Context, c *rpcfleet.Client, _ faultyAccount) error {
		return count(5,
			c.Graph.Collections(graph.ChainEthereum, graph.CollectionsFilterInput{}, rpcfleet.WithPageSize(2)).All(ctx))
	}},
}

// count reads a listing to its end, or to its first error, and finds as many different items as there are.
func count[T any](want int, items iter.Seq2[T, error]) error {
	seen := map[string]bool{}
	n := 0
	for item, err := range items {
		if err != nil {
			return err
		}
		seen[fmt.Sprintf("%+v", item)] = true
		n++
	}
	if n != want || len(seen) != want {
		return fmt.Errorf("%d items, %d of them different", n, len(seen))
	}
	return nil
}
