package admin

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// MetricPoint is a point of a time series, which the service spells as the JSON array [unix seconds, value].
type MetricPoint struct {
	// Time is when the value was measured, in UTC. It is zero if the service gave null.
	Time time.Time
	// Value is what was measured. It is nil if the service gave null: nothing was measured then, which is not the same
	// as a measured 0.
	Value *float64
}

// Format prints the record.
func (p MetricPoint) Format(state fmt.State, _ rune) { redact.Record(state, p) }

// MarshalJSON returns [time, value] with the time as [scalar.Time] writes it. A point with neither is null.
func (p MetricPoint) MarshalJSON() ([]byte, error) {
	if p.Time.IsZero() && p.Value == nil {
		return []byte("null"), nil
	}
	return json.Marshal([]any{scalar.NewTime(p.Time), p.Value})
}

// UnmarshalJSON reads an array of a time and a value, or null. The time may have any spelling that [scalar.Time] reads,
// and the value may be a number, a number in a string, or null. Elements beyond these two are ignored.
func (p *MetricPoint) UnmarshalJSON(data []byte) error {
	var point []json.RawMessage
	if json.Unmarshal(data, &point) != nil {
		return errors.New("admin: MetricPoint cannot be read: it is not an array")
	}
	if point == nil {
		*p = MetricPoint{}
		return nil
	}
	if len(point) < 2 {
		return fmt.Errorf("admin: MetricPoint needs a time and a value, not %d elements", len(point))
	}
	var at scalar.Time
	var value scalar.Decimal
	if err := errors.Join(at.UnmarshalJSON(point[0]), value.UnmarshalJSON(point[1])); err != nil {
		return fmt.Errorf("admin: MetricPoint: %w", err)
	}
	if at.Raw() != "" {
		return errors.New("admin: MetricPoint: its time cannot be read")
	}
	read := MetricPoint{Time: at.Time}
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

// MetricTag is what a time series is about: a text such as a method or a status, or several texts such as a kind and
// one of that kind (observed). It is nil if the service gives none.
type MetricTag []string

// UnmarshalJSON reads a JSON string, an array of strings, or null. A number is read as a text of its own spelling, and
// null in an array as an empty text, so that the texts after it keep their places.
func (t *MetricTag) UnmarshalJSON(data []byte) error {
	var texts []scalar.Decimal // It reads strings and numbers, and keeps their spelling.
	if json.Unmarshal(data, &texts) != nil {
		texts = make([]scalar.Decimal, 1)
		if texts[0].UnmarshalJSON(data) != nil {
			return errors.New("admin: MetricTag cannot be read: it is neither a text nor a list of texts")
		}
	}
	*t = nil
	for _, text := range texts {
		*t = append(*t, text.String())
	}
	return nil
}
