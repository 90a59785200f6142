package transport

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// bodyOf follows a body in pieces of up to so many bytes, and returns what is handed over until it ends, if it does.
func bodyOf(t *testing.T, f form, data string, size int) (body string, ends bool) {
	for from := 0; from < len(data) && !ends; body = data[:from] {
		assert.LessOrEqual(t, f.sure(), int64(len(data)-from))
		var n int
		n, ends = f.next([]byte(data[from:min(from+size, len(data))]))
		from += n
	}
	return body, ends
}

// TestFormsOfBodies finds the end of a body, whatever the pieces are in which it comes.
func TestFormsOfBodies(t *testing.T) {
	length := func(n int64) (f form) { f.count(n); return f }
	var chunked form
	chunked.chunks()
	long := strings.Repeat("\n", 0xFa)
	for name, test := range map[string]struct {
		form form
		body string
	}{
		"of a length":          {length(7), "1234567"},
		"of a byte":            {length(1), "\n"},
		"chunks":               {chunked, "2\r\n{}\r\na\r\n0123456789\r\n0\r\n\r\n"},
		"with extensions":      {chunked, "2;ff=\"ff\"\r\n{}\r\n1 ff\r\nx\r\n0;a\r\n\r\n"},
		"with zeros before":    {chunked, "0002\r\n{}\r\n000\r\n\r\n"},
		"of two digits":        {chunked, "fA\r\n" + long + "\r\nFa\r\n" + long + "\r\n0\r\n\r\n"},
		"of chunks like sizes": {chunked, "4\r\n0\r\n\r\r\n0\r\n\r\n"},
		"without \\r":          {chunked, "2\n{}\r\n0\n\n"},
		"of a line break":      {chunked, "1\r\n\n\r\n0\r\n\r\n"},
		"with trailers":        {chunked, "1\r\nx\r\n0\r\nA: b\r\n c\r\n\rD: \r\r\n\r\n"},
		"of no chunk":          {chunked, "0\r\n\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			for size := 1; size <= len(test.body)+4; size++ {
				got, ends := bodyOf(t, test.form, test.body+"rest\r\n\r\n", size)
				assert.Equal(t, test.body, got, "in pieces of %d", size)
				assert.True(t, ends, "in pieces of %d", size)
			}
		})
	}
}

// TestFormsOfHeads stops behind each head, because only its reader knows what comes next.
func TestFormsOfHeads(t *testing.T) {
	for _, text := range []string{
		"HTTP/1.1 200 OK\r\nA: b\r\n\r\n", "HTTP/1.1 200 OK\nA: b\n\n", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\r\n", "\r\n",
	} {
		for size := 1; size <= len(text)+4; size++ {
			var f form
			data, from := text+"HTTP/1.1 200 OK\r\n", 0
			for from < len(text) {
				n, ends := f.next([]byte(data[from:min(from+size, len(data))]))
				from += n
				assert.False(t, ends)
			}
			assert.Equal(t, len(text), from, "%q in pieces of %d", text, size)
		}
	}
}

// TestFormsWithoutAnEnd end with the connection.
func TestFormsWithoutAnEnd(t *testing.T) {
	var rest, chunked form
	rest.rest()
	chunked.chunks()
	n, ends := rest.next([]byte("HTTP/1.1 200 OK\r\n\r\n0\r\n\r\nrest"))
	assert.Equal(t, 28, n)
	assert.False(t, ends)
	assert.Zero(t, rest.sure())

	for size, ends := range map[string]bool{
		"0ffffffffffff": false, "1000000000000": false, "10000000000000": false, "10000000000010": true, "fffffffffffffffffff": true,
	} {
		f := chunked
		text := size + "\r\n0\r\n\r\nrest"
		n, over := f.next([]byte(text))
		assert.Equal(t, len(text), n, size)
		assert.False(t, over, size)
		assert.Equal(t, ends, f.part == endless, size)
	}
}

// TestFormsAreSure knows of a body and of a chunk what will come of it at least.
func TestFormsAreSure(t *testing.T) {
	var f form
	assert.Zero(t, f.sure(), "head")
	f.count(9)
	assert.EqualValues(t, 9, f.sure(), "body")
	f.next([]byte("1234"))
	assert.EqualValues(t, 5, f.sure(), "rest of a body")
	f.chunks()
	f.next([]byte("1"))
	assert.Zero(t, f.sure(), "in the size of a chunk")
	f.next([]byte("0\r\n"))
	assert.EqualValues(t, 0x10+2, f.sure(), "chunk with its line break")
	f.next([]byte(strings.Repeat("x", 0x10) + "\r\n0\r\nA"))
	assert.Zero(t, f.sure(), "trailer")
}
