package snapshot

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// mu lets one save or load at a time have the unfinished file.
var mu sync.Mutex

// unfinished is the file that a state is written to before it takes the place of the one before. Its name is always the
// same, so that the next save or load finds what one that was killed has left: it holds secrets.
func unfinished(name string) string {
	return filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".unfinished")
}

// Save writes a state to a file that only its owner can read. The file has either all of the state or what it had
// before, also where the machine stops meanwhile. One program at a time uses a file.
func Save(name string, state *State) (err error) {
	mu.Lock()
	defer mu.Unlock()
	state.Notice, state.Version = Notice, Version
	_ = os.Remove(unfinished(name))
	file, err := os.OpenFile(unfinished(name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close(), os.Remove(file.Name()))
		}
	}()
	buffered := bufio.NewWriter(file)
	lines := json.NewEncoder(buffered)
	lines.SetIndent("", " ")
	if err := lines.Encode(state); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), name); err != nil {
		return err
	}
	_ = file.Close() // What was written is on the disk.
	return syncFolder(filepath.Dir(name))
}

// syncFolder makes a file's new name last. Not every system lets a folder be synced; there the name lasts as well as it
// does.
func syncFolder(name string) error {
	folder, err := os.Open(name)
	if err != nil {
		return nil //nolint:nilerr // See above.
	}
	_ = folder.Sync()
	return folder.Close()
}

// Load reads a state from a file, and removes what a save that was killed has left.
func Load(name string) (*State, error) {
	mu.Lock()
	defer mu.Unlock()
	_ = os.Remove(unfinished(name))
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	state, err := Read(bufio.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return state, nil
}

// Read reads a state. It refuses another version, members that it does not know, and anything behind the state.
func Read(from io.Reader) (*State, error) {
	text, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	var head struct{ Version int }
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("not a snapshot: %w", err)
	}
	if head.Version != Version {
		return nil, fmt.Errorf("a snapshot of version %d, where %d is understood", head.Version, Version)
	}
	state := &State{}
	if err := strictly(text, state); err != nil {
		return nil, fmt.Errorf("not a snapshot: %w", err)
	}
	return state, nil
}

func strictly(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into) // The text was one value, and nothing behind it.
}
