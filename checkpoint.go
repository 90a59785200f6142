package rpcfleet

import (
	"cmp"
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
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// Checkpoint is a place in the logs that [LogsService.Follow] reads, to go on from: see [FollowOptions.Checkpoint]. The
// zero Checkpoint is the beginning. [FollowedEntry.Checkpoint] and [FollowError] make others.
//
// It is stored as a text of one line, by MarshalText or as a JSON string: a checksum and JSON. It holds the ids of the
// endpoints, times, cursors, hashes of the entries that another page can bring again, and the note in base64; no
// credentials, no address, and nothing of what the entries say. An endpoint takes up to 160 bytes beside its id and its
// cursor, an entry that is remembered 11, and each second with such entries 18. Those are the entries of the last
// [FollowOptions.LateWindow], of the interval before the present reading and of one page: of a log of 10 calls a second
// with the default options, 300 to 600 entries, or 4 to 8 KB; at most [FollowOptions.MaxTracked]. A program with
// many entries saves a checkpoint now and then rather than after each.
//
// Saving a checkpoint after an entry is processed means that no entry is left out. After a crash between the two, the
// entries behind the last checkpoint come again. A program in whose output every entry is to be once, whenever it is
// killed, makes the output and the checkpoint one:
//
//   - With a database, it writes both in one transaction.
//   - With a file, it stores the length of the output in the note, and cuts the output to that length when it begins:
//     the entries behind it come again. Where the machine itself may fail, [os.File.Sync] of the output comes before
//     the saving. The example of Follow is such a program.
//   - Elsewhere, it writes entries under their request id, so that writing one twice changes nothing.
type Checkpoint struct {
	// Note is the program's own, such as the length of its output. It is stored with the place. The checkpoints of
	// Follow come without one.
	Metadata string

	positions []logPosition
}

// IsZero reports whether it is the beginning, without a note.
func (c Checkpoint) IsZero() bool { return c.Metadata == "" && len(c.positions) == 0 }

// CheckpointStore keeps checkpoints. [FileCheckpointStore] is one.
type CheckpointStore interface {
	// Load returns the checkpoint that was saved last under a key, or the zero Checkpoint where none was. One that
	// cannot be read is an error, and not the zero Checkpoint.
	Load(ctx context.Context, key string) (Checkpoint, error)
	// Save keeps a checkpoint in the place of the one before. Whatever interrupts it, Load returns one of the two.
	Save(ctx context.Context, key string, checkpoint Checkpoint) error
}

const (
	// checkpointKind and checkpointVersion begin the text of a checkpoint. Behind them come the checksum of the contents,
	// a colon, and the contents.
	checkpointKind    = "rpcfleet-follow-"
	checkpointVersion = "2:"

	markSize = 8
)

// checkpointContents are the contents of a text.
type checkpointContents struct {
	Note []byte             `json:"note,omitempty"` // Any bytes, which JSON could not hold as a text.
	Logs []positionContents `json:"logs,omitempty"`
}

type positionContents struct {
	Endpoint string    `json:"endpoint"`
	From     time.Time `json:"from"`
	To       time.Time `json:"to,omitzero"`
	Next     time.Time `json:"next,omitzero"`
	Cursor   string    `json:"cursor,omitempty"`
	// Seen has the marks of each second, one behind the other.
	Seen map[int64][]byte `json:"seen,omitempty"`
}

// String returns the text of the checkpoint.
func (c Checkpoint) String() string {
	contents := checkpointContents{Note: []byte(c.Metadata)}
	for i := range c.positions {
		contents.Logs = append(contents.Logs, c.positions[i].contents())
	}
	text, _ := json.Marshal(contents) // It does not fail: the times are in the years 1 to 9999.
	return checkpointKind + checkpointVersion + checksum(text) + ":" + string(text)
}

// checksum is the beginning of a hash.
func checksum(contents []byte) string {
	sum := sha256.Sum256(contents)
	return hex.EncodeToString(sum[:8])
}

// MarshalText returns the text of the checkpoint. It does not fail.
func (c Checkpoint) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the text of a checkpoint. One that is damaged in any way, or of another version of this library
// with another form of the text, is a [*ValidationError].
func (c *Checkpoint) UnmarshalText(text []byte) error {
	wrong := func(rule string) error { return &ValidationError{Field: "checkpoint", Rule: rule} }
	if len(text) == 0 {
		return wrong("must not be empty")
	}
	versioned, found := strings.CutPrefix(string(text), checkpointKind)
	if !found {
		return wrong("must begin with " + checkpointKind)
	}
	summed, found := strings.CutPrefix(versioned, checkpointVersion)
	if !found {
		return wrong("must be of version " + strings.TrimSuffix(checkpointVersion, ":"))
	}
	sum, encoded, _ := strings.Cut(summed, ":")
	if sum != checksum([]byte(encoded)) {
		return wrong("is damaged: its checksum is wrong")
	}
	var contents checkpointContents
	if json.Unmarshal([]byte(encoded), &contents) != nil {
		return wrong("is damaged: its contents make no sense")
	}
	read := Checkpoint{Metadata: string(contents.Note)}
	for _, log := range contents.Logs {
		read.positions = append(read.positions, log.position())
	}
	*c = read
	return nil
}

// contents writes sightings in order, so that the text does not depend on the order of delivery.
func (p *logPosition) contents() positionContents {
	contents := positionContents{
		Endpoint: p.endpoint, From: p.from, To: p.to, Next: p.next, Cursor: p.cursor, Seen: map[int64][]byte{},
	}
	seen := slices.Concat(p.seen, p.page)
	slices.SortFunc(seen, func(a, b seenEntry) int { return cmp.Compare(a.mark, b.mark) })
	for _, s := range seen {
		contents.Seen[s.second] = binary.BigEndian.AppendUint64(contents.Seen[s.second], s.mark)
	}
	return contents
}

func (c *positionContents) position() logPosition {
	p := logPosition{endpoint: c.Endpoint, from: c.From, to: c.To, next: c.Next, cursor: c.Cursor}
	for second, marks := range c.Seen {
		for ; len(marks) >= markSize; marks = marks[markSize:] {
			p.seen = append(p.seen, seenEntry{binary.BigEndian.Uint64(marks), second})
		}
	}
	return p
}

// FileCheckpointStore is a [CheckpointStore] of files in a folder, one for each key, which only the user of the process
// may read. A checkpoint is written to a file of its own, brought to the disk, and then takes the place of the one
// before at once: a process that is killed, or a machine that fails, in the middle of that leaves the one before, and
// a file that the next Save removes. One program at a time uses a key. On file systems that do not tell upper case
// from lower case, neither do keys.
type FileCheckpointStore struct {
	// Dir is the folder, which must exist: the present one where it is empty.
	Dir string
}

const (
	checkpointFile = ".checkpoint"
	unfinishedFile = ".unfinished"
)

// Load returns the checkpoint that was saved last under a key, or the zero Checkpoint if none was.
func (s FileCheckpointStore) Load(ctx context.Context, key string) (Checkpoint, error) {
	checkpoint, err := s.load(ctx, key)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("rpcfleet: loading the checkpoint %q: %w", key, err)
	}
	return checkpoint, nil
}

