package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

// asProgram makes the test binary the program itself: see TestInterrupted.
const asProgram = "FLEETASCODE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// service is an emulator, reached in memory.
type service struct {
	*emulator.Emulator
	client *rpcfleet.Client
	state  *state
}

func newService(t *testing.T, options ...emulator.Option) *service {
	t.Helper()
	e := emulator.New(options...)
	t.Cleanup(e.Close)
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithHTTPClient(e.Client()), rpcfleet.WithAPIKey(e.APIKey))
	require.NoError(t, err)
	return &service{e, client, &state{}}
}

// declares reads a file, and fails where it is wrong.
func declares(t *testing.T, content string) *fleet {
	t.Helper()
	f, err := read([]byte(content), func(string) string { return "" })
	require.NoError(t, err)
	return f
}

func (s *service) planner(f *fleet) *planner {
	return newPlanner(s.client, f, s.state, 24, 5*time.Second)
}

// apply applies a file.
func (s *service) apply(t *testing.T, f *fleet, prune bool) error {
	t.Helper()
	format := cli.FormatTable
	return s.planner(f).apply(t.Context(), &options{yes: true, prune: prune, format: &format}, io.Discard, io.Discard)
}

// plan returns what is left to do, in words.
func (s *service) plan(t *testing.T, f *fleet) (steps, problems []string) {
	t.Helper()
	made, err := s.planner(f).plan(t.Context())
	require.NoError(t, err)
	for _, left := range made.steps(true) {
		steps = append(steps, fmt.Sprintf("%s %s %s %s > %s", left.Action, left.Thing, left.Field, left.Have, left.Want))
	}
	for _, problem := range made.problems {
		problems = append(problems, problem.Error())
	}
	return steps, problems
}

// settled asserts that an account is what a file declares, and has nothing beyond that.
func (s *service) settled(t *testing.T, f *fleet) {
	t.Helper()
	steps, problems := s.plan(t, f)
	assert.Empty(t, steps)
	assert.Empty(t, problems)
}

// writes are the calls that change something.
func writes(e *emulator.Emulator) (writes []string) {
	for _, call := range e.Calls() {
		if call.Method != http.MethodGet && call.Operation != "validateExpression" {
			writes = append(writes, call.Operation)
		}
	}
	return writes
}

// program is a run of the program in this process, on an account in the environment.
type program struct {
	*emulator.Server
	folder string
}

func newProgram(t *testing.T, options ...emulator.Option) *program {
	t.Helper()
	p := &program{emulator.Start(options...), t.TempDir()}
	t.Cleanup(p.Close)
	t.Setenv("RPCFLEET_BASE_URL", p.URL)
	t.Setenv("RPCFLEET_API_KEY", p.APIKey)
	return p
}

// file writes a file, and returns its path.
func (p *program) file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(p.folder, "fleet.yaml")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func runs(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(context.WithoutCancel(t.Context()), args, nil, &out, &errs)
	return code, out.String(), errs.String()
}
