package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// seeded populates an emulator from a text in a file of this name.
func seeded(t *testing.T, name, text string) error {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return populate(emulator.New(), file)
}

// TestSeedNamesThePlace: if a file is wrong, the error contains the place of the mistake.
func TestSeedNamesThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"endpoint: []\n": "fleet.yaml: endpoint: unknown field",
		"tags: [a]\nendpoints:\n- chain: base\n  lable: x\n":                                                    "fleet.yaml: endpoints[0].lable: unknown field",
		"endpoints:\n- {chain: base, network: base-mainnet}\n- chain: base\n  network: mars\n":                  "fleet.yaml: endpoints[1]: network is not one of the chain",
		"endpoints:\n- chain: base\n  network: base-mainnet\n  usage:\n  - method: eth_call\n    requests: 0\n": "fleet.yaml: endpoints[0].usage[0].requests: must be from 1",
		"teams:\n- name: Payments\n  members:\n  - x@example.com\n":                                             "fleet.yaml: teams[0].members[0]: unknown user",
		"tags: 7\n":                    "fleet.yaml: tags: the value is not acceptable here",
		"7\n":                          "fleet.yaml: the value is not acceptable here",
		"tags: [a]\ntags: [b]\n":       `mapping key "tags" already defined at line 1`,
		"tags: &x [a, *x]\n":           "contains itself",
		"a: &a [1,1]\nb: &b [*a,*a]\n": "fleet.yaml: a: unknown field",
		"tags: !!binary x\n":           "fleet.yaml: ",
		"a: &a {b: c}\nd:\n  <<: *a\n": "line 3: merge keys are not supported",
	} {
		require.ErrorContains(t, seeded(t, "fleet.yaml", text), want, text)
	}
	require.ErrorContains(t, seeded(t, "fleet.json", `{"tags": [""]}`), "fleet.json: tags[0]: label is required")
	require.ErrorContains(t, seeded(t, "fleet.json", `tags: []`), "fleet.json: not JSON")
}

// TestSeedForms: well-formed files, in all the spellings of YAML.
func TestSeedForms(t *testing.T) {
	for _, text := range []string{
		"", "# nothing\n", "tags:\n", "tags: &t [a]\n", "endpoints: []\n",
		"endpoints:\n- &first {chain: base, network: base-mainnet}\n- *first\n",
		"endpoints:\n- chain: base\n  network: base-mainnet\n  usage: [{day: 2026-03-09, method: eth_call, requests: 1}]\n",
	} {
		assert.NoError(t, seeded(t, "fleet.yaml", text), text)
	}
	assert.NoError(t, seeded(t, "fleet.json", `{"tags": ["\ud83d\ude00"]}`))
}

// FuzzSeed: no file makes the program panic or hang.
func FuzzSeed(f *testing.F) {
	example, err := os.ReadFile("fleet.yaml")
	require.NoError(f, err)
	f.Add(string(example))
	f.Add("tags: &x [a, *x]\n")
	f.Add("endpoints:\n- chain: base\n  lable: x\n")
	f.Fuzz(func(t *testing.T, text string) { _ = seeded(t, "fleet.yaml", text) })
}
