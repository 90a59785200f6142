// Package examples tests what all example programs have in common.
package examples

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// works are the arguments with which a program calls the account, where it needs any. Those that are nil have no use for
// a key.
var works = map[string][]string{
	"alertreceiver": nil,
	"alertsync":     {"-file", "alertsync/alerts.yaml"},
	"contractcheck": {},
	"costguard":     {"-budget", "production=1"},
	"fleetascode":   {"adopt"},
	"fleetreport":   {},
	"keyrotate":     {"-all"},
	"logtail":       {},
	"nftreport":     {},
	"ownqueries":    {},
	"quickstart":    {},
}

// TestCommandLines runs every example as a process, against one emulator.
func TestCommandLines(t *testing.T) {
	race.Skip(t)
	mains, err := filepath.Glob("*/main.go")
	require.NoError(t, err)
	require.Len(t, mains, len(works), "every example has a row")
	bin := t.TempDir() + string(filepath.Separator)
	build := []string{"build", "-o", bin}
	for _, main := range mains {
		build = append(build, "./"+filepath.ToSlash(filepath.Dir(main)))
	}
	out, err := exec.Command("go", build...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	service := emulator.Start()
	defer service.Close()
	service.CreateEndpoints(1)

	for name, arguments := range works {
		for _, c := range []struct {
			name      string
			arguments []string
			code      int
			said      string
		}{
			{"wrong flag", []string{"-no-such-flag"}, 2, name + ": flag provided but not defined: -no-such-flag (-h explains)\n"},
			{"stray argument", []string{"stray"}, 2, name + `: unexpected argument "stray" (-h explains)` + "\n"},
			{"wrong key", arguments, 1, "401 Unauthorized"},
			{"help", []string{"-h"}, 0, ""},
		} {
			if c.arguments == nil {
				continue
			}
			t.Run(name+", "+c.name, func(t *testing.T) {
				program := exec.CommandContext(t.Context(), bin+name, c.arguments...)
				var stdout, stderr bytes.Buffer
				program.Stdout, program.Stderr = &stdout, &stderr
				program.Env = append(os.Environ(), "RPCFLEET_BASE_URL="+service.URL, "RPCFLEET_API_KEY=wrong")
				_ = program.Run()
				assert.Equal(t, c.code, program.ProcessState.ExitCode(), "%s", &stderr)
				assert.Contains(t, stderr.String(), c.said)
				if c.code == 0 {
					assert.Contains(t, stdout.String(), "Usage: "+name)
					assert.Empty(t, stderr.String())
				} else {
					assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), "%s", &stderr)
				}
			})
		}
	}
}
