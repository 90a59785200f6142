package scalar

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSealedTextsOpen(t *testing.T) {
	for n := range 600 { // over the ends of words, of the scratch memory, and of a block of the stream
		text := strings.Repeat("x", n)
		assert.True(t, seal([]byte(text)).open() == text, "%d bytes", n)
	}
	text := "any \x00\xff bytes"
	assert.True(t, seal([]byte(text)).open() == text)
}

// TestSealedTextsShareNoStream looks at texts with a beginning in common, as addresses have it: whoever knows it could
// read the rest of all others if they were masked alike.
func TestSealedTextsShareNoStream(t *testing.T) {
	const begin = "https://name.example.com/"
	seen := map[string]bool{}
	for _, rest := range []string{"", "a", "b", "aa", "made-up"} {
		s := string(seal([]byte(begin + rest)))
		require.Len(t, s, tagSize+len(begin+rest))
		assert.False(t, strings.Contains(s, "example"))
		seen[s[tagSize:tagSize+8]] = true
	}
	assert.Len(t, seen, 5)
}

func FuzzSeal(f *testing.F) {
	f.Add([]byte(""), []byte("a"))
	f.Add([]byte("https://name.example.com/made-up"), []byte("https://name.example.com/made-uq"))
	f.Fuzz(func(t *testing.T, one, other []byte) {
		require.True(t, bytes.Equal(one, []byte(seal(one).open())))
		require.Equal(t, bytes.Equal(one, other), seal(one) == seal(other))
		require.True(t, seal(one) == seal(bytes.Clone(one)))
	})
}

// TestTheStreamIsNoConstant seals zeros, which show the stream itself.
func TestTheStreamIsNoConstant(t *testing.T) {
	assert.NotEqual(t, [32 - tagSize]byte{}, key)
	stream := seal(make([]byte, 7))[tagSize:]
	assert.NotEqual(t, strings.Repeat(string(stream[:1]), 7), string(stream))
}
