package scalar_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestPointReads(t *testing.T) {
	at := time.Unix(1700000000, 0).UTC()
	tests := []struct {
		name, in string
		want     scalar.Point
		encoded  string
	}{
		{"the usual pair", `[1700000000, 12.5]`, scalar.Point{Time: at, Value: new(12.5)}, `[1700000000,12.5]`},
		{"an integer value", `[1700000000, 12]`, scalar.Point{Time: at, Value: new(12.0)}, `[1700000000,12]`},
		{"zero", `[1700000000, 0]`, scalar.Point{Time: at, Value: new(0.0)}, `[1700000000,0]`},
		{"null value", `[1700000000, null]`, scalar.Point{Time: at}, `[1700000000,null]`},
		{"value in a string", `[1700000000, "-0.25"]`, scalar.Point{Time: at, Value: new(-0.25)}, `[1700000000,-0.25]`},
		{"elements beyond the pair", `[1700000000, 1, "p95", {}]`, scalar.Point{Time: at, Value: new(1.0)}, `[1700000000,1]`},
		{"milliseconds", `[1700000000250, 1]`, scalar.Point{Time: at.Add(250 * time.Millisecond), Value: new(1.0)}, `[1700000000.25,1]`},
		{"time in a string", `["1700000000", 1]`, scalar.Point{Time: at, Value: new(1.0)}, `[1700000000,1]`},
		{"time as text", `["2023-11-14T22:13:20.000000001Z", 1]`, scalar.Point{Time: at.Add(1), Value: new(1.0)}, `[1700000000.000000001,1]`},
		{"a fraction before the epoch", `[-0.5, 1]`, scalar.Point{Time: time.Unix(-1, 5e8).UTC(), Value: new(1.0)}, `[-0.5,1]`},
		{"the epoch", `[0, 1]`, scalar.Point{Time: time.Unix(0, 0).UTC(), Value: new(1.0)}, `[0,1]`},
		{"beyond the years of unix seconds", `["9999-12-31T23:59:59.5Z", 1]`, scalar.Point{Time: time.Unix(253402300799, 5e8).UTC(), Value: new(1.0)}, `[253402300799500,1]`},
		{"the first second beyond them", `["5138-11-16T09:46:40Z", 1]`, scalar.Point{Time: time.Unix(1e11, 0).UTC(), Value: new(1.0)}, `[100000000000000,1]`},
		{"null time", `[null, 1]`, scalar.Point{Value: new(1.0)}, `[null,1]`},
		{"two nulls", `[null, null]`, scalar.Point{}, `null`},
		{"null", `null`, scalar.Point{}, `null`},
		{"the largest value", `[0, 1.7976931348623157e308]`, scalar.Point{Time: time.Unix(0, 0).UTC(), Value: new(math.MaxFloat64)}, `[0,1.7976931348623157e+308]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := mustDecode[scalar.Point](t, test.in)
			assert.Equal(t, test.want, got)
			assert.Equal(t, test.encoded, mustEncode(t, got))
			assert.Equal(t, got, mustDecode[scalar.Point](t, test.encoded))
		})
	}
}

func TestPointPrintsItsValue(t *testing.T) {
	at := time.Date(2026, 3, 10, 9, 30, 0, 0, time.UTC)
	assert.Equal(t, `[Point{Time: 2026-03-10 09:30:00 +0000 UTC, Value: 1.5} Point{}]`, fmt.Sprint([]scalar.Point{{Time: at, Value: new(1.5)}, {}}))
}

func TestPointRefuses(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"no elements", `[]`, "scalar: Point needs a timestamp and a value, got an array of 0"},
		{"one element", `[1700000000]`, "scalar: Point needs a timestamp and a value, got an array of 1"},
		{"time of the wrong kind", `[{}, 1]`, "scalar: Time cannot be read from a JSON object"},
		{"time that is none", `["soon", 1]`, `scalar: Point: "soon" is not a timestamp`},
		{"time out of range", `[1e300, 1]`, `scalar: Point: "1e300" is not a timestamp`},
		{"value of the wrong kind", `[1700000000, true]`, "scalar: Point's value cannot be read from a JSON boolean"},
		{"value that is none", `[1700000000, "many"]`, `scalar: Point's value "many": not a decimal number`},
		{"empty value", `[1700000000, ""]`, `scalar: Point's value "": not a decimal number`},
		{"value that is not a number", `[1700000000, "NaN"]`, `scalar: Point's value "NaN": not a decimal number`},
		{"value too large", `[1700000000, 1e309]`, `scalar: Point's value "1e309": too large for a float64`},
		{"value too small", `[1700000000, 1e-400]`, `scalar: Point's value "1e-400": too small for a float64`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := decode[scalar.Point](test.in)
			require.EqualError(t, err, test.want)
		})
	}
}

func TestPointRefusesToWrite(t *testing.T) {
	at := time.Unix(1700000000, 0)
	for _, value := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, err := json.Marshal(scalar.Point{Time: at, Value: &value})
		require.ErrorContains(t, err, "not finite")
	}
	_, err := json.Marshal(scalar.Point{Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), Value: new(1.0)})
	require.ErrorContains(t, err, "years 1 to 9999")

	// Zero times in other zones are zero as well.
	east := time.FixedZone("east", 2*60*60)
	assert.Equal(t, "null", mustEncode(t, scalar.Point{Time: time.Time{}.In(east)}))
	assert.Equal(t, "[1700000000,2]", mustEncode(t, scalar.Point{Time: at.In(east), Value: new(2.0)}))
}

func FuzzPoint(f *testing.F) {
	for _, seed := range []string{
		`[1700000000, 12.5]`, `[1700000000, null]`, `["1700000000", "-0.25"]`, `["2023-11-14T22:13:20.000000001Z", 1e-320]`, `[1700000000250, -0]`,
		`[99999999999.999999999, 1]`, `["9999-12-31T23:59:59.999999999Z", 1]`, `[null, null]`, `null`, `[]`, `[1]`, `[1, 2, 3]`, `{}`, `[[], 1]`, `[`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, ok := checkRoundTrip[scalar.Point](t, data)
		if !ok {
			require.Equal(t, scalar.Point{}, p)
			return
		}
		require.Equal(t, time.UTC, p.Time.Location())
	})
}
