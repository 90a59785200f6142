package transport

import (
	"maps"
	"slices"
)

// NetHTTPTexts returns the texts of net/http's errors that the package knows.
func NetHTTPTexts() []string { return slices.Collect(maps.Keys(netHTTPErrors)) }

// Connections returns the number of connections that a transport knows.
func Connections(t *Transport) int {
	t.pool.mu.Lock()
	defer t.pool.mu.Unlock()
	return len(t.pool.conns)
}

// ReachOf reports whether an error of a connection shows that no request was sent, or that it was not processed.
func ReachOf(err error) (notSent, notProcessed bool) {
	return reachOf(err) == unsent, reachOf(err) == unprocessed
}
