package acceptance

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestDriftNamesTheMutatedPlace calls every method, except those with a caller's own query, and changes one place of
// the response so that it deviates from the contract. The drift handler must report that place and that kind of
// deviation, and nothing else.
func TestDriftNamesTheMutatedPlace(t *testing.T) {
	f, runs, kinds := startSampleAccount(t), &atomic.Int64{}, map[rpcfleet.DriftKind]*atomic.Int64{}
	for _, kind := range []rpcfleet.DriftKind{
		rpcfleet.DriftUnknownField, rpcfleet.DriftUnknownValue, rpcfleet.DriftUnknownStatus, rpcfleet.DriftMissing,
		rpcfleet.DriftNull, rpcfleet.DriftType, rpcfleet.DriftUnread,
	} {
		kinds[kind] = &atomic.Int64{}
	}
	connections := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
	t.Cleanup(connections.CloseIdleConnections)
	upstream := validated(t, f.Emulator)
	schema := graphSchema(t)
	for _, q := range allQueries() {
		if ownQueries[q.method] {
			continue
		}
		s := &sample{query: q, sampleAccount: f, connections: connections, mutator: mutate(t, upstream), runs: runs}
		var err error
		s.want, err = s.ask(t)
		require.NoError(t, err, q.method)
		t.Run(q.method, func(t *testing.T) {
			t.Parallel()
			for i := range s.mutator.answers {
				s.index, s.response = i, s.mutator.answers[i]
				for j, m := range strayedFrom(t, schema, &s.response) {
					if race.Thin(i, j) {
						continue
					}
					runs.Add(1)
					kinds[m.kind].Add(1)
					s.strays(t, m)
				}
			}
		})
	}
	t.Cleanup(func() {
		assert.GreaterOrEqual(t, runs.Load(), int64(200))
		for kind, n := range kinds {
			assert.NotZero(t, n.Load(), kind)
		}
		t.Logf("%d responses that stray", runs.Load())
	})
}

// strays calls the method with a response that deviates.
func (s *sample) strays(t *testing.T, m straying) {
	t.Helper()
	what := fmt.Sprintf("%s at %q: %.500s", m.kind, m.pointer, m.body)
	s.mutator.say(s.index, mutated{status: m.status, body: m.body})
	var told []string
	client := s.plainClient(t, rpcfleet.WithBaseURL(s.mutator.URL), rpcfleet.WithHeader(mutatedHeader, s.mutator.URL),
		rpcfleet.WithHTTPClient(s.connections),
		rpcfleet.WithDriftHandler(func(_ context.Context, drift rpcfleet.Drift) {
			told = append(told, string(drift.Kind)+" "+drift.Pointer)
			assert.NotEmpty(t, drift.Operation)
			assert.NotEmpty(t, drift.Expected)
			assert.NotEmpty(t, drift.Found)
			assert.Equal(t, m.status, drift.StatusCode)
		}))
	result, err := s.call(call{t.Context(), client, s.sampleAccount})
	slices.Sort(told) // An iteration may report the same page twice.
	require.Equal(t, []string{string(m.kind) + " " + m.pointer}, slices.Compact(told), what)
	if m.kind != rpcfleet.DriftUnread || s.needs(m.pointer, true) != "" {
		return
	}
	if s.response.graph {
		s.unreadIsKept(t, m, result, err)
		return
	}
	require.NoError(t, err, what)
	s.complete(t, what, result)
	_, extras := takeExtras(result)
	var unread []string
	for _, extra := range extras {
		for _, path := range extra.Skipped() {
			assert.True(t, strings.HasSuffix(m.pointer, "/"+path), "%s: %s", what, path)
			unread = append(unread, path)
		}
	}
	switch {
	case len(unread) == 0 && bereft[s.method]:
	case strings.HasPrefix(m.pointer, "/pagination/"): // An unknown total of a page is reported.
	case len(extras) > 0:
		assert.Len(t, unread, 1, "%s: the record says so", what)
	}
}

// bereft contains the writes that recognize their record by a single member. If the response lacks the member, it
// contains no record, and the method returns the values of the request.
var bereft = map[string]bool{"Security.SetIPCustomHeader": true, "Tooling.Disable": true, "Tooling.Enable": true}

// ownQueries are the methods that send queries of the caller's.
var ownQueries = map[string]bool{"Graph.MakeRequest": true, "Graph.QueryConnection": true}

// unreadIsKept checks that the record of a response of the graph area reports the values that were left out of it. A
// page reports an unknown total, and an Ownership reports an unknown count.
func (s *sample) unreadIsKept(t *testing.T, m straying, result any, err error) {
	t.Helper()
	require.NoError(t, err, m.pointer)
	_, extras := takeExtras(result)
	var unread []string
	for _, extra := range extras {
		for _, path := range extra.Skipped() {
			assert.True(t, strings.HasSuffix(m.pointer, "/"+path), "%s: %s", m.pointer, path)
			unread = append(unread, path)
		}
	}
	if !strings.HasSuffix(m.pointer, "/totalCount") && !strings.HasPrefix(s.method, "Graph.Ownership") {
		assert.Len(t, unread, 1, "%s: the record says so", m.pointer)
	}
}
