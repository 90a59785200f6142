package transport

import (
	"maps"
	"slices"
)

// NetHTTPTexts returns the texts of net/http's errors that the package knows.
func NetHTTPTexts() []string { return slices.Collect(maps.Keys(netHTTPErrors)) }
