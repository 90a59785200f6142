//go:build !race

package transport

// overwritten is set in the builds of the race detector.
const overwritten = false
