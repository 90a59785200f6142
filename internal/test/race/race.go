// Package race reports whether the race detector is on. What runs in one goroutine, or in other programs,
// takes ten times as long then and teaches nothing: such tests are left to the run without the detector, which comes
// first in .ci/run. The many pairs of a table that is about goroutines are thinned out, so that each row and each column
// is still there.
package race

// Skip skips a test that has no race in it where the race detector is on.
func Skip(t interface {
	Helper()
	Skip(args ...any)
}) {
	t.Helper()
	if Enabled {
		t.Skip("nothing runs side by side here: it is tested without the race detector")
	}
}

// Thin reports whether a pair of a table, of row i and column j, is left out: four of five are where the race detector
// is on, and none otherwise.
func Thin(i, j int) bool { return Enabled && (i+j)%5 != 0 }
