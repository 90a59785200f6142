package rpcfleet

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

func TestAnErrorListsTheValuesOfAnEnum(t *testing.T) {
	assert.Equal(t, "must be one of the documented values (active, paused)", documented("status", admin.EndpointStatus("asleep")).Rule)
	for _, network := range alerts.AlertNetwork("").Values() {
		assert.Contains(t, documented("network", alerts.AlertNetwork("none")).Rule, string(network))
	}
	var many []string
	for i := range 100 {
		many = append(many, strconv.Itoa(i))
	}
	twenty, _, _ := strings.Cut(documentedValues(many), " and")
	assert.Equal(t, twenty, documentedValues(many[:20]))
	assert.Equal(t, twenty+" and 1 more", documentedValues(many[:21]))
	assert.Equal(t, "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 and 80 more", documentedValues(many))
	assert.Empty(t, documentedValues([]string{}))
}
