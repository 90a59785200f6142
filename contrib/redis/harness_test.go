package fleetredis_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

var key = scalar.NewSecret("made-up-key-0001")

// TestMain is also the program of another process, if there is the name of a socket.
func TestMain(m *testing.M) {
	socket, found := os.LookupEnv("FLEETREDIS_TEST_SOCKET")
	if !found {
		os.Exit(m.Run())
	}
	fmt.Fprintln(os.Stderr, beReplica(connect(socket)))
	os.Exit(1)
}

func connect(socket string) *redis.Client {
	return redis.NewClient(&redis.Options{Network: "unix", Addr: socket})
}

// server is a Redis server of a test's own.
type server struct {
	*redis.Client
	socket  string
	process *os.Process
}

// startRedis starts a server, which keeps nothing on the disk, until the test ends.
func startRedis(t *testing.T) *server {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("there is no redis-server here: install the system's package redis-server to run this test")
	}
	dir, err := os.MkdirTemp("", "redis") // The name of a socket must be short.
	require.NoError(t, err)
	socket := filepath.Join(dir, "s")
	command := exec.Command("redis-server", "--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "",
		"--appendonly", "no")
	require.NoError(t, command.Start())
	s := &server{socket: socket, process: command.Process, Client: connect(socket)}
	t.Cleanup(func() {
		_ = s.Close()
		_ = command.Process.Kill()
		_ = command.Wait()
		_ = os.RemoveAll(dir)
	})
	for begun := time.Now(); s.Ping(t.Context()).Err() != nil; time.Sleep(10 * time.Millisecond) {
		require.Less(t, time.Since(begun), time.Minute, "the server does not start")
	}
	return s
}

// pacer makes a pacer for the account of key.
func (s *server) pacer(t *testing.T, options fleetredis.PacerOptions) *fleetredis.Pacer {
	t.Helper()
	return must(fleetredis.NewPacer(s, key, options))(t)
}

// memory makes a memory of a destination's deliveries.
func (s *server) memory(t *testing.T, options fleetredis.DedupOptions) *fleetredis.DedupStore {
	t.Helper()
	return must(fleetredis.NewDedupStore(s, "destination-1", options))(t)
}

// another is this test program in another process.
type another struct {
	*exec.Cmd
	lines *bufio.Scanner // Of its output.
}

// start starts a replica in another process. It is killed with the test.
func (s *server) start(t *testing.T, environment ...string) *another {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(append(os.Environ(), "FLEETREDIS_TEST_SOCKET="+s.socket), environment...)
	command.Stderr = os.Stderr
	output := must(command.StdoutPipe())(t)
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_, _ = io.Copy(io.Discard, output)
		_ = command.Wait()
	})
	return &another{command, bufio.NewScanner(output)}
}

// line returns the next line of its output.
func (a *another) line(t *testing.T) string {
	t.Helper()
	require.True(t, a.lines.Scan(), "the process has ended: %v", a.lines.Err())
	return a.lines.Text()
}

// age has all that the server remembers be older by this much.
func (s *server) age(t *testing.T, by time.Duration) {
	t.Helper()
	require.NoError(t, s.Eval(t.Context(), `
		for _, key in ipairs(redis.call('KEYS', '*')) do
			local left, kind = redis.call('PTTL', key), redis.call('TYPE', key).ok
			if kind == 'zset' then
				for _, member in ipairs(redis.call('ZRANGE', key, 0, -1)) do
					redis.call('ZINCRBY', key, -ARGV[1], member)
				end
			end
			if left > 0 then
				redis.call('PEXPIRE', key, left - ARGV[1])
			end
		end
		return 1`, nil, by.Milliseconds()).Err())
}

// must returns the value of a call that must not fail, as in must(os.ReadFile(name))(t).
func must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		require.NoError(t, err)
		return value
	}
}
