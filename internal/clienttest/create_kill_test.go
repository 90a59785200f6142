//go:build unix

package clienttest

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// createVariable is the environment of the program that is killed, line by line: the service's address, the key, the
// folder of its journal, and the number of the first create and of the one after the last.
const createVariable = "RPCFLEET_TEST_CREATE"

// TestCreateJournal_createsOnceAcrossKills kills a program sixty times while it creates endpoints with a journal:
// before a request, while it is executed, after it, and while the outcome of a lost one is settled. In the end there is
// one endpoint for each name, and the program gets that one again.
func TestCreateJournal_createsOnceAcrossKills(t *testing.T) {
	if settings := os.Getenv(createVariable); settings != "" {
		createAll(t, strings.Split(settings, "\n"))
		return
	}
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
		program := exec.CommandContext(ctx, must(os.Executable())(t), "-test.run=^"+t.Name()+"$")
		settings := []string{service.URL, service.APIKey, folder, fmt.Sprint(from), fmt.Sprint(end)}
		program.Env, program.Stderr = append(os.Environ(), createVariable+"="+strings.Join(settings, "\n")), os.Stderr
		output := must(program.StdoutPipe())(t)
		require.NoError(t, program.Start())
		for reports := bufio.NewScanner(output); reports.Scan(); {
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
	client := must(rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey)))(t)
	listed := creation{list: methodOf(client.Endpoints.All, admin.ListEndpointsParams{})}.ids(t)
	assert.ElementsMatch(t, slices.Collect(maps.Values(ids)), listed, "one for each name, and none left behind")
	t.Logf("%d endpoints of %d requests", first, requests)
}

// createAll is the program. It creates endpoints until it is killed.
func createAll(t *testing.T, settings []string) {
	client := must(rpcfleet.New(rpcfleet.WithBaseURL(settings[0]), rpcfleet.WithAPIKey(settings[1]),
		rpcfleet.WithAttemptTimeout(200*time.Millisecond)))(t)
	store := rpcfleet.FileCheckpointStore{Dir: settings[2]}
	fmt.Println("begins")
	for n := must(strconv.Atoi(settings[3]))(t); n < must(strconv.Atoi(settings[4]))(t); {
		journal := rpcfleet.WithCreateJournal(store, fmt.Sprint("endpoint ", n))
		endpoint, err := client.Endpoints.Create(t.Context(), onEthereum, journal)
		if err == nil {
			fmt.Println(n, "is", endpoint.ID)
			n++
		}
	}
}
