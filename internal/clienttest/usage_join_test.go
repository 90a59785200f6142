package clienttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

func TestUsageByIDGuessesNothing(t *testing.T) {
	item := func(name string, credits int64) admin.EndpointUsage {
		return admin.EndpointUsage{Name: &name, CreditsUsed: &credits}
	}
	report := &admin.UsageByEndpoint{Endpoints: []admin.EndpointUsage{
		item("calm-sun", 1), item("twice", 2), item("gone", 3), item("", 4), {}, item("calm-sun", 5),
	}}
	byID, others := rpcfleet.UsageByID(report, []admin.Endpoint{
		{ID: "1", Name: "calm-sun"}, {ID: "2", Name: "twice"}, {ID: "3", Name: "twice"}, {ID: "4", Name: "twice"}, {ID: "5"},
		{ID: "1", Name: "calm-sun"}, {ID: "6", Name: "idle"},
	})
	assert.Equal(t, map[string][]admin.EndpointUsage{"1": {report.Endpoints[0], report.Endpoints[5]}}, byID)
	assert.Equal(t, report.Endpoints[1:5], others)

	byID, others = rpcfleet.UsageByID(&admin.UsageByEndpoint{}, nil)
	assert.Empty(t, byID)
	assert.Empty(t, others)
}
