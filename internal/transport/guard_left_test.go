package transport

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writes is a connection that takes so many bytes and then fails.
type writes struct {
	net.Conn
	room int
}

var errFull = errors.New("full")

func (w *writes) Write(p []byte) (int, error) {
	n := min(w.room, len(p))
	w.room -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

// TestAGuardKnowsWhatHasLeft of each request, so that one of which nothing has goes out on another connection, whatever
// net/http says of the failure: it reads the end of an idle connection now and then as if it were that of a response.
func TestAGuardKnowsWhatHasLeft(t *testing.T) {
	for name, test := range map[string]struct {
		room int
		want []fate // Of each request.
	}{
		"nothing":        {0, []fate{unsent, unsent}},
		"a byte":         {1, []fate{unknown, unsent}},
		"all but a byte": {8, []fate{unknown, unsent}},
		"the first":      {9, []fate{unknown, unsent}},
		"and a byte":     {10, []fate{unknown, unknown}},
		"both":           {18, []fate{unknown, unknown}},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGuard(&writes{room: test.room})
			var got []fate
			for range test.want {
				s := &sending{guard: g, request: g.give()}
				s.connected.Store(true)
				s.wrote.Store(true)
				assert.Equal(t, unsent, s.fate(io.EOF), "before it is written")
				_, _ = io.WriteString(g, "a request")
				got = append(got, s.fate(io.EOF))
			}
			assert.Equal(t, test.want, got)
		})
	}
}

// TestAGuardThatIsBrokenTakesNoRequest: what came by itself keeps the next one from leaving.
func TestAGuardThatIsBrokenTakesNoRequest(t *testing.T) {
	g := newGuard(half{Reader: strings.NewReader("unsolicited")})
	_, err := g.Read(make([]byte, 100))
	require.Equal(t, io.EOF, err)
	request := g.give()
	_, err = io.WriteString(g, "a request")
	assert.Equal(t, errUnsolicited, err)
	assert.True(t, g.kept(request))
}
