//go:build unix

package clienttest

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// The environment of the program that TestFollowSurvivesKill kills.
const (
	programURL    = "RPCFLEET_TEST_FOLLOW_URL"
	programKey    = "RPCFLEET_TEST_FOLLOW_KEY"
	programIDs    = "RPCFLEET_TEST_FOLLOW_IDS"
	programFolder = "RPCFLEET_TEST_FOLLOW_FOLDER"
	programTotal  = "RPCFLEET_TEST_FOLLOW_TOTAL"
)

// What the program says on its standard output, one line each, between lines of the testing package.
const (
	saysEntry  = "lines written: " // And their number.
	saysSaving = "a checkpoint is being saved"
)

// TestFollowProgram is the program: it copies logs into a file until that has all lines.
func TestFollowProgram(t *testing.T) {
	if os.Getenv(programURL) == "" {
		t.Skip("it is the program of TestFollowSurvivesKill")
	}
	var total int
	_, err := fmt.Sscan(os.Getenv(programTotal), &total)
	require.NoError(t, err)
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(os.Getenv(programURL)), rpcfleet.WithAPIKey(os.Getenv(programKey)))
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // A lost entry would be waited for.
	defer cancel()
	require.NoError(t, copyLogs(ctx, client, strings.Split(os.Getenv(programIDs), ","), os.Getenv(programFolder), total))
}

// copyLogs writes each entry as a line. The note of a checkpoint is the length of the output and its number of lines.
func copyLogs(ctx context.Context, client *rpcfleet.Client, ids []string, folder string, total int) error {
	store := rpcfleet.FileCheckpoints{Dir: folder}
	checkpoint, err := store.Load(ctx, "a program")
	if err != nil {
		return err
	}
	var length int64
	var lines int
	if checkpoint.Note != "" {
		if _, err := fmt.Sscan(checkpoint.Note, &length, &lines); err != nil {
			return err
		}
	}
	output, err := os.OpenFile(filepath.Join(folder, "output"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer output.Close()
	if err := output.Truncate(length); err != nil {
		return err
	}
	if _, err := output.Seek(length, io.SeekStart); err != nil {
		return err
	}
	unsaved := 0
	for followed, err := range client.Logs.Follow(ctx, ids, rpcfleet.FollowOptions{
		From: time.Now().Add(-time.Hour), Checkpoint: checkpoint, LateWindow: followWindow,
		MinInterval: 20 * time.Millisecond, MaxInterval: 100 * time.Millisecond, PageLimit: 400,
	}) {
		if err != nil {
			return err
		}
		n, err := fmt.Fprintln(output, followed.EndpointID, followed.Entry.RequestID)
		if err != nil {
			return err
		}
		length += int64(n)
		lines++
		fmt.Println(saysEntry + fmt.Sprint(lines))
		if unsaved++; unsaved < rand.N(200) && lines < total {
			continue
		}
		unsaved = 0
		fmt.Println(saysSaving)
		checkpoint := followed.Checkpoint()
		checkpoint.Note = fmt.Sprint(length, lines)
		if err := store.Save(ctx, "a program", checkpoint); err != nil {
			return err
		}
		if lines >= total {
			return nil
		}
	}
	return nil
}
