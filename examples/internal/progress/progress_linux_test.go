package progress

import (
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// terminal opens a terminal, and the end at which its user sits.
func terminal(t *testing.T) (program, user *os.File) {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminals here:", err)
	}
	t.Cleanup(func() { _ = user.Close() })
	number, err := unix.IoctlGetInt(int(user.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetPointerInt(int(user.Fd()), unix.TIOCSPTLCK, 0))
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = program.Close() })
	return program, user
}

// shown returns what the terminal has shown, and closes it.
func shown(t *testing.T, program, user *os.File) string {
	t.Helper()
	require.NoError(t, program.Close())
	seen, _ := io.ReadAll(user) // It ends with an error: nobody is on the other side any more.
	require.NotEmpty(t, seen)
	return string(seen)
}

func TestATerminalIsToldWhereTheWorkIs(t *testing.T) {
	program, user := terminal(t)
	bar := Start(program, "Reading", 3)
	time.Sleep(throttle) // The library has its own clock, and draws nothing before that.
	bar.Step()
	bar.Done()
	seen := shown(t, program, user)
	assert.Contains(t, seen, "Reading")
	assert.Contains(t, seen, "1/3")
	assert.Equal(t, "\r", seen[len(seen)-1:], "the line is free again")
}

func TestWorkOfUnknownLength(t *testing.T) {
	program, user := terminal(t)
	bar := Start(program, "Following", -1)
	for range 3 {
		time.Sleep(throttle)
		bar.Step()
	}
	bar.Done()
	bar.Step() // Nothing is drawn once the bar is gone.
	seen := shown(t, program, user)
	assert.Contains(t, seen, "Following")
	assert.Contains(t, seen, "3/-")
	assert.Equal(t, "\r", seen[len(seen)-1:])
}
