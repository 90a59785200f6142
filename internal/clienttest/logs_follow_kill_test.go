//go:build unix

package clienttest

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// followWindow is how late an entry of the test may be. It leaves time for a machine that is busy with other things.
const followWindow = 4 * time.Second

// killing is a test that kills a program which follows logs.
type killing struct {
	*emulator.Server
	ids     []string
	folder  string
	total   int
	written []string
}

// start starts the program, and returns it with what it says.
func (k *killing) start(t *testing.T) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	binary, err := os.Executable()
	require.NoError(t, err)
	program := exec.CommandContext(t.Context(), binary, "-test.run=^TestFollowProgram$")
	program.Env = append(os.Environ(), programURL+"="+k.URL, programKey+"="+k.APIKey, programIDs+"="+strings.Join(k.ids, ","),
		programFolder+"="+k.folder, programTotal+"="+fmt.Sprint(k.total))
	program.Stderr = os.Stderr
	output, err := program.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	return program, bufio.NewScanner(output)
}

// append logs entries, spread over the endpoints, and 5 in 100 of them late.
func (k *killing) append(t *testing.T, n int) {
	t.Helper()
	for i := range n {
		endpoint := k.ids[i%len(k.ids)]
		entry := emulator.LoggedCall{Method: "eth_call", Timestamp: time.Now()}
		if len(k.written)%20 == 0 {
			entry.Timestamp = entry.Timestamp.Add(-rand.N(followWindow / 2))
		}
		ids, err := k.AppendLog(endpoint, entry)
		require.NoError(t, err)
		k.written = append(k.written, endpoint+" "+ids[0])
	}
}

// TestFollowSurvivesKill kills a program that follows three logs twenty times, half of these while it saves a
// checkpoint. In the end each of 20,000 entries, of which 5 in 100 were late, is in its output once.
func TestFollowSurvivesKill(t *testing.T) {
	const each = 1000
	kills := 20
	if race.Enabled {
		kills = 6
	}
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "") // There is much to see here, and little that other tests do not show.
	k := &killing{Server: emulator.Start(), folder: t.TempDir()}
	defer k.Close()
	k.ids = k.CreateEndpoints(3)
	k.total = kills*each + len(k.ids)

	torn := 0
	for life := range kills {
		k.append(t, each/2)
		program, reports := k.start(t)
		last := 100 + rand.N(each-200) // The entry after which it is killed, at the latest.
		for entries := 0; reports.Scan(); {
			if strings.HasPrefix(reports.Text(), saysEntry) {
				if entries++; entries%50 == 0 && entries <= each/2 {
					k.append(t, 50) // As many as there were, while it follows.
				}
			}
			if entries >= last && (life%2 == 0 || reports.Text() == saysSaving) {
				require.NoError(t, program.Process.Kill())
				break
			}
		}
		k.append(t, (life+1)*each-len(k.written))
		err := program.Wait()
		require.Equal(t, syscall.SIGKILL, program.ProcessState.Sys().(syscall.WaitStatus).Signal(), "%v", err)
		unfinished, err := filepath.Glob(filepath.Join(k.folder, "*.unfinished"))
		require.NoError(t, err)
		torn += len(unfinished)
	}
	t.Logf("%d of %d kills left a checkpoint unfinished", torn, kills)

	// The last life goes on until it has what comes when all else is there: the readings until then bring nothing twice.
	program, reports := k.start(t)
	for reports.Scan() {
		if reports.Text() == saysEntry+fmt.Sprint(k.total-len(k.ids)) {
			k.append(t, len(k.ids))
		}
	}
	require.NoError(t, program.Wait())

	output, err := os.ReadFile(filepath.Join(k.folder, "output"))
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(output), "\n"), "\n")
	slices.Sort(lines)
	slices.Sort(k.written)
	assert.Len(t, slices.Compact(slices.Clone(lines)), len(lines), "no entry came twice")
	assert.True(t, slices.Equal(k.written, lines), "every entry is in the output once")
	left, err := filepath.Glob(filepath.Join(k.folder, "*"))
	require.NoError(t, err)
	assert.Len(t, left, 2, "the output and its checkpoint are all that is left: %v", left)
}
