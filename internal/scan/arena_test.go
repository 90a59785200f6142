package scan

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// TestShortStringsShareAllocations counts the allocations for strings of a length, with and without separate variables.
func TestShortStringsShareAllocations(t *testing.T) {
	const count = 96
	var kept *string
	for length, want := range map[int][2]float64{
		1:               {1, 1 + 16},
		blockSize / 6:   {16, 16 + 16},
		blockSize / 2:   {48, 48 + 16},
		blockSize/2 + 1: {count, count + count},
	} {
		content := []byte(strings.Repeat("x", length))
		assert.Equal(t, want[0], testing.AllocsPerRun(10, func() {
			var b arena
			for range count {
				b.text(content)
			}
		}), "%d bytes", length)
		assert.Equal(t, want[1], testing.AllocsPerRun(10, func() {
			var b arena
			for range count {
				kept = b.variable(b.text(content))
			}
		}), "%d bytes, with variables", length)
	}
	runtime.KeepAlive(&kept)
}

// TestStringsStayAsTheyAre reads strings of many lengths, and changes variables.
func TestStringsStayAsTheyAre(t *testing.T) {
	var b arena
	var variables []*string
	content := []byte(strings.Repeat("0123456789", 10))
	for length := range content {
		variables = append(variables, b.variable(b.text(content[:length])))
	}
	want := string(content)
	clear(content)
	for length, v := range variables {
		assert.Equal(t, want[:length], *v)
		*v = "changed"
	}
	for _, v := range variables {
		assert.Equal(t, "changed", *v)
	}
}

// TestAStringKeepsLittleAlive looks at the memory that strings share: at most a batch.
func TestAStringKeepsLittleAlive(t *testing.T) {
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
