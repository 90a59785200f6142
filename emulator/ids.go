package emulator

import (
	"fmt"
	"math/rand/v2"
)

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
