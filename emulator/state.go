package emulator

import (
	"fmt"
	"math/rand/v2"
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

	IDs      ids
	Started  time.Time
	Account  adminapi.AccountInfo
	Invoices []adminapi.Invoice // The newest first, and so are the payments.
	Payments []adminapi.Payment
	// Endpoints has every endpoint ever created, in that order. Archived ones stay, because their usage remains part of
	// the account's.
	Endpoints     []*endpoint
	Tags          []*tag
	Users         []*user
	Teams         []*team
	Destinations  []*destination
	Notifications []*notification
	Tooling       toolingState
	// Logged counts the logged calls. It keeps their ids apart.
	Logged int64
	// Graph is the source of the graph area's data. Its seed is never 0.
	Graph fleet.Graph

	endpoints map[string]*endpoint // By id.
	signer    signer
	// graph is nil until the first query.
	graph *graphapi.API
}

func newState(settings *settings) *state {
	s := &state{
		settings: settings, IDs: newIDs(rand.NewPCG(settings.seed, 0x72706366), 1000), Started: settings.clock().UTC(),
		endpoints: map[string]*endpoint{},
		signer:    newSigner(settings.seed), Tooling: toolingState{Seed: settings.seed}, Graph: fleet.Graph{Seed: settings.seed},
	}
	s.addAccount()
	return s
}

// now is the emulator's present.
func (s *state) now() time.Time { return s.settings.clock().UTC() }

// endpoint finds an endpoint that is not archived.
func (s *state) endpoint(id string) (*endpoint, error) {
	found, known := s.endpoints[id]
	if !known || found.Archived {
		return nil, notFound("endpoint not found")
	}
	return found, nil
}

// live lists the endpoints that are not archived, in the order of their creation.
func (s *state) live() []*endpoint {
	return slices.DeleteFunc(slices.Clone(s.Endpoints), func(e *endpoint) bool { return e.Archived })
}

// ids makes ids and tokens from a seed. They look like the service's own.
type ids struct {
	Random []byte // The state of source, set when a snapshot is taken.
	Serial int64

	source *rand.PCG
	random *rand.Rand
}

func newIDs(source *rand.PCG, serial int64) ids {
	return ids{source: source, random: rand.New(source), Serial: serial}
}

// clone returns ids that go on from here on their own.
func (i *ids) clone() ids {
	source := *i.source
	return newIDs(&source, i.Serial)
}

// number returns the next integer id, as tags, teams and users have them.
func (i *ids) number() int64 {
	i.Serial++
	return i.Serial
}

// numberText returns the next integer id as text.
func (i *ids) numberText() *string { return new(strconv.FormatInt(i.number(), 10)) }

// text returns a lower-case id of n characters.
func (i *ids) text(n int) string {
	const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
	out := make([]byte, n)
	for k := range out {
		out[k] = alphabet[i.random.IntN(len(alphabet))]
	}
	return string(out)
}

// uuid returns a random UUID of version 4.
func (i *ids) uuid() string {
	high, low := i.random.Uint64(), i.random.Uint64()
	high = high&^uint64(0xf000) | 0x4000
	low = low&^(uint64(3)<<62) | uint64(1)<<63
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&0xffffffffffff)
}

// token returns the secret part of an endpoint's address.
func (i *ids) token() string { return i.text(40) }

// subdomain returns a name for the endpoint with this number. The number makes it unique.
func (i *ids) subdomain(number int64) string {
	first := []string{"amber", "bold", "calm", "cool", "crisp", "deep", "fair", "mild", "neat", "quiet", "swift", "warm"}
	second := []string{"brook", "cedar", "cliff", "cloud", "field", "harbor", "lake", "moon", "pine", "river", "sun",
		"wind"}
	return fmt.Sprintf("%s-%s-%d", first[i.random.IntN(len(first))], second[i.random.IntN(len(second))], number)
}
