package scalar_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestIDReads(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"string", `"abc-123"`, "abc-123"},
		{"number", `12345`, "12345"},
		{"number in a string", `"12345"`, "12345"},
		{"leading zeros in a string stay", `"00123"`, "00123"},
		{"beyond 2^53", `9007199254740993`, "9007199254740993"},
		{"beyond 64 bits", `123456789012345678901234567890`, "123456789012345678901234567890"},
		{"negative", `-7`, "-7"},
		{"zero", `0`, "0"},
		{"exponent", `1e3`, "1000"},
		{"integer with a fraction of zero", `12.0`, "12"},
		{"null", `null`, ""},
		{"empty", `""`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			id := mustDecode[scalar.ID](t, test.in)
			assert.Equal(t, scalar.ID(test.want), id)
			assert.Equal(t, test.want, id.String())
			assert.Equal(t, strconv.Quote(test.want), mustEncode(t, id))
		})
	}
}

func TestIDRefuses(t *testing.T) {
	for in, rule := range map[string]string{
		`1.5`:             `ID "1.5": not an integer`,
		`1e-1`:            `ID "1e-1": not an integer`,
		`1e999999999`:     `more than 10000 digits`,
		`1e99999999999`:   `the exponent is out of range`,
		`-1e999999999999`: `the exponent is out of range`,
	} {
		_, err := decode[scalar.ID](in)
		require.ErrorContains(t, err, rule, in)
	}
}

func TestIDAsInteger(t *testing.T) {
	for id, want := range map[scalar.ID]int64{"0": 0, "-7": -7, "00123": 123, "9223372036854775807": math.MaxInt64} {
		n, err := id.Int64()
		require.NoError(t, err, id)
		assert.Equal(t, want, n, id)
	}
	for _, id := range []scalar.ID{"", "abc", "1.5", "0x10", "1_000", "9223372036854775808", " 1"} {
		_, err := id.Int64()
		require.ErrorContains(t, err, "is not a 64-bit integer", id)
	}
	_, err := scalar.ID(strings.Repeat("x", 1000)).Int64()
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 200, "an error shows only the beginning of a long text")
}

func FuzzID(f *testing.F) {
	for _, seed := range []string{`"abc"`, `12345`, `-0`, `9007199254740993`, `1e3`, `1.5`, `1e999999999`, `null`, `""`, `{}`, `"\ud800"`, "\"\xff\"", ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		id, ok := checkRoundTrip[scalar.ID](t, data)
		if !ok {
			require.Empty(t, id)
			return
		}
		if n, err := id.Int64(); err == nil && strconv.FormatInt(n, 10) == id.String() {
			require.Equal(t, id, mustDecode[scalar.ID](t, strconv.FormatInt(n, 10)), "the number reads as the same ID")
		}
	})
}
