package api

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// TestNumbers_convertWithoutLoss has integers with an exponent that are read, and those that are not. FuzzInt has all
// others.
func TestNumbers_convertWithoutLoss(t *testing.T) {
	for raw, want := range map[string]int64{
		"1e3": 1000, "1.5E1": 15, `"1e2"`: 100, "-9.00719925e15": -9007199250000000, "90071992547.1e1": 900719925471,
		"0e99999999999": 0,
	} {
		s := scan.New([]byte(raw))
		assert.Equal(t, want, integer(s), raw)
		assert.True(t, s.End(), raw)
	}
	for _, raw := range []string{
		"12000e-3", "9007199254741e5", "900719925474.1e1", "9007199254740.993e3", "10e9223372036854775807",
		"0.1e-9223372036854775808", "1e99999999999", "true", "null", "[7]", "1 2",
	} {
		s := scan.New([]byte(raw))
		integer(s)
		assert.False(t, s.End(), raw)
	}
	for raw, want := range map[string]float64{"1.5": 1.5, `"1.5"`: 1.5, `"-2"`: -2, `"1e-3"`: 0.001, "7": 7} {
		s := scan.New([]byte(raw))
		assert.InDelta(t, want, float(s), 0, raw)
		assert.True(t, s.End(), raw)
	}
	for _, raw := range []string{`""`, `"NaN"`, `"Inf"`, `"1e400"`, "1e400", `"0x1p3"`, `"1,5"`, "true", "null"} {
		s := scan.New([]byte(raw))
		assert.Zero(t, float(s), raw)
		assert.False(t, s.End(), raw)
	}
}

// FuzzInt compares integers from numbers and texts with exact arithmetic.
func FuzzInt(f *testing.F) {
	for _, seed := range []string{
		"0", "-0", "7", "-7", "99999999999999999", "-9999999999999999", "9223372036854775807", "-9223372036854775808",
		"10.0", "-0.0", "1e2", "9223372036854775807.00", "1E-3", "1000e-3", "-1.0e+1", "1e400",
		"", "-", "x", "01", "-01", "007", "+7", " 7", "7 8", "0x7", "1_0", "0.1", "10.5", "1e-1", "9223372036854775808",
		"-9223372036854775809",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		quoted, err := json.Marshal(literal)
		require.NoError(t, err)
		number := json.Valid([]byte(literal)) && strings.TrimSpace(literal) == literal &&
			strings.Trim(literal, "-0123456789.eE+") == ""
		if mantissa, exponent, _ := strings.Cut(strings.ToLower(literal), "e"); len(exponent) > 4 || len(mantissa) > 1000 {
			return // Exact arithmetic would take its time.
		}
		exact, isExact := new(big.Rat).SetString(literal)
		lossless := number && isExact && exact.IsInt() && exact.Num().IsInt64()
		s := scan.New(quoted)
		value := integer(s)
		readable := s.End()
		require.True(t, lossless || !readable)
		require.True(t, readable || !lossless || strings.ContainsAny(literal, "eE"), "without an exponent")
		if readable {
			require.Equal(t, exact.Num().Int64(), value)
		}
		if number {
			plain := scan.New([]byte(literal))
			require.Equal(t, value, integer(plain))
			require.Equal(t, readable, plain.End())
		}
	})
}
