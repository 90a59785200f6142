package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// snapshotVersion is the version of the files that SaveSnapshot writes. RestoreSnapshot reads no other.
const snapshotVersion = 2

// snapshotNotice is at the top of every file.
const snapshotNotice = "The state of an rpcfleet emulator. It holds the secrets of that emulator: tokens of endpoints and destinations. " +
	"Made-up ones open nothing else; those that a fleet gave are whatever the fleet gave."

// snapshot is the form of a state in a file. Things that several others share, such as tags, are there once for each.
type snapshot struct {
	Notice  string
	Version int
	*state
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
	text, err := e.encodeState()
	if err == nil {
		err = writeFile(file, text)
	}
	if err != nil {
		return fmt.Errorf("emulator: the snapshot cannot be saved: %w", err)
	}
	return nil
}

func (e *Emulator) encodeState() ([]byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var err error
	if e.state.IDs.Random, err = e.state.IDs.source.MarshalBinary(); err != nil {
		return nil, err
	}
	return json.MarshalIndent(snapshot{snapshotNotice, snapshotVersion, e.state}, "", " ")
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
	// Syncing the folder makes the new name last. Not every system can do that.
	if folder, err := os.Open(filepath.Dir(name)); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
	return nil
}

// RestoreSnapshot replaces the state with the one in a file of SaveSnapshot. If the file cannot be read, has another
// version or is inconsistent, it returns an error and changes nothing.
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

// restore makes the state in a snapshot, and checks that its parts are consistent.
func restore(settings *settings, text []byte) (*state, error) {
	var head struct{ Version int }
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("not a snapshot: %w", err)
	}
	if head.Version != snapshotVersion {
		return nil, fmt.Errorf("a snapshot of version %d, where %d is understood", head.Version, snapshotVersion)
	}
	s := &state{settings: settings, endpoints: map[string]*endpoint{}, texts: map[string]string{}}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&snapshot{state: s}); err != nil {
		return nil, fmt.Errorf("not a snapshot: %w", err)
	}
	source := &rand.PCG{}
	if err := source.UnmarshalBinary(s.IDs.Random); err != nil {
		return nil, fmt.Errorf("ids: %w", err)
	}
	s.IDs, s.signer = newIDs(source, s.IDs.Serial), newSigner(s.Tooling.Seed)
	if slices.Contains(s.Tags, nil) || slices.Contains(s.Users, nil) || slices.Contains(s.Destinations, nil) {
		return nil, errors.New("a tag, a user or a destination is null")
	}
	for _, e := range s.Endpoints {
		if e == nil || s.endpoints[e.id()] != nil {
			return nil, errors.New("an endpoint is null, or has the number of another")
		}
		s.endpoints[e.id()] = e
		if err := s.link(e); err != nil {
			return nil, fmt.Errorf("endpoint %d: %w", e.Number, err)
		}
	}
	for _, t := range s.Teams {
		if t == nil || t.Endpoints == nil {
			return nil, errors.New("a team is null, or has no list of endpoints")
		}
		for i, member := range t.Members {
			if member == nil {
				return nil, fmt.Errorf("team %d: a member is null", t.ID)
			}
			known, err := byID(s.Users, "user", member.ID, func(u *user) int64 { return u.ID })
			if err != nil {
				return nil, fmt.Errorf("team %d: there is no user %d", t.ID, member.ID)
			}
			t.Members[i] = known
		}
	}
	for _, n := range s.Notifications {
		if n == nil || slices.Contains(n.Events, nil) {
			return nil, errors.New("a notification or an event is null")
		}
		var err error
		if n.expression, err = parseExpression(string(n.Expression)); err != nil {
			return nil, fmt.Errorf("notification %s: %w", n.ID, err)
		}
	}
	return s, nil
}

// link replaces the endpoint's copies of shared things, and builds the indexes of its log.
func (s *state) link(e *endpoint) error {
	if err := checkNetwork(e.Chain, e.Network); err != nil {
		return err
	}
	for i, t := range e.Tags {
		if t == nil {
			return errors.New("a tag is null")
		}
		known, err := s.tag(t.ID)
		if err != nil {
			return fmt.Errorf("there is no tag %d", t.ID)
		}
		e.Tags[i] = known
	}
	if e.Security.On == nil {
		e.Security.On = map[adminapi.SecurityOptionName]bool{}
	}
	if e.Limits == nil {
		e.Limits = map[adminapi.RateLimitBucket]override{}
	}
	saved := e.Log
	e.Log = newCallLog()
	for _, c := range slices.Concat(saved.Calls, saved.Tallies) {
		if c == nil {
			return errors.New("a call is null")
		}
		if chain, _ := networkBySlug(c.Network); chain == nil {
			return errors.New("a call is of a network that is not in the catalogue")
		}
	}
	for _, c := range saved.Calls {
		if !timeUUIDs.MatchString(c.RequestID) || e.Log.byID[c.RequestID] != nil {
			return errors.New("a call has the request id of another, or none")
		}
		c.URL, c.Request, c.Response = s.text(c.URL), s.text(c.Request), s.text(c.Response)
		e.Log.add(c) // The calls are sorted, so that each is added at the end.
	}
	e.Log.count(saved.Tallies)
	return nil
}
