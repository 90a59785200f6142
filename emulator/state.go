package emulator

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// state is everything that the emulator remembers. Emulator.mu guards it, so that nothing in here locks.
type state struct {
	settings *settings
	ids      *ids
	// started is when the account came into being.
	started time.Time

	account account
	billing billing

	// endpoints holds every endpoint ever created, by id, and order lists them as they were created. Archived ones
	// stay in both: what they used remains part of the account's usage.
	endpoints map[string]*endpoint
	order     []*endpoint

	tags    tagState
	teams   teamState
	tooling toolingState
	traffic trafficState
	alerts  alertsState
	graph   graphState
}

func newState(settings *settings) *state {
	s := &state{
		settings:  settings,
		ids:       newIDs(settings.seed),
		started:   settings.clock().UTC(),
		endpoints: make(map[string]*endpoint),
	}
	s.account = newAccount(s)
	s.billing = newBilling(s)
	s.teams = newTeams(s)
	s.tooling = newTooling(s)
	s.traffic = newTraffic(s)
	s.graph = newGraph(s)
	return s
}

// now is the emulator's present.
func (s *state) now() time.Time { return s.settings.clock().UTC() }

// endpoint finds an endpoint that is not archived.
func (s *state) endpoint(id string) (*endpoint, error) {
	found, known := s.endpoints[id]
	if !known || found.archived {
		return nil, notFound("endpoint not found")
	}
	return found, nil
}

// live lists the endpoints that are not archived, in the order of their creation.
func (s *state) live() []*endpoint {
	live := slices.Clone(s.order)
	return slices.DeleteFunc(live, func(e *endpoint) bool { return e.archived })
}

// ids makes ids and tokens. They look like the service's own and come from a seed.
type ids struct {
	source *rand.PCG
	random *rand.Rand
	serial int64
}

func newIDs(seed uint64) *ids { return idsFrom(rand.NewPCG(seed, 0x72706366), 1000) }

func idsFrom(source *rand.PCG, serial int64) *ids {
	return &ids{source: source, random: rand.New(source), serial: serial}
}

// clone is what makes the same ids from here on.
func (i *ids) clone() *ids {
	source := *i.source
	return idsFrom(&source, i.serial)
}

// number returns the next integer id, as tags, teams and users have them.
func (i *ids) number() int64 {
	i.serial++
	return i.serial
}

// text returns a lower-case id of n characters.
func (i *ids) text(n int) string {
	const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
	out := make([]byte, n)
	for k := range out {
		out[k] = alphabet[i.random.IntN(len(alphabet))]
	}
	return string(out)
}

// uuid returns a random (version 4) UUID.
func (i *ids) uuid() string {
	high, low := i.random.Uint64(), i.random.Uint64()
	high = high&^uint64(0xf000) | 0x4000
	low = low&^(uint64(3)<<62) | uint64(1)<<63
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&0xffffffffffff)
}

// token returns the secret part of an endpoint's address.
func (i *ids) token() string { return i.text(40) }

// pick returns one of the choices.
func pick[T any](i *ids, choices []T) T { return choices[i.random.IntN(len(choices))] }

// subdomain returns a name for the endpoint with this number. The number keeps names apart.
func (i *ids) subdomain(number int64) string {
	first := pick(i, []string{"amber", "bold", "calm", "cool", "crisp", "deep", "fair", "mild", "neat", "quiet", "swift", "warm"})
	second := pick(i, []string{"brook", "cedar", "cliff", "cloud", "field", "harbor", "lake", "moon", "pine", "river", "sun", "wind"})
	return fmt.Sprintf("%s-%s-%d", first, second, number)
}
