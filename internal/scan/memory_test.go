package scan

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestArena_shortStringsShareAllocations counts the allocations for strings of a length, with and without separate
// variables.
func TestArena_shortStringsShareAllocations(t *testing.T) {
	const count = 96
	var kept *string
	for length, want := range map[int][2]float64{
		1:               {1, 1 + 16},
		blockSize / 6:   {16, 16 + 16},
		blockSize / 2:   {48, 48 + 16},
		blockSize/2 + 1: {count, count + count},
	} {
		content := []byte(strings.Repeat("x", length))
		quoted := []byte(`"` + string(content) + `"`)
		assert.Equal(t, want[0], testing.AllocsPerRun(10, func() {
			var b arena
			for range count {
				b.text(content)
			}
		}), "%d bytes", length)
		assert.Equal(t, want[1], testing.AllocsPerRun(10, func() {
			s := Scanner{Data: quoted}
			for range count {
				s.at = 0
				kept = s.NewText()
			}
		}), "%d bytes, with variables", length)
	}
	runtime.KeepAlive(&kept)
}

// TestArena_stringsAreStable reads strings of many lengths, and changes variables.
func TestArena_stringsAreStable(t *testing.T) {
	content := []byte(strings.Repeat("0123456789", 10))
	var s Scanner
	var variables []*string
	for length := range content {
		s.Data, s.at = []byte(`"`+string(content[:length])+`"`), 0
		variables = append(variables, s.NewText())
		clear(s.Data)
	}
	for length, v := range variables {
		assert.Equal(t, string(content[:length]), *v)
		*v = "changed"
	}
	for _, v := range variables {
		assert.Equal(t, "changed", *v)
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
