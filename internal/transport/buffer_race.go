//go:build race

package transport

// overwritten is set where the bodies that are released are overwritten at once: whatever still points into one shows
// it. The race detector's builds are those of tests.
const overwritten = true
