package emulator

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
)

// snapshotVersion is the version of the files that SaveSnapshot writes. RestoreSnapshot reads no other.
const snapshotVersion = 4

// snapshotNotice is at the top of every file.
const snapshotNotice = "The state of an rpcfleet emulator. It holds the secrets of that emulator: tokens of endpoints and destinations. " +
	"Made-up ones open nothing else; those that a fleet gave are whatever the fleet gave."

// snapshot is the form of a state in a file. Things that several others share, such as tags, are there once for each.
// The sum is of the state: a state that was changed in the file may be inconsistent, and is refused.
type snapshot struct {
	Notice  string
	Version int
	Sum     string
	State   json.RawMessage
}

// snapshots lets one save or restore at a time use the unfinished file.
var snapshots sync.Mutex

// unfinished is the file that a state is written to before it replaces the old one. Its name is always the same, so
// that the next save or restore finds a file that a killed save has left. It contains secrets.
func unfinished(name string) string {
	return filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".unfinished")
}

// SaveSnapshot writes the state to a file. An emulator that restores it gives the same responses from then on, and
// makes the same ids. Options, the clock, faults and calls are not saved. The file contains the secrets of the
// emulator, and only its owner can read it. If the machine stops during a save, the file is the old one or the new one.
// A save that was killed may leave a second file beside it, which the next SaveSnapshot or RestoreSnapshot removes.
// Only one program at a time may use a file.
func (e *Emulator) SaveSnapshot(file string) error {
	e.mu.Lock()
	random, err := e.state.IDs.source.MarshalBinary()
	e.state.IDs.Random = random
	text, encoding := json.Marshal(e.state)
	e.mu.Unlock()
	if err = errors.Join(err, encoding); err == nil {
		text, err = json.Marshal(snapshot{snapshotNotice, snapshotVersion, sumOf(text), text})
	}
	if err == nil {
		err = writeFile(file, text)
	}
	if err != nil {
		return fmt.Errorf("emulator: the snapshot cannot be saved: %w", err)
	}
	return nil
}

func sumOf(state []byte) string {
	sum := sha256.Sum256(state)
	return hex.EncodeToString(sum[:])
}

// writeFile replaces a file at once.
func writeFile(name string, text []byte) (err error) {
	snapshots.Lock()
	defer snapshots.Unlock()
	_ = os.Remove(unfinished(name))
	file, err := os.OpenFile(unfinished(name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// RestoreSnapshot replaces the state with the one in a file of SaveSnapshot. If the file cannot be read, has another
// version or was changed, it returns an error and changes nothing.
func (e *Emulator) RestoreSnapshot(file string) error {
	snapshots.Lock()
	_ = os.Remove(unfinished(file))
	text, err := os.ReadFile(file)
	snapshots.Unlock()
	if err != nil {
		return fmt.Errorf("emulator: the snapshot cannot be read: %w", err)
	}
	restored, err := restore(&e.settings, text)
	if err != nil {
		return fmt.Errorf("emulator: the snapshot %s cannot be restored: %w", file, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.state = restored
	return nil
}

// restore makes the state in a snapshot.
func restore(settings *settings, text []byte) (*state, error) {
	var saved snapshot
	if err := json.Unmarshal(text, &saved); err != nil {
		return nil, fmt.Errorf("not a snapshot: %w", err)
	}
	if saved.Version != snapshotVersion {
		return nil, fmt.Errorf("a snapshot of version %d, where %d is understood", saved.Version, snapshotVersion)
	}
	if saved.Sum != sumOf(saved.State) {
		return nil, errors.New("the snapshot was changed")
	}
	s := &state{settings: settings, endpoints: map[string]*endpoint{}}
	source := &rand.PCG{}
	if err := errors.Join(json.Unmarshal(saved.State, s), source.UnmarshalBinary(s.IDs.Random)); err != nil {
		return nil, fmt.Errorf("not a snapshot: %w", err)
	}
	s.IDs, s.signer = newIDs(source, s.IDs.Serial), newSigner(s.Tooling.Seed)
	return s, s.link()
}

// link replaces copies of shared things by the things themselves, and builds the indexes.
func (s *state) link() (err error) {
	for _, e := range s.Endpoints {
		s.endpoints[e.id()] = e
		for i, t := range e.Tags {
			if e.Tags[i], err = s.tag(t.ID); err != nil {
				return err
			}
		}
		e.Log.byID = map[string]*call{}
		for _, c := range e.Log.Calls {
			e.Log.index(c)
		}
	}
	for _, t := range s.Teams {
		for i, member := range t.Members {
			if t.Members[i], err = byID(s.Users, "user", member.ID, func(u *user) int64 { return u.ID }); err != nil {
				return err
			}
		}
	}
	return nil
}
