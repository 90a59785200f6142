package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func TestTheTourRunsOnAnEmulator(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	t.Setenv("RPCFLEET_API_KEY", "")
	code, stdout, stderr := runs(t)
	assert.Zero(t, code, stderr)
	assert.Contains(t, stdout, `create  endpoint "checkout-standby"`)
	assert.Contains(t, stdout, "$ fleetascode drift\n\nACTION  THING ")
	assert.Contains(t, stdout, "public_key: |-")
	assert.NotContains(t, stdout+stderr, "secret")

	for _, command := range []string{"plan", "adopt"} { // Each can be tried alone.
		code, stdout, stderr := runs(t, command)
		assert.Zero(t, code, stderr)
		assert.Contains(t, stdout, "checkout")
	}
	code, _, _ = runs(t, "drift")
	assert.Equal(t, 3, code)
	code, stdout, stderr = runs(t, "apply", "-yes")
	assert.Zero(t, code, stderr)
	assert.Contains(t, stdout, "checkout-standby")
}

func TestWrongUse(t *testing.T) {
	p := newProgram(t)
	file := p.file(t, "endpoints: []")
	for name, test := range map[string]struct {
		args   []string
		code   int
		stderr string
	}{
		"no command":         {nil, 2, "fleetascode: name a command: plan, apply, drift or adopt (-h explains)\n"},
		"an unknown command": {[]string{"destroy"}, 2, "fleetascode: unexpected argument \"destroy\" (-h explains)\n"},
		"an unknown flag":    {[]string{"plan", "-yes"}, 2, "fleetascode: flag provided but not defined: -yes (-h explains)\n"},
		"a stray argument":   {[]string{"apply", "-yes", "fleet.yaml"}, 2, "fleetascode: unexpected argument \"fleet.yaml\" (-h explains)\n"},
		"a format":           {[]string{"drift", "-o", "xml"}, 2, "fleetascode: invalid value \"xml\" for flag -o: must be table, json or csv (-h explains)\n"},
		"no workers":         {[]string{"plan", "-parallel", "0"}, 2, "fleetascode: -parallel must be at least 1 (-h explains)\n"},
		"no wait":            {[]string{"apply", "-settle", "-1s"}, 2, "fleetascode: -settle must not be negative (-h explains)\n"},
		"no file":            {[]string{"plan"}, 2, "fleetascode: name a file with -file (-h explains)\n"},
		"a file that is not": {[]string{"plan", "-file", "x.yaml"}, 1, "fleetascode: open x.yaml: no such file or directory\n"},
		"a wrong file": {[]string{"plan", "-file", p.file(t, "endpoints: []\nteam: []")}, 1,
			"fleetascode: " + file + ": line 2: team: there is no such key: the keys here are destinations, endpoints, notifications, teams\n"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := runs(t, test.args...)
			assert.Equal(t, test.code, code)
			assert.Equal(t, test.stderr, stderr)
			assert.Empty(t, stdout)
		})
	}
	assert.Empty(t, p.Calls())
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"-h"}, {"plan", "-h"}, {"apply", "-h"}, {"drift", "-h"}, {"adopt", "-h"}} {
		code, stdout, stderr := runs(t, args...)
		assert.Zero(t, code)
		assert.Contains(t, stdout, "Usage: fleetascode")
		assert.Empty(t, stderr)
	}
}

func TestAWrongKeyIsOneLine(t *testing.T) {
	p := newProgram(t)
	t.Setenv("RPCFLEET_API_KEY", "wrong")
	for _, args := range [][]string{{"plan", "-file", p.file(t, whole)}, {"apply", "-yes", "-file", p.file(t, whole)}, {"adopt"}} {
		code, stdout, stderr := runs(t, args...)
		assert.Equal(t, 1, code)
		assert.Regexp(t, `\Afleetascode: [^\n]*401 Unauthorized[^\n]*\n\z`, stderr)
		assert.Empty(t, stdout)
	}
}

func TestOnlyApplyWritesAndOnlyWhereTold(t *testing.T) {
	p := newProgram(t)
	require.NoError(t, seed(p.Emulator))
	file := p.file(t, `
endpoints: [{label: checkout, chain: ethereum, network: mainnet, status: paused}]
notifications: [{name: n, network: ethereum-mainnet, expression: tx_to == '0x01', destinations: []}]
`)
	for _, args := range [][]string{
		{"plan", "-file", file}, {"plan", "-prune", "-file", file}, {"drift", "-file", file}, {"adopt"},
		{"apply", "-file", file}, {"apply", "-prune", "-file", file},
	} {
		code, _, stderr := runs(t, args...)
		if args[0] == "apply" {
			assert.Equal(t, 1, code)
			assert.Contains(t, stderr, "nothing was changed: apply needs -yes")
		}
	}
	assert.Empty(t, writes(p.Emulator))

	code, _, stderr := runs(t, "apply", "-yes", "-file", file)
	assert.Zero(t, code, stderr)
	assert.ElementsMatch(t, []string{"setEndpointStatus", "createNotification"}, writes(p.Emulator))
	assert.Contains(t, stderr, "1 things that the file does not declare stay")
	code, stdout, _ := runs(t, "apply", "-yes", "-prune", "-file", file, "-o", "csv")
	assert.Zero(t, code)
	assert.Equal(t, "ACTION,THING,FIELD,HAVE,WANT\nremove,\"endpoint \"\"forgotten\"\" (1006)\",,polygon-mainnet,\n", stdout)
	assert.Contains(t, writes(p.Emulator), "archiveEndpoint")
}

func TestJSON(t *testing.T) {
	p := newProgram(t)
	file := p.file(t, "endpoints: [{label: a, chain: ethereum, network: ethereum-mainnet}, {id: '7', chain: c, network: n}]")
	code, stdout, stderr := runs(t, "plan", "-o", "json", "-file", file)
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, "the account has no endpoint with the id 7")
	var report map[string]any
	require.NoError(t, json.Unmarshal([]byte(stdout), &report))
	assert.Equal(t, map[string]any{
		"steps":    []any{map[string]any{"action": "create", "thing": `endpoint "a"`, "want": "ethereum ethereum-mainnet"}},
		"problems": []any{`endpoint "7": the account has no endpoint with the id 7`},
	}, report)
	code, _, stderr = runs(t, "apply", "-yes", "-file", file)
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, "nothing was changed")
	assert.Empty(t, writes(p.Emulator))
}

func TestAdoptDoesNotOverwrite(t *testing.T) {
	p := newProgram(t, emulator.WithoutAlerts())
	path := filepath.Join(p.folder, "adopted.yaml")
	code, _, stderr := runs(t, "adopt", "-out", path)
	assert.Zero(t, code)
	assert.Contains(t, stderr, "left out:", "a plan without alerts has the rest all the same")
	code, _, stderr = runs(t, "adopt", "-out", path)
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, "file exists")
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotContains(t, string(content), "destinations")
}
