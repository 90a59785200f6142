// Logtail follows the logs of endpoints into a file of JSON lines. A checkpoint beside the file records the position,
// so that the file has every entry once, even if the program is killed.
//
//	go run ./examples/logtail
//	go run ./examples/logtail -file calls.jsonl 1003 1005    # these endpoints; without ids, all of the account
//
// RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account; without them it follows an emulator for three seconds.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func main() {
	file := flag.String("file", filepath.Join(os.TempDir(), "calls.jsonl"), "the `file` to write")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *file, flag.Args()); ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "logtail:", err)
		os.Exit(1)
	}
}

// connect returns a client for the account in the environment, or, with a time limit, for an emulator.
func connect() (client *rpcfleet.Client, lasts time.Duration, err error) {
	if os.Getenv("RPCFLEET_BASE_URL") != "" {
		client, err = rpcfleet.NewFromEnv()
		return client, 10 * 365 * 24 * time.Hour, err
	}
	fmt.Fprintln(os.Stderr, "No RPCFLEET_BASE_URL: using an emulator for three seconds")
	service := emulator.Start()
	ids := service.CreateEndpoints(2)
	go func() {
		for i := 0; ; i++ {
			_, _ = service.AppendLog(ids[i%2], emulator.LoggedCall{Method: "eth_call"})
			time.Sleep(200 * time.Millisecond)
		}
	}()
	client, err = rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	return client, 3 * time.Second, err
}

func run(ctx context.Context, path string, ids []string) error {
	client, lasts, err := connect()
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		for endpoint, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{}) {
			if err != nil {
				return err
			}
			ids = append(ids, endpoint.ID)
		}
	}
	out, err := open(ctx, path)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, lasts)
	defer cancel()
	fmt.Fprintln(os.Stderr, "Writing to", path)
	options := rpcfleet.FollowOptions{From: time.Now().Add(-time.Minute), Checkpoint: out.checkpoint}
	for entry, err := range client.Logs.Follow(ctx, ids, options) {
		if ended := new(rpcfleet.FollowError); errors.As(err, &ended) { // The last error, also after Ctrl-C.
			if err := out.save(ended.Checkpoint); err != nil || errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return err
			}
			return ended
		}
		if err := out.write(entry); err != nil {
			return err
		}
	}
	return nil
}

// output is the file, and the checkpoint of its position.
type output struct {
	file       *os.File
	length     int64
	checkpoint rpcfleet.Checkpoint
	saved      time.Time
}

// open loads the checkpoint and truncates the file to the length in its note. Later entries are delivered again.
func open(ctx context.Context, path string) (*output, error) {
	checkpoint, err := rpcfleet.FileCheckpointStore{Dir: filepath.Dir(path)}.Load(ctx, filepath.Base(path))
	if err != nil {
		return nil, err
	}
	o := &output{checkpoint: checkpoint}
	flags := os.O_WRONLY | os.O_APPEND
	if checkpoint.IsZero() {
		flags |= os.O_CREATE | os.O_EXCL // A file without a checkpoint is not ours.
	} else if _, err := fmt.Sscan(checkpoint.Metadata, &o.length); err != nil {
		return nil, fmt.Errorf("the checkpoint of %s is another program's", path)
	}
	if o.file, err = os.OpenFile(path, flags, 0o600); err == nil {
		err = o.file.Truncate(o.length)
	}
	if err != nil {
		return nil, err
	}
	return o, o.save(checkpoint)
}

// write writes an entry, and saves its checkpoint once a second.
func (o *output) write(followed rpcfleet.FollowedEntry) error {
	line, err := json.Marshal(followed) // The address in it is redacted.
	if err != nil {
		return err
	}
	n, err := o.file.Write(append(line, '\n'))
	o.length += int64(n)
	if err != nil || time.Since(o.saved) < time.Second {
		return err
	}
	return o.save(followed.Checkpoint)
}

// save stores the length of the file together with the checkpoint.
func (o *output) save(checkpoint rpcfleet.Checkpoint) error {
	checkpoint.Metadata, o.saved = fmt.Sprint(o.length), time.Now()
	if err := o.file.Sync(); err != nil {
		return err
	}
	store := rpcfleet.FileCheckpointStore{Dir: filepath.Dir(o.file.Name())}
	return store.Save(context.Background(), filepath.Base(o.file.Name()), checkpoint)
}
