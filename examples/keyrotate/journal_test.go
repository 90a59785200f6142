package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestATornLineIsNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	j, err := openJournal(path, 7, true)
	require.NoError(t, err)
	require.NoError(t, j.save(&entry{Endpoint: "1", Step: stepPlanned}, &entry{Endpoint: "2", Step: stepPlanned}))
	require.NoError(t, j.save(&entry{Endpoint: "1", Step: stepCreating, Old: []string{"3"}}))
	require.NoError(t, j.Close())
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(content, `{"account":7,"endp`...), 0o644))

	j, err = openJournal(path, 7, true)
	require.NoError(t, err)
	require.NoError(t, j.save(&entry{Endpoint: "2", Step: stepDone}))
	require.NoError(t, j.Close())
	j, err = openJournal(path, 7, false)
	require.NoError(t, err)
	assert.Equal(t, []*entry{
		{Account: 7, Endpoint: "1", Step: stepCreating, Old: []string{"3"}}, {Account: 7, Endpoint: "2", Step: stepDone},
	}, j.entries)
	_, err = openJournal(path, 8, true)
	assert.ErrorContains(t, err, "belongs to account 7, and this is account 8")
	require.NoError(t, os.WriteFile(path, []byte("{}\n"), 0o600))
	_, err = openJournal(path, 7, true)
	assert.ErrorContains(t, err, "is no state of a rotation")
}
