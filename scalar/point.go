package scalar

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/show"
)

// Point is one measurement of a metric, which the service spells as the JSON array [unix seconds, value].
type Point struct {
	// Time is when the value was measured, in UTC. It is zero if the service gave null.
	Time time.Time

	// Value is what was measured. It is nil if the service gave null: nothing was measured then, which is not the same
	// as a measured 0.
	Value *float64
}

// Format prints the record.
func (p Point) Format(state fmt.State, _ rune) { show.Record(state, p) }

// MarshalJSON returns [unix seconds, value] with as many fractional digits as the time needs. A time after the year
// 5138 counts milliseconds, since its seconds would be read as milliseconds. A Point with neither time nor value is
// null; a time outside the years 1 to 9999 and a value that is not finite are errors.
func (p Point) MarshalJSON() ([]byte, error) {
	if p.Time.IsZero() && p.Value == nil {
		return []byte("null"), nil
	}
	if p.Value != nil && (math.IsNaN(*p.Value) || math.IsInf(*p.Value, 0)) {
		return nil, errors.New("scalar: Point: a value that is not finite has no JSON spelling")
	}
	var when any
	if !p.Time.IsZero() {
		if !inBounds(p.Time) {
			return nil, errors.New("scalar: Point: the time is outside the years 1 to 9999")
		}
		when = json.Number(unixText(p.Time))
	}
	return json.Marshal([]any{when, p.Value})
}

// UnmarshalJSON reads an array of a timestamp and a value, or null. The timestamp may have any spelling that [Time]
// reads, and the value may be a number, a number in a string, or null. Elements beyond these two are ignored; an array
// of fewer is an error, and so are a timestamp and a value that cannot be read.
func (p *Point) UnmarshalJSON(data []byte) error { return unmarshal("Point", data, p.read) }

// UnmarshalJSONFrom reads the same as UnmarshalJSON.
func (p *Point) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return unmarshalFrom[Point](dec, p.read)
}

func (p *Point) read(value []byte) error {
	lit, err := readLiteral("Point", value, kindArray)
	if err != nil {
		return err
	}
	if lit.kind == kindNull {
		*p = Point{}
		return nil
	}
	first, rest := cutElement(value[1:])
	second, _ := cutElement(rest)
	if len(second) == 0 {
		return fmt.Errorf("scalar: Point needs a timestamp and a value, got an array of %d", min(len(first), 1))
	}
	var when Time
	if err := when.read(first); err != nil {
		return err
	}
	if when.Raw() != "" {
		return fmt.Errorf("scalar: Point: %s is not a timestamp", quote(when.Raw()))
	}
	measured, err := readMeasured(second)
	if err != nil {
		return err
	}
	*p = Point{Time: when.Time, Value: measured}
	return nil
}

// readMeasured reads a measured value, which is nil for null.
func readMeasured(value []byte) (*float64, error) {
	lit, err := readLiteral("Point's value", value, kindNumber|kindString)
	if err != nil || lit.kind == kindNull {
		return nil, err
	}
	f, err := parseFloat(string(lit.text))
	if err != nil {
		return nil, fmt.Errorf("scalar: Point's value %s: %w", quote(lit.text), err)
	}
	return &f, nil
}

// unixText spells t as a unix time such that parseUnix returns the same instant.
func unixText(t time.Time) string {
	unit := time.Second
	if t.Unix() >= millisecondsFrom {
		unit = time.Millisecond
	}
	nanoseconds := new(big.Int).Mul(big.NewInt(t.Unix()), big.NewInt(int64(time.Second)))
	nanoseconds.Add(nanoseconds, big.NewInt(int64(t.Nanosecond())))
	count := new(big.Rat).SetFrac(nanoseconds, big.NewInt(int64(unit)))
	if count.IsInt() {
		return count.Num().String()
	}
	return strings.TrimRight(count.FloatString(9), "0")
}
