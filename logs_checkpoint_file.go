package rpcfleet

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// FileCheckpoints is a [CheckpointStore] of files in a folder, one for each key, which only the user of the process may
// read. A checkpoint is written to a file of its own, brought to the disk, and then takes the place of the one before
// at once: a process that is killed, or a machine that fails, in the middle of that leaves the one before. One program
// at a time uses a key. On file systems that do not tell upper case from lower case, neither do keys.
type FileCheckpoints struct {
	// Dir is the folder, which must exist: the present one where it is empty.
	Dir string
}

const (
	checkpointFile = ".checkpoint"
	unfinishedFile = ".unfinished"
)

// Load returns the checkpoint that was saved last under a key, or the zero Checkpoint where none was. What an
// interrupted Save has left is removed, and so is what another program is saving at that moment, whose Save fails then.
func (s FileCheckpoints) Load(ctx context.Context, key string) (Checkpoint, error) {
	checkpoint, err := s.load(ctx, key)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("rpcfleet: loading the checkpoint %q: %w", key, err)
	}
	return checkpoint, nil
}

// Save keeps a checkpoint in the place of the one before.
func (s FileCheckpoints) Save(ctx context.Context, key string, checkpoint Checkpoint) error {
	if err := s.save(ctx, key, checkpoint); err != nil {
		return fmt.Errorf("rpcfleet: saving the checkpoint %q: %w", key, err)
	}
	return nil
}

func (s FileCheckpoints) load(ctx context.Context, key string) (checkpoint Checkpoint, err error) {
	name, err := s.name(ctx, key)
	if err != nil {
		return Checkpoint{}, err
	}
	s.tidy(name)
	text, err := os.ReadFile(filepath.Join(s.Dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		_, err := os.Stat(filepath.Clean(s.Dir)) // A folder that is not there is a mistake.
		return Checkpoint{}, err
	}
	if err != nil {
		return Checkpoint{}, err
	}
	err = checkpoint.UnmarshalText(text)
	return checkpoint, err
}

func (s FileCheckpoints) save(ctx context.Context, key string, checkpoint Checkpoint) error {
	name, err := s.name(ctx, key)
	if err != nil {
		return err
	}
	dir := filepath.Clean(s.Dir)
	file, err := os.CreateTemp(dir, name+".*"+unfinishedFile) // With the permissions 0600.
	if err != nil {
		return err
	}
	_, err = file.WriteString(checkpoint.String())
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		_ = os.Remove(file.Name()) // The error says enough.
		return err
	}
	return syncDir(dir)
}

// name is the name of a key's file: letters, digits and a few marks, whatever the key.
func (FileCheckpoints) name(ctx context.Context, key string) (string, error) {
	if key == "" {
		return "", &ValidationError{Field: "key", Rule: "must not be empty"}
	}
	return url.QueryEscape(key) + checkpointFile, ctx.Err()
}

// tidy removes what interrupted savings of a file have left. It is no harm where that does not work.
func (s FileCheckpoints) tidy(name string) {
	left, _ := fs.Glob(os.DirFS(filepath.Clean(s.Dir)), name+".*"+unfinishedFile)
	for _, path := range left {
		random := strings.TrimSuffix(strings.TrimPrefix(path, name+"."), unfinishedFile)
		if strings.Trim(random, "0123456789") == "" { // Not that of another key, which goes on with the same text.
			_ = os.Remove(filepath.Join(s.Dir, path))
		}
	}
}

// syncDir brings to the disk which files a folder has. Windows has no such call, and does not need it.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
