package clienttest

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

func TestFollowDefaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		require.Zero(t, began.Nanosecond())
		client, server := clocked(t, nothingNew, says(503, "x"))
		_, ended := follow(t.Context(), t, client, began.Add(-time.Hour), rpcfleet.FollowOptions{MaxInterval: 2 * time.Second})
		require.ErrorIs(t, ended, rpcfleet.ErrServer)
		requests := server.Requests()
		require.Len(t, requests, 1+10, "MaxFailures")
		for _, gap := range server.Gaps() {
			assert.GreaterOrEqual(t, gap, time.Second, "MinInterval")
			assert.LessOrEqual(t, gap, 2*time.Second, "MinInterval")
		}
		query := mustParse(t, "/?"+requests[1].Query).Query()
		assert.Equal(t, began.Add(-30*time.Second).UTC().Format(time.RFC3339Nano), query.Get("from"), "LateWindow")
		assert.Equal(t, "100", query.Get("limit"), "PageLimit")
		assert.False(t, query.Has("include_details"))
	})
}

func TestFollowOptionsAreChecked(t *testing.T) {
	checkpoint := someCheckpoint(t)
	for _, test := range []struct {
		field   string
		value   any
		options rpcfleet.FollowOptions
	}{
		{"MinInterval", time.Duration(-1), rpcfleet.FollowOptions{MinInterval: -1}},
		{"MaxInterval", time.Duration(-1), rpcfleet.FollowOptions{MaxInterval: -1}},
		{"MaxInterval", time.Duration(1), rpcfleet.FollowOptions{MinInterval: 2, MaxInterval: 1}},
		{"LateWindow", time.Duration(-1), rpcfleet.FollowOptions{LateWindow: -1}},
		{"PageLimit", -1, rpcfleet.FollowOptions{PageLimit: -1}},
		{"MaxFailures", -1, rpcfleet.FollowOptions{MaxFailures: -1}},
		{"Parallel", -1, rpcfleet.FollowOptions{Parallel: -1}},
		{"MaxRemembered", -1, rpcfleet.FollowOptions{MaxRemembered: -1}},
	} {
		client, server := scripted(t, nothingNew)
		test.options.Checkpoint = checkpoint
		_, ended := follow(t.Context(), t, client, logStart, test.options)
		rule := "must not be negative"
		if test.value == time.Duration(1) {
			rule = "must not be below MinInterval"
		}
		var broken *rpcfleet.ValidationError
		require.ErrorAs(t, ended, &broken)
		assert.Equal(t, rpcfleet.ValidationError{Operation: "listLogs", Field: test.field, Rule: rule, Value: test.value}, *broken)
		assert.Equal(t, checkpoint.String(), ended.Checkpoint.String(), "where to go on is where it would have begun")
		assert.Equal(t, logStart, ended.From)
		assert.Empty(t, server.Requests())
	}
}

func TestFollowTakesTheLeastOfAllOptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := clocked(t, nothingNew, nothingNew, nothingNew, says(404, "{}"))
		_, ended := follow(t.Context(), t, client, time.Now().Add(-time.Hour), rpcfleet.FollowOptions{
			MinInterval: 1, MaxInterval: 1, LateWindow: 1, PageLimit: 1, MaxFailures: 1, Parallel: 1, MaxRemembered: 1,
		})
		require.ErrorIs(t, ended, rpcfleet.ErrNotFound)
		assert.Len(t, server.Requests(), 4)
	})
}

func TestFollowArgumentsAreChecked(t *testing.T) {
	client, server := scripted(t, nothingNew)
	const years = "must be in the years 1 to 9999"
	for field, test := range map[string]struct {
		ids   []string
		from  time.Time
		ctx   context.Context
		rule  string
		value any
	}{
		"ids":     {nil, logStart, t.Context(), "must have at least one item", nil},
		"ids[0]":  {[]string{""}, logStart, t.Context(), "must not be empty", nil},
		"ids[1]":  {[]string{"ep1", ".."}, logStart, t.Context(), "must", nil},
		"ids[2]":  {[]string{"ep1", "ep2", "ep1"}, logStart, t.Context(), "must not be there twice", "ep1"},
		"From":    {[]string{"ep1"}, time.Time{}, t.Context(), "is required", nil},
		"From ":   {[]string{"ep1"}, time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC), t.Context(), years, 10_000},
		"From  ":  {[]string{"ep1"}, time.Date(9999, 12, 31, 23, 0, 0, 0, time.FixedZone("", -3600)), t.Context(), years, 10_000},
		"From   ": {[]string{"ep1"}, time.Date(0, 12, 31, 23, 59, 59, 0, time.UTC), t.Context(), years, 0},
		"context": {[]string{"ep1"}, logStart, nil, "must not be nil", nil},
	} {
		delivered := 0
		for _, err := range client.Logs.Follow(test.ctx, test.ids, rpcfleet.FollowOptions{From: test.from}) {
			var broken *rpcfleet.ValidationError
			require.ErrorAs(t, err, &broken)
			assert.Equal(t, strings.TrimSpace(field), broken.Field)
			assert.Contains(t, broken.Rule, test.rule)
			if test.value != nil {
				assert.Equal(t, test.value, broken.Value)
			}
			assert.Equal(t, "listLogs", broken.Operation)
			delivered++
		}
		assert.Equal(t, 1, delivered)
	}
	for _, err := range client.Logs.Follow(t.Context(), []string{"ep1"}, rpcfleet.FollowOptions{From: logStart}, rpcfleet.WithPageSize(0)) {
		var broken *rpcfleet.ValidationError
		require.ErrorAs(t, err, &broken)
		assert.Equal(t, "page size", broken.Field)
		assert.NotContains(t, err.Error(), "ep1", "it is not one endpoint's failure")
	}
	assert.Empty(t, server.Requests())
}

// TestFollowTakesItsArgumentsAtOnce, whatever becomes of them before the loop.
func TestFollowTakesItsArgumentsAtOnce(t *testing.T) {
	client, server := scripted(t, says(404, "{}"))
	ids := []string{"ep1"}
	entries := client.Logs.Follow(t.Context(), ids, rpcfleet.FollowOptions{From: logStart})
	ids[0] = "ep2"
	for _, err := range entries {
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	}
	assert.Contains(t, server.Requests()[0].Path, "ep1")
}

// TestFollowGoesOnFromTheEarliest of the places of several logs, where the checkpoint is not to be had.
func TestFollowGoesOnFromTheEarliest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := time.Now().Add(-time.Hour)
		stuck := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		ids := []string{"ep1", "ep2", "ep3"}
		client := piped(t, logsOf{"ep1": nothingNew, "ep2": stuck, "ep3": nothingNew}, rpcfleet.WithTimeout(0))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var ended *rpcfleet.FollowError
		for _, err := range client.Logs.Follow(ctx, slices.Clone(ids), rpcfleet.FollowOptions{From: from}) {
			require.ErrorAs(t, err, &ended)
		}
		assert.Equal(t, from.UTC(), ended.From)
	})
}
