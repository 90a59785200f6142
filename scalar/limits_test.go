package scalar_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestWordsOfErrors has whole texts, and what they quote, which is cut.
func TestWordsOfErrors(t *testing.T) {
	x := strings.Repeat("x", 40)
	decimal := func(spelling string) error {
		_, err := scalar.NewDecimal(spelling).Rat()
		return err
	}
	float := func(spelling string) error {
		_, err := scalar.NewDecimal(spelling).Float64()
		return err
	}
	for want, err := range map[string]error{
		`scalar: Decimal "` + x + `": not a decimal number`:             decimal(x),
		`scalar: Decimal "` + x + `"...: not a decimal number`:          decimal(x + "y"),
		`scalar: Decimal "1e999999999": more than 10000 digits`:         decimal("1e999999999"),
		`scalar: Decimal "1e-999999999": more than 10000 digits`:        decimal("1e-999999999"),
		`scalar: Decimal "1e1000000000": too large for a float64`:       float("1e1000000000"),
		`scalar: Decimal "1e1000000001": the exponent is out of range`:  float("1e1000000001"),
		`scalar: Decimal "1e-1000000000": too small for a float64`:      float("1e-1000000000"),
		`scalar: Decimal "1e-1000000001": the exponent is out of range`: float("1e-1000000001"),
		`scalar: BigInt cannot be read from a JSON boolean`:             new(scalar.BigInt).UnmarshalJSON([]byte(`true`)),
		`scalar: Extra cannot be read from malformed JSON`:              new(scalar.Extra).UnmarshalJSON([]byte(`{`)),
		`scalar: Extra: member "a": ` + scalar.ErrRedacted.Error():      new(scalar.Extra).UnmarshalJSON([]byte(`{"a":"[redacted]"}`)),
		`scalar: Extra cannot be read from a JSON boolean`:              new(scalar.Extra).UnmarshalJSON([]byte(`true`)),
		`scalar: Decimal cannot be read from a JSON boolean`:            new(scalar.Decimal).UnmarshalJSON([]byte(`true`)),
		`scalar: Time cannot be read from a JSON boolean`:               new(scalar.Time).UnmarshalJSON([]byte(`true`)),
		`scalar: Secret cannot be read from a JSON boolean`:             new(scalar.Secret).UnmarshalJSON([]byte(`true`)),
		`scalar: SecretURL cannot be read from a JSON boolean`:          new(scalar.SecretURL).UnmarshalJSON([]byte(`true`)),
	} {
		assert.EqualError(t, err, want)
	}
}

// TestZerosInFrontCountForNothing has integers of more digits than are read, most of which are zeros.
func TestZerosInFrontCountForNothing(t *testing.T) {
	zeros := strings.Repeat("0", 10_001)
	for text, want := range map[string]string{zeros + "79": "79", zeros + "7.0": "7", "-" + zeros + "7e1": "-70"} {
		v, err := scalar.ParseBigInt(text)
		require.NoError(t, err)
		assert.Equal(t, want, v.String())
	}
	_, err := scalar.ParseBigInt("-0x" + strings.Repeat("f", 8304))
	require.NoError(t, err, "the sign is no digit")
}

// TestWhereMillisecondsBegin spells the first times that count them in the ways that are read differently.
func TestWhereMillisecondsBegin(t *testing.T) {
	const from = 100_000_000_000
	for text, want := range map[string]time.Time{
		"100000000000": time.UnixMilli(from), "100000000000.0": time.UnixMilli(from), "1e11": time.UnixMilli(from),
		"-100000000000": time.UnixMilli(-from), "-100000000000.0": time.UnixMilli(-from), "-1e11": time.UnixMilli(-from),
		"99999999999": time.Unix(from-1, 0), "99999999999.0": time.Unix(from-1, 0), "99999999999.5": time.Unix(from-1, 5e8),
	} {
		var got scalar.Time
		require.NoError(t, got.UnmarshalText([]byte(text)))
		assert.True(t, want.Equal(got.Time), "%s: %s", text, got)
	}
	out, err := scalar.NewTime(time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)).AppendText([]byte("x"))
	require.Error(t, err)
	assert.Equal(t, "x", string(out), "what was there stays")
}
