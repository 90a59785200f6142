package transport

import (
	"bufio"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// arrivals is a connection on which texts arrive one after another, and then nothing more.
type arrivals struct {
	net.Conn

	texts []string
}

func (c *arrivals) Read(p []byte) (int, error) {
	if len(c.texts) == 0 {
		return 0, errClosed
	}
	n := copy(p, c.texts[0])
	if c.texts[0] = c.texts[0][n:]; c.texts[0] == "" {
		c.texts = c.texts[1:]
	}
	return n, nil
}

var errClosed = errors.New("the connection was closed")

func readAll(r io.Reader, room int) (reads []string, err error) {
	for {
		p := make([]byte, room)
		n, err := r.Read(p)
		if err != nil {
			return reads, err
		}
		reads = append(reads, string(p[:n]))
	}
}

func TestPieces_endAtEmptyLines(t *testing.T) {
	for name, test := range map[string]struct {
		texts []string
		body  int64
		room  int
		want  []string
	}{
		"a header block":             {[]string{"A: b\r\nC: d\r\n\r\nrest"}, 0, 99, []string{"A: b\r\nC: d\r\n\r\n", "rest"}},
		"without carriage returns":   {[]string{"A: b\n\n\nrest"}, 0, 99, []string{"A: b\n\n", "\n", "rest"}},
		"an empty line in parts":     {[]string{"A\r", "\n\r", "\n", "x"}, 0, 99, []string{"A\r", "\n\r", "\n", "x"}},
		"a line in parts, then more": {[]string{"A: b", "c\nde\n\nrest"}, 0, 99, []string{"A: b", "c\nde\n\n", "rest"}},
		"a line of one letter":       {[]string{"a", "\nb\n"}, 0, 99, []string{"a", "\n", "b\n"}}, // Shorter pieces do no harm.
		"a line of two in parts":     {[]string{"ab", "\n\nc"}, 0, 99, []string{"ab", "\n\n", "c"}},
		"little room":                {[]string{"ABC\n\nD"}, 0, 2, []string{"AB", "C\n", "\n", "D"}},
		"a body, then more":          {[]string{"12\n\n5HTTP"}, 5, 99, []string{"12\n\n5", "HTTP"}},
		"a body in parts, then more": {[]string{"12", "345HTTP"}, 5, 99, []string{"12", "345", "HTTP"}},
		"a body read without a buffer": {[]string{strings.Repeat("x", 30) + "HTTP"}, 30, 20,
			[]string{strings.Repeat("x", 19), strings.Repeat("x", 11), "HTTP"}},
		"the rest of a large read": {[]string{strings.Repeat("\n", 20)}, 0, 40, []string{strings.Repeat("\n", 20)}},
	} {
		t.Run(name, func(t *testing.T) {
			size := 99
			if strings.Contains(name, "buffer") || strings.Contains(name, "large") {
				size = 16
			}
			conn := &pieces{in: bufio.NewReaderSize(&arrivals{texts: test.texts}, size), body: test.body}
			got, err := readAll(conn, test.room)
			assert.Equal(t, test.want, got)
			assert.Equal(t, errClosed, err)
		})
	}
}

func TestPieces_dataWhileIdleIsError(t *testing.T) {
	conn := &pieces{in: bufio.NewReader(&arrivals{texts: []string{"late"}})}
	assert.True(t, conn.end(), "nothing has arrived")
	_, err := readAll(conn, 9)
	assert.Equal(t, errSurplus, err)
	assert.False(t, conn.end())
}

func TestFrames_onlyKnownTypes(t *testing.T) {
	frame := func(kind byte, payload string) string {
		length := len(payload)
		return string([]byte{byte(length >> 16), byte(length >> 8), byte(length), kind, 0, 0, 0, 0, 1}) + payload
	}
	long := strings.Repeat("y", 70_000)
	sent := frame(0, "data") + frame(2, "prior") + frame(9, "") + frame(10, long) + frame(255, "") + frame(6, long) +
		frame(11, "x")
	for _, texts := range [][]string{{sent}, {sent[:3], sent[3:14], sent[14:30], sent[30:]}} {
		got, err := readAll(&frames{in: bufio.NewReaderSize(&arrivals{texts: texts}, 16)}, 7)
		assert.Equal(t, frame(0, "data")+frame(9, "")+frame(6, long), strings.Join(got, ""))
		assert.Equal(t, errClosed, err)
	}
	for _, cut := range []string{frame(0, "a")[:3], frame(10, "abc")[:10], frame(0, "abc")[:9]} {
		got, err := readAll(&frames{in: bufio.NewReader(&arrivals{texts: []string{cut}})}, 9)
		assert.Equal(t, len(cut) == 9, len(got) == 1)
		assert.Equal(t, errClosed, err)
	}
}
