// Package race reports whether the race detector is on. Tests with a single goroutine, or of other programs, find no
// races and take ten times as long with it: they run without the detector only. Large tables about goroutines are
// thinned out, with each row and column still present.
package race

// Skip skips a test without concurrency if the race detector is on.
func Skip(t interface {
	Helper()
	Skip(args ...any)
}) {
	t.Helper()
	if Enabled {
		t.Skip("nothing runs side by side here: it is tested without the race detector")
	}
}

// Thin reports whether to leave out the pair of row i and column j: four of five pairs if the race detector is on, and
// none otherwise.
func Thin(i, j int) bool { return Enabled && (i+j)%5 != 0 }
