//go:build race

package scalar_test

// The race detector makes sync.Pool drop things at random.
func init() { raced = true }
