package admin

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/times"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// MetricTag is the subject of a time series, such as a method or a status. Several texts (observed) are joined by
// colons: "network:arbitrum-mainnet". It is empty if the service sends none.
type MetricTag string

// UnmarshalJSON reads a JSON string, an array of strings, or null. A number becomes a text with the same spelling, and
// a null in an array an empty text.
func (t *MetricTag) UnmarshalJSON(data []byte) error {
	var texts []scalar.Decimal // Decimal reads strings and numbers, and keeps their spelling.
	if json.Unmarshal(data, &texts) != nil {
		texts = make([]scalar.Decimal, 1)
		if texts[0].UnmarshalJSON(data) != nil {
			return errors.New("admin: MetricTag is neither a text nor a list of texts")
		}
	}
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = text.String()
	}
	*t = MetricTag(strings.Join(all, ":"))
	return nil
}

// MetricPoint is a point of a time series, which the service sends as the JSON array [unix seconds, value].
type MetricPoint struct {
	// Time is the time of the measurement, in UTC. It is zero if the service sent null.
	Time time.Time
	// Value is the measured value. It is nil if the service sent null: nothing was measured, which differs from 0.
	Value *float64
}

// Format prints the record.
func (p MetricPoint) Format(state fmt.State, _ rune) { redact.Record(state, p) }

// MarshalJSON returns [time, value], with the time in RFC 3339, or null if both are absent.
func (p MetricPoint) MarshalJSON() ([]byte, error) {
	if p.Time.IsZero() && p.Value == nil {
		return []byte("null"), nil
	}
	if p.Time.IsZero() {
		return json.Marshal([]any{nil, p.Value})
	}
	return json.Marshal([]any{p.Time, p.Value})
}

// UnmarshalJSON reads an array of a time and a value, or null. The time may be in unix seconds, as a number or in a
// string, in RFC 3339, or null, and the value a number, a number in a string, or null. Further elements are ignored.
func (p *MetricPoint) UnmarshalJSON(data []byte) error {
	var point []json.RawMessage
	err := json.Unmarshal(data, &point)
	switch {
	case err != nil:
		return errors.New("admin: MetricPoint cannot be read: it is not an array")
	case point == nil:
		*p = MetricPoint{}
		return nil
	case len(point) < 2:
		return fmt.Errorf("admin: MetricPoint needs a time and a value, not %d elements", len(point))
	}
	var at, value scalar.Decimal
	if err := errors.Join(at.UnmarshalJSON(point[0]), value.UnmarshalJSON(point[1])); err != nil {
		return fmt.Errorf("admin: MetricPoint: %w", err)
	}
	var read MetricPoint
	if !at.IsZero() {
		var valid bool
		if read.Time, valid = times.Parse(at.String()); !valid {
			return errors.New("admin: MetricPoint: its time cannot be read")
		}
	}
	if !value.IsZero() {
		measured, err := value.Float64()
		if err != nil {
			return fmt.Errorf("admin: MetricPoint: %w", err)
		}
		read.Value = &measured
	}
	*p = read
	return nil
}
