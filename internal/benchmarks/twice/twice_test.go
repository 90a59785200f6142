package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/faultnet"
)

// soon are the losses after which neither rpcfleet nor net/http waits.
func soon() (some []loss) {
	for _, l := range losses() {
		if l.fault.Name != faultnet.Silence.Name {
			some = append(some, l)
		}
	}
	return some
}

// dialRepeating returns a client that repeats every create until it succeeds.
func dialRepeating(address string, client *http.Client) (creates, error) {
	once, err := dialNetHTTP(address, client)
	retry := func(call create) create {
		return func(ctx context.Context) (err error) {
			for range many + 1 {
				if err = call(ctx); err == nil {
					break
				}
			}
			return err
		}
	}
	return creates{retry(once.withBody), retry(once.withoutBody)}, err
}

// TestMeasure_countsCreates measures rpcfleet and a client that retries creates.
func TestMeasure_countsCreates(t *testing.T) {
	defer func(usual time.Duration) { patience = usual }(patience)
	patience = time.Minute
	rows, err := measure([]contestant{contestants[0], {"repeating", "", `{"id":"1"}`, dialRepeating}}, soon())
	require.NoError(t, err)
	calls := []int{26, 24, 20, 16, 36, 0}

	ours := rows[0]
	assert.Equal(t, calls, ours.calls)
	assert.Equal(t, make([]int, len(kinds)), ours.twice)
	assert.Equal(t, [verdicts]int{unknown: 116, failureExecuted: 6}, ours.told, "425 is refused, and all else unknown")
	assert.Equal(t, []int{1, 1}, []int{ours.most1, ours.most2})

	other := rows[1]
	assert.Equal(t, calls, other.calls)
	assert.Equal(t, []int{20, 16, 36, 0}, other.twice[2:])
	assert.GreaterOrEqual(t, other.told[successTwice], 100, "it depends on the moment in which a connection closes")
	assert.Equal(t, []int{many + 1, many + 1}, []int{other.most1, other.most2})
	assert.Equal(t, "more than 10", atMost(other.most1))
}

func TestContestants_makeBothCreates(t *testing.T) {
	for _, c := range contestants {
		t.Run(c.name, func(t *testing.T) {
			var asked []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				body, err := io.ReadAll(req.Body)
				assert.NoError(t, err)
				asked = append(asked, fmt.Sprintf("%s, body %t", req.Method, len(body) > 0))
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, c.record)
			}))
			defer server.Close()
			dialed, err := c.dial(server.URL, server.Client())
			require.NoError(t, err)
			require.NoError(t, dialed.withBody(t.Context()))
			require.NoError(t, dialed.withoutBody(t.Context()))
			assert.Equal(t, []string{"POST, body true", "POST, body false"}, asked)
		})
	}
}

func TestKinds_matchEachFaultOnce(t *testing.T) {
	for _, protocol := range faultnet.Protocols {
		for _, fault := range faultnet.Lost(protocol) {
			matching := 0
			for _, kind := range kinds {
				if kind.faults.MatchString(fault.Name) {
					matching++
				}
			}
			assert.Equal(t, 1, matching, fault.Name)
		}
	}
}

// TestPage_hasRowForEachClient finds a row for each client in both tables of docs/faults.md. The rows of rpcfleet must
// be good.
func TestPage_hasRowForEachClient(t *testing.T) {
	page, err := os.ReadFile("../../../docs/faults.md")
	require.NoError(t, err)
	_, written, found := strings.Cut(string(page), marker)
	require.True(t, found)
	for _, c := range contestants {
		assert.Equal(t, 2, strings.Count(written, "\n| "+c.name+" "), c.name)
	}
	assert.Contains(t, written, "\n| **rpcfleet** | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 |\n")
	assert.Contains(t, written, "\n| **rpcfleet** | 0 | 0 | 122 | 6 | 0 |\n")
}

func TestRun_writesTables(t *testing.T) {
	calls := []loss{{faultnet.HTTP1, faultnet.Respond("500", 500, "text/plain", ""), false, 1}}
	var printed bytes.Buffer
	require.NoError(t, run(contestants[:2], calls, "", &printed))
	assert.Contains(t, printed.String(), "\n| **rpcfleet** | 0 | 0 | 1 | 0 | 0 |\n")
	assert.Contains(t, printed.String(), "\n| net/http | 0 | 0 | 0 | 1 | 0 |\n")

	file := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(file, []byte("before\n"+marker+"old"), 0o600))
	require.NoError(t, run(contestants[:2], calls, file, io.Discard))
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "before\n"+marker+printed.String(), string(page))

	require.NoError(t, os.WriteFile(file, []byte("before\n"), 0o600))
	require.ErrorContains(t, run(contestants[:2], calls, file, io.Discard), "no marker")
	require.ErrorIs(t, run(contestants[:2], calls, file+".none", io.Discard), os.ErrNotExist)
}

func TestMeasure_failedCreateIsError(t *testing.T) {
	broken := contestants[0]
	broken.record = "{}"
	_, err := measure([]contestant{broken}, losses()[:1])
	require.ErrorContains(t, err, "although no response is lost")
	broken.dial = func(string, *http.Client) (creates, error) { return creates{}, http.ErrServerClosed }
	_, err = measure([]contestant{broken}, losses()[:1])
	require.ErrorIs(t, err, http.ErrServerClosed)
}
