package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
)

// output is what entries are written to, and where the following goes on.
type output struct {
	io.Writer
	checkpoint rpcfleet.Checkpoint
	// from is where endpoints begin that the checkpoint does not know.
	from time.Time

	// What follows is of a file only.
	file   *os.File
	store  rpcfleet.CheckpointStore
	key    string
	length int64
}

func open(ctx context.Context, o *options, stdout io.Writer) (*output, error) {
	from := time.Now().Add(-o.since)
	if o.file == "" {
		return &output{Writer: stdout, from: from}, nil
	}
	to := &output{store: rpcfleet.FileCheckpoints{Dir: filepath.Dir(o.file)}, key: filepath.Base(o.file), from: from}
	file, err := os.OpenFile(o.file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	to.Writer, to.file = file, file
	if err := to.goOn(ctx); err != nil {
		_ = file.Close() // Nothing was written.
		return nil, err
	}
	return to, nil
}

// goOn cuts the file to what its checkpoint knows of: what a killed program wrote behind it comes again. The note of a
// checkpoint is that length and when the first following began, so that also what came before the first entry is kept.
func (to *output) goOn(ctx context.Context) error {
	checkpoint, err := to.store.Load(ctx, to.key)
	if err != nil {
		return err
	}
	info, err := to.file.Stat()
	if err != nil {
		return err
	}
	path := to.file.Name()
	if checkpoint.IsZero() {
		if info.Size() > 0 {
			return fmt.Errorf("%s is there already, and no checkpoint of it: nothing is written to it", path)
		}
		return to.save(ctx, checkpoint)
	}
	var began int64
	if _, err := fmt.Sscan(checkpoint.Note, &to.length, &began); err != nil || to.length < 0 {
		return fmt.Errorf("%s.checkpoint is not one of %s", path, name)
	}
	if info.Size() < to.length {
		return fmt.Errorf("%s is shorter than its checkpoint says: to begin anew, remove %[1]s.checkpoint and %[1]s", path)
	}
	to.checkpoint, to.from = checkpoint, time.Unix(0, began)
	if err := to.file.Truncate(to.length); err != nil {
		return err
	}
	_, err = to.file.Seek(to.length, io.SeekStart)
	return err
}

// Write writes a line. The length counts whole lines only.
func (to *output) Write(line []byte) (int, error) {
	n, err := to.Writer.Write(line)
	if err == nil {
		to.length += int64(n)
	}
	return n, err
}

// save makes what was written so far and how far the following came one. Ctrl-C does not keep it from that.
func (to *output) save(ctx context.Context, checkpoint rpcfleet.Checkpoint) error {
	if to.file == nil {
		return nil
	}
	if err := to.file.Sync(); err != nil {
		return err
	}
	checkpoint.Note = fmt.Sprint(to.length, to.from.UnixNano())
	return to.store.Save(context.WithoutCancel(ctx), to.key, checkpoint)
}

// Close closes the file.
func (to *output) Close() error {
	if to.file == nil {
		return nil
	}
	return to.file.Close()
}
