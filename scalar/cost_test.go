package scalar_test

import (
	"encoding/json"
	"math/bits"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// listed is how many values the lists hold of which the cost is taken, so that the cost of a list does not count.
const listed = 100

func list(value string) []byte {
	return []byte("[" + strings.Repeat(value+",", listed-1) + value + "]")
}

// allocations returns how many allocations read makes for a value of a list.
func allocations(read func()) float64 { return testing.AllocsPerRun(50, read) / listed }

// cost is the reading of a type's values, for the test and the benchmarks below.
type cost struct {
	name, value string
	most        float64 // allocations for a value
	first       func(data []byte) error
	second      func(data []byte) error
}

func costOf[T any](name, value string, most float64) cost {
	values := make([]T, 0, listed)
	return cost{
		name: name, value: value, most: most,
		first:  func(data []byte) error { clear(values[:listed]); return json.Unmarshal(data, &values) },
		second: func(data []byte) error { clear(values[:listed]); return jsonv2.Unmarshal(data, &values) },
	}
}

var costs = []cost{
	costOf[scalar.Secret]("Secret", `"0123456789abcdef0123456789abcdef"`, 1),
	costOf[scalar.SecretURL]("SecretURL",
		`"https://quiet-river.ethereum-mainnet.example.com/0123456789abcdef0123456789abcdef/"`, 1),
	costOf[scalar.Time]("Time", `"2024-05-06T07:08:09.123Z"`, 0),
	costOf[scalar.Time]("Time as unix seconds", `1700000000`, 0),
	costOf[scalar.Time]("Time as unix milliseconds in a string", `"1700000000123"`, 0),
	costOf[scalar.Decimal]("Decimal", `"1234.50"`, 1),
	costOf[scalar.BigInt]("BigInt", `"7001"`, 1),
	costOf[scalar.BigInt]("BigInt of 256 bits",
		`"115792089237316195423570985008687907853269984665640564039457584007913129639935"`, 5+narrow),
}

// narrow is 1 if words have 32 bits: a number of 256 bits has twice the words, and the list of them grows once more.
const narrow = 64/bits.UintSize - 1

// TestAllocations bounds the allocations of reading a value. The numbers do not depend on the machine.
func TestAllocations(t *testing.T) {
	race.Skip(t)      // The detector makes sync.Pool drop things at random.
	const slack = 0.1 // for the list itself
	for _, c := range costs {
		data := list(c.value)
		require.NoError(t, c.second(data), c.name)
		assert.LessOrEqual(t, allocations(func() { _ = c.second(data) }), c.most+slack, c.name)
		// encoding/json copies no value before UnmarshalJSON sees it.
		require.NoError(t, c.first(data), c.name)
		assert.LessOrEqual(t, allocations(func() { _ = c.first(data) }), c.most+slack, "%s with encoding/json", c.name)
	}
	secret := scalar.NewSecret("0123456789abcdef0123456789abcdef")
	assert.LessOrEqual(t, testing.AllocsPerRun(50, func() { _ = secret.Reveal() }), 1.0, "revealing makes the text alone")
	text := strings.Repeat("made-up ", 20)
	assert.LessOrEqual(t, testing.AllocsPerRun(50, func() { secret = scalar.NewSecret(text) }), 2.0,
		"the text and the variable that points to it")
}

// BenchmarkRead reads values of each type, with the second version of encoding/json as this library does. It prints the
// allocations for a value.
func BenchmarkRead(b *testing.B) {
	for _, c := range costs {
		b.Run(c.name, func(b *testing.B) {
			data := list(c.value)
			for b.Loop() {
				_ = c.second(data)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/listed, "ns/value")
			b.ReportMetric(allocations(func() { _ = c.second(data) }), "allocs/value")
			b.ReportMetric(0, "ns/op")
		})
	}
}
