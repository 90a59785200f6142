//go:build unix

package clienttest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
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

	"github.com/rpcfleet/rpcfleet-go"
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

// start starts the program, and returns it with its reports.
func (k *killing) start(t *testing.T) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	program := exec.CommandContext(t.Context(), must(os.Executable())(t), "-test.run=^TestFollow_childProgram$")
	settings := must(json.Marshal(programSettings{k.URL, k.APIKey, k.folder, k.ids, k.total}))(t)
	program.Env = append(os.Environ(), programVariable+"="+string(settings))
	program.Stderr = os.Stderr
	output := must(program.StdoutPipe())(t)
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
		k.written = append(k.written, endpoint+" "+must(k.AppendLog(endpoint, entry))(t)[0])
	}
}

// TestFollow_deliversOnceAcrossKills kills a program that follows three logs twenty times, half of these while it saves
// a checkpoint. In the end each of 20,000 entries, of which 5 in 100 were late, is in its output once.
func TestFollow_deliversOnceAcrossKills(t *testing.T) {
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
		torn += len(must(filepath.Glob(filepath.Join(k.folder, "*.unfinished")))(t))
	}
	t.Logf("%d of %d kills left a checkpoint unfinished", torn, kills)

	// The last life goes on until it has the entry that comes after all others: the readings until then bring nothing
	// twice.
	program, reports := k.start(t)
	for reports.Scan() {
		if reports.Text() == saysEntry+fmt.Sprint(k.total-len(k.ids)) {
			k.append(t, len(k.ids))
		}
	}
	require.NoError(t, program.Wait())

	output := must(os.ReadFile(filepath.Join(k.folder, "output")))(t)
	lines := strings.Split(strings.TrimSuffix(string(output), "\n"), "\n")
	slices.Sort(lines)
	slices.Sort(k.written)
	assert.Len(t, slices.Compact(slices.Clone(lines)), len(lines), "no entry came twice")
	assert.True(t, slices.Equal(k.written, lines), "every entry is in the output once")
	left := must(filepath.Glob(filepath.Join(k.folder, "*")))(t)
	assert.Len(t, left, 2, "the output and its checkpoint are all that is left: %v", left)
}

// programVariable is the environment of the program that TestFollow_deliversOnceAcrossKills kills: a programSettings as
// JSON.
const programVariable = "RPCFLEET_TEST_FOLLOW"

type programSettings struct {
	URL, Key, Folder string
	IDs              []string
	Total            int
}

// The program's reports on its standard output, one line each, between lines of the testing package.
const (
	saysEntry  = "lines written: " // And their number.
	saysSaving = "a checkpoint is being saved"
)

// TestFollow_childProgram is the program: it copies logs into a file until that has all lines.
func TestFollow_childProgram(t *testing.T) {
	if os.Getenv(programVariable) == "" {
		t.Skip("it is the program of TestFollow_deliversOnceAcrossKills")
	}
	var p programSettings
	require.NoError(t, json.Unmarshal([]byte(os.Getenv(programVariable)), &p))
	client := must(rpcfleet.New(rpcfleet.WithBaseURL(p.URL), rpcfleet.WithAPIKey(p.Key)))(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // A lost entry would be waited for.
	defer cancel()
	require.NoError(t, copyLogs(ctx, client, p.IDs, p.Folder, p.Total))
}

// copyLogs writes each entry as a line. The note of a checkpoint is the length of the output and its number of lines.
func copyLogs(ctx context.Context, client *rpcfleet.Client, ids []string, folder string, total int) error {
	store := rpcfleet.FileCheckpointStore{Dir: folder}
	checkpoint, err := store.Load(ctx, "a program")
	if err != nil {
		return err
	}
	var length int64
	var lines int
	if checkpoint.Metadata != "" {
		if _, err := fmt.Sscan(checkpoint.Metadata, &length, &lines); err != nil {
			return err
		}
	}
	output, err := os.OpenFile(filepath.Join(folder, "output"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer output.Close()
	if err := output.Truncate(length); err != nil {
		return err
	}
	if _, err := output.Seek(length, io.SeekStart); err != nil {
		return err
	}
	unsaved := 0
	for followed, err := range client.Logs.Follow(ctx, ids, rpcfleet.FollowOptions{
		From: time.Now().Add(-time.Hour), Checkpoint: checkpoint, LateWindow: followWindow,
		MinInterval: 20 * time.Millisecond, MaxInterval: 100 * time.Millisecond, PageLimit: 400,
	}) {
		if err != nil {
			return err
		}
		n, err := fmt.Fprintln(output, followed.EndpointID, followed.Entry.RequestID)
		if err != nil {
			return err
		}
		length += int64(n)
		lines++
		fmt.Println(saysEntry + fmt.Sprint(lines))
		if unsaved++; unsaved < rand.N(200) && lines < total {
			continue
		}
		unsaved = 0
		fmt.Println(saysSaving)
		checkpoint := followed.Checkpoint()
		checkpoint.Metadata = fmt.Sprint(length, lines)
		if err := store.Save(ctx, "a program", checkpoint); err != nil {
			return err
		}
		if lines >= total {
			return nil
		}
	}
	return nil
}
