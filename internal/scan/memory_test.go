package scan

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestArena_shortStringsShareAllocations counts the allocations for strings of a length.
func TestArena_shortStringsShareAllocations(t *testing.T) {
	const count = 96
	for length, want := range map[int]float64{
		1: 1, blockSize / 6: 16, blockSize / 2: 48, blockSize/2 + 1: count,
	} {
		content := []byte(strings.Repeat("x", length))
		assert.Equal(t, want, testing.AllocsPerRun(10, func() {
			var b arena
			for range count {
				b.text(content)
			}
		}), "%d bytes", length)
	}
}

// TestArena_boundsBatch looks at the memory that strings share: at most a batch.
func TestArena_boundsBatch(t *testing.T) {
	var b arena
	together, before := 0, uintptr(0)
	for range 1000 {
		at := uintptr(unsafe.Pointer(unsafe.StringData(b.text([]byte("seven b")))))
		if at != before+7 {
			together = 0
		}
		together, before = together+7, at
		assert.LessOrEqual(t, together, blockSize)
	}
}

// TestRelease_boundsKeptMemory looks at the memory that a Scanner keeps for the next text: some room, and nothing of
// this one.
func TestRelease_boundsKeptMemory(t *testing.T) {
	for length, kept := range map[int]bool{10: true, 4 << 10: true, 4<<10 + 1: false} {
		s := New([]byte(`["short","` + strings.Repeat("x", length-4) + `\n"]`)) // length bytes with its quotes
		s.text = make([]byte, 0, length)
		s.Array()
		require.True(t, s.Element())
		require.Equal(t, "short", s.Text())
		require.True(t, s.Element())
		require.Len(t, s.Text(), length-3)
		require.NotEqual(t, [internSize]string{}, s.interned)
		s.Release()
		assert.Equal(t, kept, cap(s.text) == length, "%d bytes", length)
		assert.Empty(t, s.text)
		assert.Equal(t, Scanner{text: s.text}, *s)
	}
}
