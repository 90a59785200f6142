package progress

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// work makes a hundred steps, all at a time.
func work(bar *Bar) {
	var group sync.WaitGroup
	for range 100 {
		group.Go(bar.Step)
	}
	group.Wait()
	bar.Done()
}

func TestQuietWhereNoTerminalIs(t *testing.T) {
	var buffer bytes.Buffer
	work(Start(&buffer, "Reading", 100))
	assert.Empty(t, buffer.String())

	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	require.NoError(t, err)
	defer file.Close()
	work(Start(file, "Reading", 100))
	work(Start(file, "Reading", -1))
	content, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	assert.Empty(t, content)
}
