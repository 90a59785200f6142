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
	"slices"
	"strconv"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/graphapi"
)

// state is all that the emulator remembers. Emulator.mu guards it. The exported fields, here and in the records that
// it holds, are saved in a snapshot. The others follow from them.
type state struct {
	settings *settings

	IDs      idSource
	Started  time.Time
	Account  adminapi.AccountInfo
	Invoices []adminapi.Invoice // The newest first, and so are the payments.
	Payments []adminapi.Payment
	// Endpoints has every endpoint ever created, in that order. Archived ones stay, because their usage remains part of
	// the account's.
	Endpoints     []*endpointData
	Tags          []*tagData
	Users         []*user
	Teams         []*teamData
	Destinations  []*destination
	Notifications []*notification
	Tooling       toolingState
	// Logged counts the logged calls. It keeps their ids apart.
	Logged int64
	// Graph is the source of the graph area's data. Its seed is never 0.
	Graph fleet.Graph

	endpoints map[string]*endpointData // By id.
	signer    signer
	// graph is nil until the first query.
	graph *graphapi.API
}

func newState(settings *settings) *state {
	s := &state{
		settings: settings, IDs: idSource{Seed: settings.seed, Serial: 1000}, Started: settings.clock().UTC(),
		endpoints: map[string]*endpointData{},
		signer:    newSigner(settings.seed), Tooling: toolingState{Seed: settings.seed}, Graph: fleet.Graph{Seed: settings.seed},
	}
	s.addAccount()
	return s
}

// now is the emulator's present.
func (s *state) now() time.Time { return s.settings.clock().UTC() }

// endpoint finds an endpoint that is not archived.
func (s *state) endpoint(id string) (*endpointData, error) {
	found, known := s.endpoints[id]
	if !known || found.Archived {
		return nil, notFound("endpoint not found")
	}
	return found, nil
}

// live lists the endpoints that are not archived, in the order of their creation.
func (s *state) live() []*endpointData {
	return slices.DeleteFunc(slices.Clone(s.Endpoints), func(e *endpointData) bool { return e.Archived })
}

// idSource makes ids and tokens from a seed. They look like the service's own.
type idSource struct {
	Seed, Drawn uint64
	Serial      int64
}

// random returns the source of the next random id.
func (i *idSource) random() *rand.Rand {
	i.Drawn++
	return rand.New(rand.NewPCG(i.Seed, i.Drawn))
}

// number returns the next integer id, as tags, teams and users have them.
func (i *idSource) number() int64 {
	i.Serial++
	return i.Serial
}

// numberText returns the next integer id as text.
func (i *idSource) numberText() *string { return new(strconv.FormatInt(i.number(), 10)) }

// text returns a lower-case id of n characters.
func (i *idSource) text(n int) string {
	const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
	random, out := i.random(), make([]byte, n)
	for k := range out {
		out[k] = alphabet[random.IntN(len(alphabet))]
	}
	return string(out)
}

// uuid returns a random UUID of version 4.
func (i *idSource) uuid() string {
	random := i.random()
	high, low := random.Uint64()&^uint64(0xf000)|0x4000, random.Uint64()
	low = low&^(uint64(3)<<62) | uint64(1)<<63
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&0xffffffffffff)
}

// token returns the secret part of an endpoint's address.
func (i *idSource) token() string { return i.text(40) }

// subdomain returns a name for the endpoint with this number. The number makes it unique.
func (i *idSource) subdomain(number int64) string {
	first := []string{"amber", "bold", "calm", "cool", "crisp", "deep", "fair", "mild", "neat", "quiet", "swift", "warm"}
	second := []string{"brook", "cedar", "cliff", "cloud", "field", "harbor", "lake", "moon", "pine", "river", "sun",
		"wind"}
	random := i.random()
	return fmt.Sprintf("%s-%s-%d", first[random.IntN(len(first))], second[random.IntN(len(second))], number)
}

// snapshotVersion is the version of the files that SaveSnapshot writes. RestoreSnapshot reads no other.
const snapshotVersion = 4

// snapshotNotice is at the top of every file.
const snapshotNotice = "The state of an rpcfleet emulator. It holds the secrets of that emulator: tokens of endpoints and destinations. " +
	"Made-up ones open nothing else; those that a fleet gave are whatever the fleet gave."

// snapshot is the form of a state in a file. Things that several others share, such as tags, are there once for each.
// The sum is of the state: a state that was changed in the file may be inconsistent, and is rejected.
type snapshot struct {
	Notice  string
	Version int
	Sum     string
	State   json.RawMessage
}

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
	defer e.mu.Unlock()
	text, err := json.Marshal(e.state)
	if err == nil {
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
	e.mu.Lock()
	defer e.mu.Unlock()
	_ = os.Remove(unfinished(file))
	text, err := os.ReadFile(file)
	if err == nil {
		var restored *state
		if restored, err = restore(&e.settings, text); err == nil {
			e.state = restored
			return nil
		}
	}
	return fmt.Errorf("emulator: the snapshot %s cannot be restored: %w", file, err)
}

// restore makes the state in a snapshot.
func restore(settings *settings, text []byte) (*state, error) {
	var saved snapshot
	if err := json.Unmarshal(text, &saved); err != nil {
		return nil, fmt.Errorf("not a snapshot: %w", err)
	}
	if saved.Version != snapshotVersion {
		return nil, fmt.Errorf("a snapshot of version %d instead of %d", saved.Version, snapshotVersion)
	}
	if saved.Sum != sumOf(saved.State) {
		return nil, errors.New("the snapshot was changed")
	}
	s := &state{settings: settings, endpoints: map[string]*endpointData{}}
	if err := json.Unmarshal(saved.State, s); err != nil {
		return nil, fmt.Errorf("not a snapshot: %w", err)
	}
	s.signer = newSigner(s.Tooling.Seed)
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
		e.Log.byID = map[string]*callData{}
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
