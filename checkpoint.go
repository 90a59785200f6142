package rpcfleet

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Checkpoint is a position in the logs from which [LogsService.Follow] continues. The zero Checkpoint is the beginning.
// Its text and JSON are one line without credentials, URLs or contents of entries: at most 160 bytes per endpoint
// beside its id and the service's cursor, which is at most 4 KiB, 11 per tracked entry and 18 per second with entries.
//
// If a program saves a checkpoint after it has processed an entry, no entry is lost, but after a crash between the two,
// entries are delivered again. To write each exactly once, write entries and checkpoint in one transaction; or store
// the length of the output file in Metadata and truncate the file to it at the start, as the example of Follow does.
type Checkpoint struct {
	Metadata string // The program's own data, such as the length of its output. Follow leaves it empty.

	all   []logPosition // The positions of all logs, which the checkpoints of a page of entries share.
	index int           // The log that is not at its position in all, but at this one.
	at    *logPosition
}

// IsZero reports whether c is the beginning, without Metadata.
func (c Checkpoint) IsZero() bool { return c.Metadata == "" && len(c.all) == 0 }

// positions returns a copy of the positions of all logs.
func (c Checkpoint) positions() []logPosition {
	positions := slices.Clone(c.all)
	if c.at != nil {
		positions[c.index] = *c.at
	}
	return positions
}

const (
	// checkpointStart is the start of a checkpoint's text. The checksum of the contents, a colon and the contents follow.
	checkpointStart = "rpcfleet-follow-2:"

	markSize = 8
)

// checkpointContents is the JSON of a checkpoint's text.
type checkpointContents struct {
	Note []byte        `json:"note,omitempty"` // Bytes, since a JSON string must be UTF-8.
	Logs []logPosition `json:"logs,omitempty"`
}

// String returns the text of the checkpoint.
func (c Checkpoint) String() string {
	contents := checkpointContents{[]byte(c.Metadata), c.positions()}
	for i := range contents.Logs {
		at := &contents.Logs[i]
		at.Seen = slices.Concat(at.Seen, at.page)
	}
	text, _ := json.Marshal(contents) // It cannot fail: the years are 1 to 9999.
	return checkpointStart + checksum(text) + ":" + string(text)
}

// checksum returns the first 8 bytes of the SHA-256 hash in hexadecimal.
func checksum(contents []byte) string {
	sum := sha256.Sum256(contents)
	return hex.EncodeToString(sum[:8])
}

// MarshalText returns the text of the checkpoint.
func (c Checkpoint) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText decodes a checkpoint. A corrupt text is a [*ValidationError].
func (c *Checkpoint) UnmarshalText(text []byte) error {
	summed, isCheckpoint := strings.CutPrefix(string(text), checkpointStart)
	if !isCheckpoint {
		return &ValidationError{Field: "checkpoint", Rule: "must begin with " + checkpointStart}
	}
	sum, encoded, _ := strings.Cut(summed, ":")
	var contents checkpointContents
	if sum != checksum([]byte(encoded)) || json.Unmarshal([]byte(encoded), &contents) != nil {
		return &ValidationError{Field: "checkpoint", Rule: "is corrupt"}
	}
	*c = Checkpoint{Metadata: string(contents.Note), all: contents.Logs}
	return nil
}

// seenEntries is a list of entries. Its JSON contains the concatenated marks of each second.
type seenEntries []seenEntry

// MarshalJSON returns the marks by second.
func (e seenEntries) MarshalJSON() ([]byte, error) {
	marks := map[int64][]byte{}
	for _, s := range e {
		marks[s.second] = binary.BigEndian.AppendUint64(marks[s.second], s.mark)
	}
	return json.Marshal(marks)
}

// UnmarshalJSON sets the entries from the marks by second.
func (e *seenEntries) UnmarshalJSON(text []byte) error {
	var seen map[int64][]byte
	err := json.Unmarshal(text, &seen)
	for second, marks := range seen {
		for ; len(marks) >= markSize; marks = marks[markSize:] {
			*e = append(*e, seenEntry{binary.BigEndian.Uint64(marks), second})
		}
	}
	return err
}

// FileCheckpointStore keeps one file per key, which only the user may read. If Save is interrupted, the previous
// checkpoint remains. Only one program at a time may use a key. Keys ignore case if files do.
type FileCheckpointStore struct {
	Dir string // The directory, which must exist, or empty for the current directory.
}

const (
	checkpointFile = ".checkpoint"
	unfinishedFile = ".unfinished"
)

// Load returns the checkpoint last saved for a key, or the zero Checkpoint.
func (s FileCheckpointStore) Load(ctx context.Context, key string) (Checkpoint, error) {
	var checkpoint Checkpoint
	path, err := s.path(ctx, key)
	if err == nil {
		var text []byte
		if text, err = os.ReadFile(path); err == nil {
			err = checkpoint.UnmarshalText(text)
		} else if errors.Is(err, fs.ErrNotExist) {
			_, err = os.Stat(filepath.Dir(path)) // A missing directory is an error.
		}
	}
	if err != nil {
		return Checkpoint{}, fmt.Errorf("rpcfleet: loading the checkpoint %q: %w", key, err)
	}
	return checkpoint, nil
}

// Save replaces the checkpoint of a key.
func (s FileCheckpointStore) Save(ctx context.Context, key string, checkpoint Checkpoint) error {
	path, err := s.path(ctx, key)
	if err == nil {
		err = replaceFile(path, checkpoint.String())
	}
	if err != nil {
		return fmt.Errorf("rpcfleet: saving the checkpoint %q: %w", key, err)
	}
	return nil
}

// replaceFile replaces the text of a file, so that an interruption leaves the old text or the new one.
func replaceFile(path, text string) error {
	saving.Lock()
	defer saving.Unlock()
	unfinished := path + unfinishedFile
	_ = os.Remove(unfinished) // Left by an interrupted Save. A file that somebody else created is not written to.
	file, err := os.OpenFile(unfinished, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(unfinished, path)
	}
	if err != nil {
		_ = os.Remove(unfinished) // The first error is enough.
	}
	return err
}

// saving protects the temporary files.
var saving sync.Mutex

// path returns the path of a key's file: the key with URL query escaping, and a suffix.
func (s FileCheckpointStore) path(ctx context.Context, key string) (string, error) {
	if key == "" {
		return "", &ValidationError{Field: "key", Rule: "must not be empty"}
	}
	return filepath.Join(s.Dir, url.QueryEscape(key)+checkpointFile), ctx.Err()
}
