package scalar_test

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestUnitsBothWays(t *testing.T) {
	for _, test := range []struct {
		digits   string
		decimals int
		text     string
	}{
		{"0", 0, "0"},
		{"0", 18, "0"},
		{"1", 0, "1"},
		{"1", 1, "0.1"},
		{"-1", 1, "-0.1"},
		{"1", 18, "0.000000000000000001"},
		{"1500000", 6, "1.5"},
		{"-1500000", 6, "-1.5"},
		{"1000000", 6, "1"},
		{"100", 0, "100"},
		{"1000000000000000001", 18, "1.000000000000000001"},
		{"115792089237316195423570985008687907853269984665640564039457584007913129639935", 18,
			"115792089237316195423570985008687907853269984665640564039457.584007913129639935"},
		{"7", scalar.MaxDecimals, "0." + strings.Repeat("0", scalar.MaxDecimals-1) + "7"},
		{"1" + strings.Repeat("0", 9_000), 3, "1" + strings.Repeat("0", 8_997)},
	} {
		units, err := scalar.ParseBigInt(test.digits)
		require.NoError(t, err)
		text, err := units.FormatUnits(test.decimals)
		require.NoError(t, err)
		assert.Equal(t, test.text, text)
		again, err := scalar.ParseUnits(test.text, test.decimals)
		require.NoError(t, err)
		assert.True(t, units.Equal(again), "%s with %d decimals is %s", test.text, test.decimals, again)
	}
}

func TestParseUnitsOfOtherSpellings(t *testing.T) {
	for text, want := range map[string]string{
		"1.50": "150", "1.5000000": "150", "001.5": "150", "0.00": "0", "0.0000": "0", "-0": "0", "1e2": "10000", "15e-1": "150", "0.000e5": "0",
	} {
		got, err := scalar.ParseUnits(text, 2)
		require.NoError(t, err, text)
		assert.Equal(t, want, got.String(), text)
	}
}

func TestUnitsThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"1.234":     `scalar: amount "1.234": must have at most 2 decimals`,
		"-0.001":    `scalar: amount "-0.001": must have at most 2 decimals`,
		"1e-3":      `scalar: amount "1e-3": must have at most 2 decimals`,
		"1e9999":    `scalar: amount "1e9999": more than 10000 digits`,
		"":          `scalar: amount "": not a decimal number`,
		" 1":        `scalar: amount " 1": not a decimal number`,
		"+1":        `scalar: amount "+1": not a decimal number`,
		"1,5":       `scalar: amount "1,5": not a decimal number`,
		"0x10":      `scalar: amount "0x10": not a decimal number`,
		".5":        `scalar: amount ".5": not a decimal number`,
		"1e9999999": `scalar: amount "1e9999999": more than 10000 digits`,
	} {
		_, err := scalar.ParseUnits(text, 2)
		assert.EqualError(t, err, want)
	}
	for decimals, want := range map[int]string{
		-1:                     "scalar: decimals must be from 0 to 255, not -1",
		scalar.MaxDecimals + 1: "scalar: decimals must be from 0 to 255, not 256",
	} {
		_, err := scalar.ParseUnits("1", decimals)
		require.EqualError(t, err, want)
		text, err := scalar.BigIntFrom(1).FormatUnits(decimals)
		require.EqualError(t, err, want)
		assert.Empty(t, text)
	}
}

// TestUnitsRoundTrip takes integers of all sizes there and back, and holds the text against a fraction of big integers.
func TestUnitsRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		v := new(big.Int)
		for range random.IntN(12) {
			v.Lsh(v, 32).Or(v, big.NewInt(int64(random.Uint32())))
		}
		v.Mul(v, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(random.IntN(30))), nil))
		if random.IntN(2) == 0 {
			v.Neg(v)
		}
		decimals := random.IntN(scalar.MaxDecimals + 1)
		text, err := scalar.NewBigInt(v).FormatUnits(decimals)
		require.NoError(t, err)
		again, err := scalar.ParseUnits(text, decimals)
		require.NoError(t, err)
		require.Zero(t, again.Big().Cmp(v), "%s with %d decimals", text, decimals)

		exact, ok := new(big.Rat).SetString(text)
		require.True(t, ok, text)
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
		require.Zero(t, exact.Cmp(new(big.Rat).SetFrac(v, unit)), "%s with %d decimals is %s", v, decimals, text)
	}
}

// FuzzParseUnits makes sure that what is read is what was said: exactly, in one spelling, and there and back.
func FuzzParseUnits(f *testing.F) {
	for _, text := range []string{"1.5", "-0.000001", "1e3", "12e-2", "0", "-0", "1.234", "", ".", "0x1", "1e99999", "٣", "1_0", strings.Repeat("9", 400)} {
		f.Add(text, 6)
	}
	f.Add("1", -1)
	f.Add("1", 256)
	f.Fuzz(func(t *testing.T, text string, decimals int) {
		units, err := scalar.ParseUnits(text, decimals)
		if err != nil {
			require.True(t, units.IsZero())
			return
		}
		exact, err := scalar.NewDecimal(text).Rat()
		require.NoError(t, err)
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
		require.Zero(t, exact.Cmp(new(big.Rat).SetFrac(units.Big(), unit)))
		again, err := units.FormatUnits(decimals)
		require.NoError(t, err)
		same, err := scalar.ParseUnits(again, decimals)
		require.NoError(t, err)
		require.True(t, same.Equal(units))
	})
}
