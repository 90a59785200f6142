//go:build unix

package clienttest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// programVariable is the environment of a program that is killed, which is the test itself, line by line: the service's
// address, the key, a folder, and settings of its own.
const programVariable = "RPCFLEET_TEST_PROGRAM"

// startProgram starts a test as a program, and returns it with its output.
func startProgram(ctx context.Context, t *testing.T, service *emulator.Server, settings ...string) (*exec.Cmd,
	*bufio.Scanner) {
	t.Helper()
	program := exec.CommandContext(ctx, must(os.Executable())(t), "-test.run=^"+t.Name()+"$")
	lines := strings.Join(append([]string{service.URL, service.APIKey}, settings...), "\n")
	program.Env, program.Stderr = append(os.Environ(), programVariable+"="+lines), os.Stderr
	output := must(program.StdoutPipe())(t)
	require.NoError(t, program.Start())
	return program, bufio.NewScanner(output)
}

// ofProgram returns the client, the folder and the settings of a program, or nothing if this is the test.
func ofProgram(t *testing.T) (client *rpcfleet.Client, folder string, settings []string) {
	t.Helper()
	lines := os.Getenv(programVariable)
	if lines == "" {
		return nil, "", nil
	}
	settings = strings.Split(lines, "\n")
	client = must(rpcfleet.New(rpcfleet.WithBaseURL(settings[0]), rpcfleet.WithAPIKey(settings[1])))(t)
	return client, settings[2], settings[3:]
}

// TestCreateJournal_createsOnceAcrossKills kills a program sixty times while it creates endpoints with a journal:
// before a request, while it is executed, after it, and while the outcome of a lost one is settled. In the end there is
// one endpoint for each name, and the program gets that one again.
func TestCreateJournal_createsOnceAcrossKills(t *testing.T) {
	if client, folder, settings := ofProgram(t); client != nil {
		createAll(t, client, folder, settings)
		return
	}
	t.Parallel()
	kills := 60
	if race.Enabled {
		kills = 10
	}
	service, folder := emulator.Start(emulator.WithFaults(
		emulator.Fault{Operation: "createEndpoint", Latency: 10 * time.Millisecond},
		emulator.Fault{Operation: "createEndpoint", Probability: 0.15, Effect: emulator.EffectLoseResponse},
		emulator.Fault{Operation: "createEndpoint", Probability: 0.05, Status: 500},
	)), t.TempDir()
	defer service.Close()
	ids := map[int]string{}
	first := 0 // The first create without a result.
	run := func(from, end int, life time.Duration) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		program, reports := startProgram(ctx, t, service, folder, fmt.Sprint(from), fmt.Sprint(end))
		for reports.Scan() {
			var n int
			var id string
			if reports.Text() == "begins" && life > 0 {
				time.AfterFunc(life, func() { _ = program.Process.Kill() })
			}
			if _, err := fmt.Sscanf(reports.Text(), "%d is %s", &n, &id); err == nil {
				assert.True(t, ids[n] == "" || ids[n] == id, "%d was %s and is %s", n, ids[n], id)
				ids[n], first = id, n+1
			}
		}
		_ = program.Wait()
		require.Equal(t, life == 0, program.ProcessState.Success(), "it was killed, or ended")
	}
	for range kills {
		run(first, first+1000, time.Millisecond+rand.N(300*time.Millisecond))
	}
	requests := len(service.Calls("createEndpoint"))
	service.RemoveFaults()
	run(0, first+1, 0)
	client := clientOf(t, service.URL, nil, rpcfleet.WithAPIKey(service.APIKey))
	listed := creation{list: methodOf(client.Endpoints.All, admin.ListEndpointsParams{})}.ids(t)
	assert.ElementsMatch(t, slices.Collect(maps.Values(ids)), listed, "one for each name, and none left behind")
	t.Logf("%d endpoints of %d requests", first, requests)
}

// createAll is the program. Its settings are the number of the first create and of the one after the last.
func createAll(t *testing.T, client *rpcfleet.Client, folder string, settings []string) {
	store, end := rpcfleet.FileCheckpointStore{Dir: folder}, must(strconv.Atoi(settings[1]))(t)
	fmt.Println("begins")
	for n := must(strconv.Atoi(settings[0]))(t); n < end; {
		endpoint, err := client.Endpoints.Create(t.Context(), onEthereum, rpcfleet.WithAttemptTimeout(200*time.Millisecond),
			rpcfleet.WithCreateJournal(store, fmt.Sprint("endpoint ", n)))
		if err == nil {
			fmt.Println(n, "is", endpoint.ID)
			n++
		}
	}
}

const (
	// followWindow is how late an entry of the test may be. It leaves time for a machine that is busy with other things.
	followWindow = 4 * time.Second
	// The program's reports on its standard output, one line each, between lines of the testing package.
	saysEntry  = "lines written: " // And their number.
	saysSaving = "a checkpoint is being saved"
)

// TestFollow_deliversOnceAcrossKills kills a program that follows three logs twenty times, half of these while it saves
// a checkpoint. In the end each of 20,000 entries, of which 5 in 100 were late, is in its output once.
func TestFollow_deliversOnceAcrossKills(t *testing.T) {
	if client, folder, ids := ofProgram(t); client != nil {
		copyLogs(t, client, folder, ids)
		return
	}
	t.Parallel()
	const each = 1000
	kills := 20
	if race.Enabled {
		kills = 6
	}
	service, folder := emulator.Start(), t.TempDir()
	defer service.Close()
	ids := service.CreateEndpoints(3)
	settings := append([]string{folder}, ids...)
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
	kill := func(program *exec.Cmd) {
		require.NoError(t, program.Process.Kill())
		err := program.Wait()
		require.Equal(t, syscall.SIGKILL, program.ProcessState.Sys().(syscall.WaitStatus).Signal(), "%v", err)
	}
	torn := 0
	for life := range kills {
		add(each / 2)
		program, reports := startProgram(t.Context(), t, service, settings...)
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

	// The last life goes on until it has the entries that come after all others.
	before := len(written)
	program, reports := startProgram(t.Context(), t, service, settings...)
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
func copyLogs(t *testing.T, client *rpcfleet.Client, folder string, ids []string) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // A lost entry would be waited for.
	defer cancel()
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
	for followed, err := range client.Logs.Follow(ctx, ids, rpcfleet.FollowOptions{
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
