package main

import (
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// What identifies entries that have no name: what they say, whatever the order.

func methodKey(methods []string) string {
	return strings.Join(slices.Sorted(slices.Values(methods)), ",")
}

func limitKey(interval admin.RateLimitInterval, methods []string) string {
	return string(interval) + " " + methodKey(methods)
}

func (j *jwt) key() string { return j.Name + "\n" + j.Kid + "\n" + j.PublicKey }

// sameNetwork reports whether two spellings name one network: it is written with the chain before it or without.
func sameNetwork(chain, a, b string) bool {
	return a == b || chain+"-"+a == b || a == chain+"-"+b
}