// Save keeps a checkpoint in the place of the one before.
func (s FileCheckpointStore) Save(ctx context.Context, key string, checkpoint Checkpoint) error {
	if err := s.save(ctx, key, checkpoint); err != nil {
		return fmt.Errorf("rpcfleet: saving the checkpoint %q: %w", key, err)
	}
	return nil
}

func (s FileCheckpointStore) load(ctx context.Context, key string) (checkpoint Checkpoint, err error) {
	name, err := s.name(ctx, key)
	if err != nil {
		return Checkpoint{}, err
	}
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

func (s FileCheckpointStore) save(ctx context.Context, key string, checkpoint Checkpoint) error {
	name, err := s.name(ctx, key)
	if err != nil {
		return err
	}
	saving.Lock()
	defer saving.Unlock()
	path := filepath.Join(s.Dir, name)
	unfinished := path + unfinishedFile
	_ = os.Remove(unfinished) // An interrupted Save has left it. Whoever else has made it does not get the contents.
	file, err := os.OpenFile(unfinished, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(checkpoint.String())
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(unfinished, path)
	}
	if err != nil {
		_ = os.Remove(unfinished) // The error says enough.
		return err
	}
	return syncDir(filepath.Dir(path))
}

// saving is held by the goroutine that has an unfinished file.
var saving sync.Mutex

// name is the name of a key's file: letters, digits and a few marks, whatever the key.
func (FileCheckpointStore) name(ctx context.Context, key string) (string, error) {
	if key == "" {
		return "", &ValidationError{Field: "key", Rule: "must not be empty"}
	}
	return url.QueryEscape(key) + checkpointFile, ctx.Err()
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
