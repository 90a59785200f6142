//go:build unix

package clienttest

import (
	"bufio"
	"context"
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

const (
	// followWindow is how late an entry of the test may be. It leaves time for a machine that is busy with other things.
	followWindow = 4 * time.Second
	// programVariable is the environment of the program that is killed, line by line: the service's address, the key, a
	// folder, and the endpoints.
	programVariable = "RPCFLEET_TEST_FOLLOW"
	// The program's reports on its standard output, one line each, between lines of the testing package.
	saysEntry  = "lines written: " // And their number.
	saysSaving = "a checkpoint is being saved"
)

// TestFollow_deliversOnceAcrossKills kills a program that follows three logs twenty times, half of these while it saves
// a checkpoint. In the end each of 20,000 entries, of which 5 in 100 were late, is in its output once. The program is
// this test itself, with other settings.
func TestFollow_deliversOnceAcrossKills(t *testing.T) {
	if settings := os.Getenv(programVariable); settings != "" {
		copyLogs(t, strings.Split(settings, "\n"))
		return
	}
	const each = 1000
	kills := 20
	if race.Enabled {
		kills = 6
	}
	service, folder := emulator.Start(), t.TempDir()
	defer service.Close()
	ids := service.CreateEndpoints(3)
	settings := strings.Join(append([]string{service.URL, service.APIKey, folder}, ids...), "\n")
	var written []string
	add := func(n int) { // It spreads entries over the endpoints.
		for i := range n {
			entry := emulator.LoggedCall{Method: "eth_call", Timestamp: time.Now()}
			if len(written)%20 == 0 {
				entry.Timestamp = entry.Timestamp.Add(-rand.N(followWindow / 2))
			}
			endpoint := ids[i%len(ids)]
			written = append(written, endpoint+" "+must(service.AppendLog(endpoint, entry))(t)[0])
		}
	}
	start := func() (*exec.Cmd, *bufio.Scanner) {
		program := exec.CommandContext(t.Context(), must(os.Executable())(t), "-test.run=^"+t.Name()+"$")
		program.Env, program.Stderr = append(os.Environ(), programVariable+"="+settings), os.Stderr
		output := must(program.StdoutPipe())(t)
		require.NoError(t, program.Start())
		return program, bufio.NewScanner(output)
	}
	kill := func(program *exec.Cmd) {
		require.NoError(t, program.Process.Kill())
		err := program.Wait()
		require.Equal(t, syscall.SIGKILL, program.ProcessState.Sys().(syscall.WaitStatus).Signal(), "%v", err)
	}
	torn := 0
	for life := range kills {
		add(each / 2)
		program, reports := start()
		last := 100 + rand.N(each-200) // The entry after which it is killed, at the latest.
		for entries := 0; reports.Scan() && (entries < last || life%2 != 0 && reports.Text() != saysSaving); {
			if strings.HasPrefix(reports.Text(), saysEntry) {
				if entries++; entries%50 == 0 && entries <= each/2 {
					add(50) // As many as there were, while it follows.
				}
			}
		}
		kill(program)
		add((life+1)*each - len(written))
		torn += len(must(filepath.Glob(filepath.Join(folder, "*.unfinished")))(t))
	}
	t.Logf("%d of %d kills left a checkpoint unfinished", torn, kills)

	// The last life goes on until it has the entries that come after all others: the readings until then bring nothing
	// twice.
	before := len(written)
	program, reports := start()
	for reports.Scan() && reports.Text() != saysEntry+fmt.Sprint(before+len(ids)) {
		if reports.Text() == saysEntry+fmt.Sprint(before) {
			add(len(ids))
		}
	}
	kill(program)
	output := must(os.ReadFile(filepath.Join(folder, "output")))(t)
	lines := strings.Split(strings.TrimSuffix(string(output), "\n"), "\n")
	slices.Sort(lines)
	slices.Sort(written)
	assert.Len(t, slices.Compact(slices.Clone(lines)), len(lines), "no entry came twice")
	assert.True(t, slices.Equal(written, lines), "every entry is in the output once")
}

// copyLogs is the program. It writes each entry as a line, until it is killed. The note of a checkpoint is the length
// of the output and its number of lines.
func copyLogs(t *testing.T, settings []string) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // A lost entry would be waited for.
	defer cancel()
	client := must(rpcfleet.New(rpcfleet.WithBaseURL(settings[0]), rpcfleet.WithAPIKey(settings[1])))(t)
	folder := settings[2]
	store := rpcfleet.FileCheckpointStore{Dir: folder}
	checkpoint := must(store.Load(ctx, "a program"))(t)
	var length int64
	var lines int
	if checkpoint.Metadata != "" {
		require.NoError(t, errOf(fmt.Sscan(checkpoint.Metadata, &length, &lines)))
	}
	output := must(os.OpenFile(filepath.Join(folder, "output"), os.O_CREATE|os.O_RDWR, 0o600))(t)
	defer output.Close()
	require.NoError(t, output.Truncate(length))
	require.NoError(t, errOf(output.Seek(length, io.SeekStart)))
	unsaved := 0
	for followed, err := range client.Logs.Follow(ctx, settings[3:], rpcfleet.FollowOptions{
		From: time.Now().Add(-time.Hour), Checkpoint: checkpoint, LateWindow: followWindow,
		MinInterval: 20 * time.Millisecond, MaxInterval: 100 * time.Millisecond, PageLimit: 400,
	}) {
		require.NoError(t, err)
		length += int64(must(fmt.Fprintln(output, followed.EndpointID, followed.Entry.RequestID))(t))
		lines++
		fmt.Println(saysEntry + fmt.Sprint(lines))
		if unsaved++; unsaved < rand.N(200) {
			continue
		}
		unsaved = 0
		fmt.Println(saysSaving)
		checkpoint := followed.Checkpoint
		checkpoint.Metadata = fmt.Sprint(length, lines)
		require.NoError(t, store.Save(ctx, "a program", checkpoint))
	}
}
