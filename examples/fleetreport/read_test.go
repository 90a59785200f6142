package main

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func TestReadAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := seeded(t)
		require.Len(t, r.Endpoints, 16)
		assert.Equal(t, 7*24*time.Hour, r.To.Sub(r.From))

		e := labeled(t, r, "checkout")
		assert.Equal(t, []string{"tokens", "ips"}, e.Protection.On)
		assert.Equal(t, []string{"referrers", "jwts", "domainMasks", "hsts", "cors", "requestFilters"}, e.Protection.Off)
		assert.Equal(t, []entries{{"tokens", 1}, {"jwts", 0}, {"ips", 2}, {"referrers", 0}, {"domainMasks", 0}, {"requestFilters", 0}}, e.Protection.Entries)
		assert.Equal(t, "50", e.Limits.RPS.String())
		assert.Equal(t, "25000", e.Limits.RPM.String())
		assert.Equal(t, "unlimited", e.Limits.RPD.String())
		assert.Equal(t, 1, e.Limits.Methods)
		assert.ElementsMatch(t, []string{"shop", "production"}, e.Tags)
		assert.Equal(t, int64(603_200), e.Requests)
		assert.Equal(t, e.Requests*20, e.Credits)
		assert.Equal(t, traffic{603_200, 200}, e.Measured)

		assert.Equal(t, 1, labeled(t, r, "indexer of everything that ever happened").Protection.Entries[5].Count)
		bridge := labeled(t, r, "bridge")
		assert.Equal(t, "solana solana-mainnet", bridge.Chain+" "+bridge.Network)
		assert.True(t, bridge.Dedicated)
		assert.True(t, bridge.Multichain)
		assert.Equal(t, traffic{}, labeled(t, r, "left over").Measured)

		total := int64(0)
		for _, e := range r.Endpoints {
			total += e.Credits
		}
		assert.Equal(t, total, r.Credits.Total)
		assert.Zero(t, r.Credits.Unlisted)
		assert.Equal(t, share{"ethereum", 42_551_500}, r.Credits.ByChain[0])
		assert.Equal(t, share{"(no tag)", 375_200}, r.Credits.ByTag[len(r.Credits.ByTag)-1])
		require.Len(t, r.Errors, 7)
		assert.Equal(t, time.Now().UTC().Truncate(24*time.Hour), r.Errors[6].Time)
	})
}

func TestAnEndpointThatIsArchivedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, operation := range []string{"getEndpoint", "listMethodRateLimits", "getEndpointMetrics"} {
			e := emulator.New()
			defer e.Close()
			require.NoError(t, seed(e))
			fault := emulator.Fault{Operation: operation, Params: map[string]string{"id": "1003"}, Status: http.StatusNotFound}
			_, err := e.Inject(fault)
			require.NoError(t, err)
			r, err := readerOf(t, e, 4, nil).read(t.Context(), time.Now())
			require.NoError(t, err)
			assert.Len(t, r.Endpoints, 15, operation)

			e.RemoveFaults()
			fault.Status = http.StatusForbidden
			_, err = e.Inject(fault)
			require.NoError(t, err)
			_, err = readerOf(t, e, 4, nil).read(t.Context(), time.Now())
			assert.ErrorIs(t, err, rpcfleet.ErrForbidden, operation)
		}
	})
}

func TestCreditsOfEndpointsThatAreNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(12 * time.Hour)
		e := emulator.New()
		defer e.Close()
		require.NoError(t, seed(e))
		reader := readerOf(t, e, 4, nil)
		require.NoError(t, reader.client.Endpoints.Archive(t.Context(), "1003"))
		r, err := reader.read(t.Context(), time.Now())
		require.NoError(t, err)
		assert.Equal(t, int64(12_064_000), r.Credits.Unlisted)
		last := findings(r, 5)
		assert.Equal(t, "12,064,000 credits are of endpoints that are no more", last[len(last)-1].Which())
		assert.Contains(t, byEndpoint(r), share{"(not listed any more)", 12_064_000})
	})
}
