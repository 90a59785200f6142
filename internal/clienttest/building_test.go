package clienttest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// TestKindsOfErrors classifies errors, and reports the errors that a later call may not meet again.
func TestKindsOfErrors(t *testing.T) {
	for _, row := range []struct {
		err       error
		kind      rpcfleet.ErrorKind
		retryable bool
	}{
		{nil, rpcfleet.KindOK, false},
		{errors.New("other"), rpcfleet.KindOther, false},
		{&rpcfleet.Error{StatusCode: 429}, rpcfleet.KindRateLimited, true},
		{&rpcfleet.Error{StatusCode: 503}, rpcfleet.KindServer, true},
		{&rpcfleet.Error{StatusCode: 503, OutcomeUnknown: true}, rpcfleet.KindServer, false},
		{&rpcfleet.Error{StatusCode: 404}, rpcfleet.KindNotFound, false},
		{&rpcfleet.DecodeError{NoRecord: true}, rpcfleet.KindDecode, false},
		{&rpcfleet.ValidationError{}, rpcfleet.KindInvalidRequest, false},
	} {
		assert.Equal(t, row.kind, rpcfleet.KindOf(row.err), "%v", row.err)
		assert.Equal(t, row.retryable, rpcfleet.IsRetryable(row.err), "%v", row.err)
	}
	assert.Equal(t, "r1", rpcfleet.RequestID(&rpcfleet.Error{RequestID: "r1"}))
	assert.Equal(t, "r2", rpcfleet.RequestID(&rpcfleet.DecodeError{RequestID: "r2"}))
	assert.Empty(t, rpcfleet.RequestID(errors.New("other")))
	require.ErrorIs(t, &rpcfleet.Error{OutcomeUnknown: true}, rpcfleet.ErrOutcomeUnknown)
	require.ErrorIs(t, &rpcfleet.DecodeError{NoRecord: true}, rpcfleet.ErrNoRecord)
}

// TestErrorTexts_haveNoHoles prints a status without a text, and names the options that set the key.
func TestErrorTexts_haveNoHoles(t *testing.T) {
	assert.EqualError(t, &rpcfleet.Error{Operation: "a", Method: "GET", Path: "/a", StatusCode: 599},
		"rpcfleet: a: 599 (GET /a)")
	assert.ErrorContains(t, &rpcfleet.Error{StatusCode: 401}, "WithAPIKey or RPCFLEET_API_KEY")
}

// TestLookups_canBeMade by a test, with ids or without.
func TestLookups_canBeMade(t *testing.T) {
	byHand := rpcfleet.Lookup[admin.Tag]{Records: []admin.Tag{{Label: "a"}}}
	assert.Equal(t, rpcfleet.LookupFound, byHand.Outcome())
	assert.Empty(t, byHand.IDs())
	assert.Len(t, byHand.Exclude("1").Records, 1)
	made := rpcfleet.NewLookup([]admin.Tag{{Label: "a"}, {Label: "b"}}, func(tag *admin.Tag) string { return tag.Label })
	assert.Equal(t, []string{"a", "b"}, made.IDs())
	assert.Equal(t, rpcfleet.LookupFound, made.Exclude("a").Outcome())
}

// TestConnections_canBeMade by a test.
func TestConnections_canBeMade(t *testing.T) {
	connection := rpcfleet.NewConnection(
		&rpcfleet.CursorPage[int]{Items: []int{1, 2}, NextCursor: "x"}, &rpcfleet.CursorPage[int]{Items: []int{3}},
	)
	var items []int
	for item, err := range connection.All(t.Context()) {
		require.NoError(t, err)
		items = append(items, item)
	}
	assert.Equal(t, []int{1, 2, 3}, items)
	page, err := connection.After("x").Page(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []int{3}, page.Items)
}

// TestBaseURLs_refusedWithVersion: the paths of operations begin with it.
func TestBaseURLs_refusedWithVersion(t *testing.T) {
	_, err := rpcfleet.New(rpcfleet.WithBaseURL("https://api.example.com/v0/"), rpcfleet.WithAPIKey(testKey))
	require.ErrorContains(t, err, "must not end with /v0")
	_, err = rpcfleet.New(rpcfleet.WithQuickNode(), rpcfleet.WithAPIKey(testKey))
	require.NoError(t, err)
}

// TestUsage_groupedWithoutReport groups nothing.
func TestUsage_groupedWithoutReport(t *testing.T) {
	byID, others := rpcfleet.GroupUsageByEndpointID(nil, nil)
	assert.Empty(t, byID)
	assert.Empty(t, others)
}
