package scan

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestKeep_boundsBatch looks at the memory that strings share: at most a batch.
func TestKeep_boundsBatch(t *testing.T) {
	s := &Scanner{}
	together, before := 0, uintptr(0)
	for range 1000 {
		at := uintptr(unsafe.Pointer(unsafe.StringData(s.Keep([]byte("seven b")))))
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
		s.Open('[')
		require.True(t, s.Next(']'))
		require.Equal(t, "short", s.Keep(s.Spelled()))
		require.True(t, s.Next(']'))
		require.Len(t, s.Keep(s.Spelled()), length-3)
		require.NotEqual(t, [internSize]string{}, s.interned)
		s.Release()
		assert.Equal(t, kept, cap(s.text) == length, "%d bytes", length)
		assert.Empty(t, s.text)
		assert.Equal(t, Scanner{text: s.text}, *s)
	}
}
