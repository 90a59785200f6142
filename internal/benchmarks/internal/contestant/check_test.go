package contestant_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/record"
)

// decoded is a page of endpoints as it should come out.
func decoded(t *testing.T) (payload.Payload, record.Envelope[[]record.Endpoint]) {
	p := payload.All[slices.IndexFunc(payload.All, func(p payload.Payload) bool { return p.Name == payload.Endpoints })]
	var page record.Envelope[[]record.Endpoint]
	require.NoError(t, json.Unmarshal(p.Body(), &page))
	return p, page
}

// TestCheck_findsMissingValues spoils a good result in one place after the other.
func TestCheck_findsMissingValues(t *testing.T) {
	p, page := decoded(t)
	total := page.Pagination.Total
	require.NoError(t, contestant.Check(p, contestant.Result{Data: &page.Data, Total: total}))

	assert.ErrorContains(t, contestant.Check(p, contestant.Result{Data: &page.Data}), "the total is 0")
	assert.ErrorContains(t, contestant.Check(p, contestant.Result{Data: &page.Data, Total: total, Next: "x"}),
		`the next page is "x"`)
	assert.ErrorContains(t, contestant.Check(p, contestant.Result{Total: total}), "0 items, not 250")
	assert.ErrorContains(t, contestant.Check(p, contestant.Result{Data: page.Data[:249], Total: total}),
		"249 items, not 250")
	for name, spoil := range map[string]func(*record.Endpoint){
		"http_url":      func(e *record.Endpoint) { e.HTTPURL = "[redacted]" },
		"is_multichain": func(e *record.Endpoint) { e.IsMultichain = !e.IsMultichain },
		"label":         func(e *record.Endpoint) { e.Label = new("x") },
		"tags":          func(e *record.Endpoint) { e.Tags = append(e.Tags, record.Tag{ID: 1}) },
	} {
		spoiled := slices.Clone(page.Data)
		spoil(&spoiled[7])
		err := contestant.Check(p, contestant.Result{Data: spoiled, Total: total})
		if assert.ErrorContains(t, err, "endpoints/7/"+name) {
			assert.False(t, strings.Contains(err.Error(), "endpoints/8"))
		}
	}
}
