package main

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestAmountsKeepFourDigits(t *testing.T) {
	assert.Equal(t, "-", amount(nil))
	for want, value := range map[string]float64{
		"0": 0, "2": 2, "-3": -3, "2.400": 2.4, "0.1500": 0.15, "0.0009000": 0.0009, "-0.02480": -0.0248,
		"171.8": 171.76, "1235": 1234.56, "123457": 123456.78, "9.999": 9.999, "1000.0": 999.99996,
		"1e-12": 1e-12, "1.235e+20": 1.2345678e20, "+Inf": math.Inf(1),
	} {
		assert.Equal(t, want, amount(&value))
	}
}

func TestBalancesAreExact(t *testing.T) {
	for _, test := range []struct{ balance, decimals, want string }{
		{"1000000000000000001", "18", "1.000000000000000001"},
		{"1500000", "6", "1.5"},
		{"1000000", "6", "1"},
		{"1", "6", "0.000001"},
		{"0", "18", "0"},
		{"100", "0", "100"},
		{"-25", "1", "-2.5"},
		{"7", "-1", "7 units"},
		{"7", "256", "7 units"},
		{"7", "36893488147419103232", "7 units"},
	} {
		balance, err := scalar.ParseBigInt(test.balance)
		require.NoError(t, err)
		decimals, err := scalar.ParseBigInt(test.decimals)
		require.NoError(t, err)
		assert.Equal(t, test.want, whole(&graph.TokenBalance{TotalBalance: balance, Contract: &graph.Token{Decimals: &decimals}}))
	}
	assert.Equal(t, "7 units", whole(&graph.TokenBalance{TotalBalance: scalar.BigIntFrom(7)}))
}

func TestTextFromTheServiceStaysOnItsLine(t *testing.T) {
	for in, want := range map[string]string{
		"Quiet Harbors":      "Quiet Harbors",
		" 港 👩\u200d👧 ":       "港 👩\u200d👧",
		"a\tb\nc\rd":         "a�b�c�d",
		"\x1b[31mred\x1b[0m": "�[31mred�[0m",
		"a\u202eb\u2066c":    "a�b�c",
		"a\u2028b":           "a�b",
		"a\xffb":             "a�b",
	} {
		assert.Equal(t, want, clean(in), "%q", in)
	}
	assert.Equal(t, strings.Repeat("é", 80), clean(strings.Repeat("é", 80)))
	assert.Equal(t, strings.Repeat("é", 79)+"…", clean(strings.Repeat("é", 81)))
}

func TestEndsOfLongNames(t *testing.T) {
	hash, err := scalar.ParseBigInt("1234567890123456789012345")
	require.NoError(t, err)
	assert.Equal(t, "123456789012…89012345", id(&hash))
	assert.Equal(t, "9007199254740993", id(new(scalar.BigIntFrom(9007199254740993))))
	assert.Equal(t, "-", id(nil))
	assert.Equal(t, "0x0123…4567", short("0x0123456789abcdef01234567"))
	assert.Equal(t, "0x0123456789", short("0x0123456789"))
}

func TestNotesSayWhatIsLeftOut(t *testing.T) {
	assert.Equal(t, "", note(3, 3))
	assert.Equal(t, "3 of 4", note(3, 4))
	assert.Equal(t, "the first 3", note(3, -1))
}
