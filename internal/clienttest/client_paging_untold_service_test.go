package clienttest

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// untold is a service that lists things without a total, in one of the ways that it may go by limit and offset.
type untold struct {
	n                        int
	largest                  int // 0 for no limit of its own.
	noLimit, noOffset, wraps bool
	// clamps moves an offset back so that the last page is full, as some services do.
	clamps bool
}

// ServeHTTP responds with a page.
func (u untold) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(r.URL.Query().Get(name)); err == nil {
			return n
		}
		return otherwise
	}
	limit, offset := number("limit", 20), number("offset", 0)
	if u.largest > 0 {
		limit = min(limit, u.largest)
	}
	if u.noLimit {
		limit = u.n
	}
	if u.noOffset {
		offset = 0
	}
	if u.clamps {
		offset = min(offset, max(u.n-limit, 0))
	}
	says(200, things(u.wraps, offset, min(offset+limit, u.n)))(w, r)
}

// things is a list of those numbered from first up to end.
func things(wrapped bool, first, end int) string {
	var items []string
	for i := first; i < end; i++ {
		items = append(items, fmt.Sprintf(`{"id":"t%d"}`, i))
	}
	list := "[" + strings.Join(items, ",") + "]"
	if wrapped {
		return `{"data":` + list + `}`
	}
	return list
}

func named(first, end int) []string {
	var ids []string
	for i := first; i < end; i++ {
		ids = append(ids, fmt.Sprintf("t%d", i))
	}
	return ids
}

// listing iterates over one of the three listings, from an offset on where it is not negative.
type listing func(ctx context.Context, c *rpcfleet.Client, offset int, opts ...rpcfleet.CallOption) iter.Seq2[string, error]

// identified turns an iteration over things into one over their ids.
func identified[T any](all iter.Seq2[T, error], id func(T) string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for item, err := range all {
			if !yield(id(item), err) {
				return
			}
		}
	}
}

func given(offset int) *int {
	if offset < 0 {
		return nil
	}
	return &offset
}

// listings are all listings without a total.
var listings = map[string]listing{
	"destinations": func(ctx context.Context, c *rpcfleet.Client, offset int, opts ...rpcfleet.CallOption) iter.Seq2[string, error] {
		return identified(c.Destinations.All(ctx, alerts.ListDestinationsParams{Offset: given(offset)}, opts...),
			func(d alerts.Destination) string { return d.ID })
	},
	"notifications": func(ctx context.Context, c *rpcfleet.Client, offset int, opts ...rpcfleet.CallOption) iter.Seq2[string, error] {
		return identified(c.Notifications.All(ctx, alerts.ListNotificationsParams{Offset: given(offset)}, opts...),
			func(n alerts.Notification) string { return n.ID })
	},
	"events": func(ctx context.Context, c *rpcfleet.Client, offset int, opts ...rpcfleet.CallOption) iter.Seq2[string, error] {
		return identified(c.Notifications.AllEvents(ctx, "n1", alerts.ListNotificationEventsParams{Offset: given(offset)}, opts...),
			func(e alerts.NotificationEvent) string { return e.ID })
	},
}

// gather runs an iteration to its end.
func gather(t *testing.T, all iter.Seq2[string, error]) (ids []string, failure error) {
	t.Helper()
	for id, err := range all {
		require.NoError(t, failure, "nothing comes after an error")
		if err != nil {
			failure = err
			continue
		}
		ids = append(ids, id)
	}
	return ids, failure
}
