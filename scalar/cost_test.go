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

// narrow is 1 if words have 32 bits: a number of 256 bits has twice the words, and the list of them grows once more.
const narrow = 64/bits.UintSize - 1

// TestUnmarshal_boundsAllocations bounds the allocations of reading a value. The numbers do not depend on the machine.
func TestUnmarshal_boundsAllocations(t *testing.T) {
	race.Skip(t) // The detector makes sync.Pool drop things at random.
	checkAllocations[scalar.Secret](t, 1, `"0123456789abcdef0123456789abcdef"`)
	checkAllocations[scalar.SecretURL](t, 1,
		`"https://quiet-river.ethereum-mainnet.example.com/0123456789abcdef0123456789abcdef/"`)
	checkAllocations[scalar.Time](t, 0, `"2024-05-06T07:08:09.123Z"`)
	checkAllocations[scalar.Time](t, 0, `1700000000`)
	checkAllocations[scalar.Time](t, 0, `"1700000000123"`)
	checkAllocations[scalar.Decimal](t, 1, `"1234.50"`)
	checkAllocations[scalar.BigInt](t, 1, `"7001"`)
	checkAllocations[scalar.BigInt](t, 5+narrow,
		`"115792089237316195423570985008687907853269984665640564039457584007913129639935"`)
	secret := scalar.NewSecret("0123456789abcdef0123456789abcdef")
	assert.LessOrEqual(t, testing.AllocsPerRun(50, func() { _ = secret.Reveal() }), 1.0, "revealing makes the text alone")
	text := strings.Repeat("made-up ", 20)
	assert.LessOrEqual(t, testing.AllocsPerRun(50, func() { secret = scalar.NewSecret(text) }), 2.0,
		"the text and the variable that points to it")
}

// checkAllocations fails if reading a list of T, with either version of encoding/json, allocates more than most for an
// item.
func checkAllocations[T any](t *testing.T, most float64, value string) {
	t.Helper()
	const listed, slack = 100, 0.1 // for the list itself
	data, values := []byte("["+strings.Repeat(value+",", listed-1)+value+"]"), make([]T, listed)
	for _, read := range []func() error{
		func() error { clear(values); return json.Unmarshal(data, &values) },
		func() error { clear(values); return jsonv2.Unmarshal(data, &values) },
	} {
		require.NoError(t, read())
		assert.LessOrEqual(t, testing.AllocsPerRun(50, func() { _ = read() })/listed, most+slack)
	}
}
