package transport

import "bytes"

// form follows a response as it is read, to find where it ends. Its zero value is at the beginning of a head.
//
// It forgives more than net/http, which fails where a response is malformed, and then does not use its connection again.
type form struct {
	part    part
	counted int64 // What is left of a body with a length, or of a chunk.
	// Within a line.
	started bool // It has a byte beside a carriage return.
	sized   bool // The size of a chunk is complete.
}

// part is what of a response comes next.
type part int

const (
	head    part = iota // Up to an empty line.
	body                // With a length.
	size                // The line before a chunk.
	chunk               // With the line break behind it.
	trailer             // Up to an empty line, as a head.
	endless             // Up to the end of the connection.
)

// count says that a body of so many bytes comes next.
func (f *form) count(bytes int64) { *f = form{part: body, counted: bytes} }

// chunks says that a body in chunks comes next.
func (f *form) chunks() { *f = form{part: size} }

// rest says that a body comes next that ends with the connection.
func (f *form) rest() { *f = form{part: endless} }

// sure returns how many of the bytes that come next are known to be of the body.
func (f *form) sure() int64 {
	if f.part == body || f.part == chunk {
		return f.counted
	}
	return 0
}

// next returns how many of the bytes that come next may be handed over at a time, which is at least one where there are
// some, and reports whether they are the last of a body. A head ends what is handed over, because only its reader knows
// whether there is a body.
func (f *form) next(data []byte) (n int, ends bool) {
	for n < len(data) {
		from := n
		switch f.part {
		case endless:
			return len(data), false
		case body, chunk:
			n += int(min(f.counted, int64(len(data)-n)))
			f.counted -= int64(n - from)
			switch {
			case f.counted > 0:
			case f.part == body:
				*f = form{}
				return n, true
			default:
				f.chunks()
			}
		case size:
			n += f.sizeLine(data[n:])
		default:
			var empty bool
			if n, empty = f.line(data, n); empty {
				ends = f.part == trailer
				*f = form{}
				return n, ends
			}
		}
	}
	return n, false
}

// line goes to the end of a line, or of the data, and reports whether that was an empty line.
func (f *form) line(data []byte, from int) (n int, empty bool) {
	i := bytes.IndexByte(data[from:], '\n')
	if i < 0 {
		f.started = f.started || len(bytes.TrimLeft(data[from:], "\r")) > 0
		return len(data), false
	}
	empty = !f.started && len(bytes.TrimLeft(data[from:from+i], "\r")) == 0
	f.started = false
	return from + i + 1, empty
}

// sizeLine goes to the end of the line before a chunk, or of the data.
func (f *form) sizeLine(data []byte) int {
	for i, c := range data {
		digit := bytes.IndexByte([]byte("0123456789abcdef"), c|0x20)
		switch {
		case c == '\n' && f.counted > 0:
			*f = form{part: chunk, counted: f.counted + int64(len("\r\n"))}
			return i + 1
		case c == '\n':
			*f = form{part: trailer}
			return i + 1
		case f.sized || digit < 0:
			f.sized = true // What follows is an extension.
		case f.counted > 1<<48:
			*f = form{part: endless} // net/http takes none that is so large.
			return i
		default:
			f.counted = f.counted<<4 | int64(digit)
		}
	}
	return len(data)
}
