package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// asProgram and asHook make the test binary the program, or the hook.
const (
	asProgram = "KEYROTATE_TEST_AS_PROGRAM"
	asHook    = "KEYROTATE_TEST_AS_HOOK"
)

func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == asHook:
		os.Exit(actAsHook(os.Args[2:]))
	case os.Getenv(asProgram) != "":
		main()
	}
	os.Exit(m.Run())
}

var errKilled = errors.New("killed")

// world is all that a rotation acts on. After so many acts it is dead: nothing that the rotation does from then on has
// any effect, as after a kill. Before and after each act there is one moment to die at.
type world struct {
	mu      sync.Mutex
	left    int
	handed  map[string][]string // The ids of the tokens that the hook got, by endpoint.
	service http.RoundTripper
	journal *journal
	stop    context.CancelFunc
}

// act does something, unless the world is dead. Where it dies right after, the result is lost.
func (w *world) act(do func() error) error {
	if w.dies() {
		return errKilled
	}
	err := do()
	if w.dies() {
		return errKilled
	}
	return err
}

func (w *world) dies() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left--
	if w.left <= 0 {
		w.stop()
	}
	return w.left <= 0
}

func (w *world) RoundTrip(request *http.Request) (response *http.Response, err error) {
	err = w.act(func() (err error) {
		response, err = w.service.RoundTrip(request)
		return err
	})
	if err != nil {
		return nil, err
	}
	return response, nil
}

func (w *world) save(entries ...*entry) error {
	return w.act(func() error { return w.journal.save(entries...) })
}

func (w *world) remove() error { return w.act(w.journal.remove) }

func (w *world) handOver(_ context.Context, m *message) error {
	return w.act(func() error {
		w.handed[m.EndpointID] = append(w.handed[m.EndpointID], m.TokenID)
		return nil
	})
}

// rotate runs the program's work once, until its end or until so many acts.
func rotate(t *testing.T, e *emulator.Emulator, path string, handed map[string][]string, acts int) error {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	journal, err := openJournal(path, 1, true)
	require.NoError(t, err)
	defer journal.Close()
	w := &world{left: acts, handed: handed, service: e.Client().Transport, journal: journal, stop: stop}
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithAPIKey(e.APIKey),
		rpcfleet.WithHTTPClient(&http.Client{Transport: w}))
	require.NoError(t, err)
	r := &rotation{client: client, journal: journal, store: w, handOver: w.handOver,
		overlap: time.Hour, settle: 10 * time.Second, say: t.Logf}
	if err := r.begin(ctx, selection{tag: "production"}); err != nil {
		return err
	}
	return r.run(ctx)
}

// tokens are the ids of the tokens of an endpoint.
func tokens(t *testing.T, e *emulator.Emulator, endpoint string) []string {
	t.Helper()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithAPIKey(e.APIKey), rpcfleet.WithHTTPClient(e.Client()))
	require.NoError(t, err)
	found, err := client.Security.FindCreatedToken(t.Context(), endpoint)
	require.NoError(t, err)
	return found.IDs()
}

// journalled makes a state file of an earlier run, with these entries.
func journalled(t *testing.T, path string, entries ...*entry) {
	t.Helper()
	journal, err := openJournal(path, 1, true)
	require.NoError(t, err)
	require.NoError(t, journal.save(entries...))
	require.NoError(t, journal.Close())
}

func runs(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(context.WithoutCancel(t.Context()), args, nil, &out, &errs)
	return code, out.String(), errs.String()
}

// newAccount is an account in the environment, and the path of a state file.
func newAccount(t *testing.T) (*emulator.Server, string) {
	t.Helper()
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	server := emulator.Start()
	t.Cleanup(server.Close)
	require.NoError(t, seed(server.Emulator))
	t.Setenv("RPCFLEET_BASE_URL", server.URL)
	t.Setenv("RPCFLEET_API_KEY", server.APIKey)
	return server, filepath.Join(t.TempDir(), "state")
}
