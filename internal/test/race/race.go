// Package race reports whether the race detector is on, so that tests that cannot find races are skipped.
package race

// Skip skips a test without concurrency if the race detector is on: it finds no races and takes ten times as long.
func Skip(t interface {
	Helper()
	Skip(args ...any)
}) {
	t.Helper()
	if Enabled {
		t.Skip("nothing runs side by side here: it is tested without the race detector")
	}
}

// Thin reports whether to skip the pair of row i and column j of a large table. If the race detector is on, four of
// five pairs are skipped, with each row and column still present. Otherwise no pair is skipped.
func Thin(i, j int) bool { return Enabled && (i+j)%5 != 0 }
