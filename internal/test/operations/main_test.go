package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

func TestRewrite_replacesTableBetweenMarkers(t *testing.T) {
	page, err := os.ReadFile("../../../docs/operations.md")
	require.NoError(t, err)
	before, rest, _ := strings.Cut(string(page), begin)
	_, after, _ := strings.Cut(rest, end)
	file := filepath.Join(t.TempDir(), "README.md")
	require.NoError(t, os.WriteFile(file, []byte(before+begin+"| an old row |\n"+end+after), 0o600))
	require.NoError(t, rewrite(file))
	written, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(page), string(written), "docs/operations.md is up to date")
}

func TestRewrite_refusesPageWithoutMarkers(t *testing.T) {
	for name, text := range map[string]string{"none": "# Page\n", "no end": "# Page\n" + begin,
		"no beginning": "# Page\n" + end} {
		file := filepath.Join(t.TempDir(), "README.md")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		require.ErrorContains(t, rewrite(file), "no markers", name)
		left, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, text, string(left), name)
	}
	require.ErrorIs(t, rewrite(filepath.Join(t.TempDir(), "none.md")), os.ErrNotExist)
}

func TestTable_rowsAreGroupedAndMarked(t *testing.T) {
	rows := strings.Split(table([]*api.Operation{
		{ID: "getB", Tag: "Late", Method: "GET", Path: "/b", Source: "contract", Statuses: []int{200, 404}, Idempotent: true, Deprecated: true},
		{ID: "makeA", Tag: "Early", Method: "POST", Path: "/a", Source: "observed", Area: api.AreaAlerts},
	}), "\n")
	assert.Equal(t, []string{
		"| Early | makeA | `POST /alerts/rest/v1/a` |  | observed | only if not executed |",
		"| Late | getB (deprecated) | `GET /b` | 200 404 | contract | yes |",
		"",
	}, rows[2:])
}
