package scan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRelease_boundsKeptMemory looks at the memory that a Scanner keeps for the next text: some room, and nothing of
// this one.
func TestRelease_boundsKeptMemory(t *testing.T) {
	for length, kept := range map[int]bool{10: true, 4 << 10: true, 4<<10 + 1: false} {
		s := New([]byte(`["short","` + strings.Repeat("x", length-1) + `\n"]`))
		s.text = make([]byte, 0, length)
		s.Array()
		require.True(t, s.Element())
		require.Equal(t, "short", s.Text())
		require.True(t, s.Element())
		require.Len(t, s.Text(), length)
		interned := s.interned
		require.NotEqual(t, [internSize]string{}, *interned)
		s.Release()
		assert.Equal(t, kept, cap(s.text) == length, "%d bytes", length)
		assert.Empty(t, s.text)
		assert.Same(t, interned, s.interned)
		assert.Equal(t, [internSize]string{}, *interned)
		assert.Equal(t, Scanner{text: s.text, interned: interned}, *s)
	}
}

// TestInt_doesNotAllocate reads integers from the text, without a copy.
func TestInt_doesNotAllocate(t *testing.T) {
	data := []byte("-123456789012345678")
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		s := Scanner{data: data}
		s.Int()
	}))
}
