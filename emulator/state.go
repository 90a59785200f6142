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

// state is all that the emulator remembers. Emulator.mu guards it.
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
