package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// step is how far an endpoint is.
type step string

const (
	stepPlanned  step = "planned"     // Nothing was done.
	stepCreating step = "creating"    // The create may have been sent.
	stepCreated  step = "created"     // The hook may have run.
	stepHanded   step = "handed over" // The overlap runs, or old tokens may have been removed.
	stepDone     step = "done"
)

// entry is what is remembered of an endpoint: ids, and no secrets.
type entry struct {
	Account  int64     `json:"account"`
	Endpoint string    `json:"endpoint"`
	Step     step      `json:"step"`
	Old      []string  `json:"old,omitempty"` // The ids of the tokens to remove.
	New      string    `json:"new,omitempty"` // The id of the new one.
	Handed   time.Time `json:"handed,omitzero"`
}

// journal is the state file. Each step is a line that is appended and reaches the disk before the step begins: the last
// line of an endpoint counts. A line that a crash has torn is none, and its step was not begun. So each step costs the
// same, however many endpoints there are.
type journal struct {
	path    string
	account int64
	file    *os.File // Nil where nothing is to be written.
	entries []*entry // What the file had when it was opened, in the order of their first lines.
}

// openJournal reads a state file, and opens it to be written on where that is asked for.
func openJournal(path string, account int64, write bool) (*journal, error) {
	j := &journal{path: path, account: account}
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	whole := content[:bytes.LastIndexByte(content, '\n')+1]
	if err := j.read(whole); err != nil || !write {
		return j, err
	}
	if j.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, err
	}
	_, seekErr := j.file.Seek(int64(len(whole)), io.SeekStart)
	if err := errors.Join(j.file.Chmod(0o600), j.file.Truncate(int64(len(whole))), seekErr); err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	return j, nil
}

func (j *journal) read(content []byte) error {
	known := map[string]*entry{}
	for line := range bytes.Lines(content) {
		var e entry
		if err := json.Unmarshal(line, &e); err != nil || e.Endpoint == "" {
			return fmt.Errorf("%s is no state of a rotation", j.path)
		}
		if e.Account != j.account {
			return fmt.Errorf("%s belongs to account %d, and this is account %d", j.path, e.Account, j.account)
		}
		if known[e.Endpoint] == nil {
			known[e.Endpoint] = &entry{}
			j.entries = append(j.entries, known[e.Endpoint])
		}
		*known[e.Endpoint] = e
	}
	return nil
}

// save appends entries, and returns when they are on the disk.
func (j *journal) save(entries ...*entry) error {
	var lines bytes.Buffer
	for _, e := range entries {
		e.Account = j.account
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		lines.Write(append(line, '\n'))
	}
	if _, err := j.file.Write(lines.Bytes()); err != nil {
		return err
	}
	return j.file.Sync()
}

// remove ends a rotation that has come to its end.
func (j *journal) remove() error { return os.Remove(j.path) }

// Close closes the file.
func (j *journal) Close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}
