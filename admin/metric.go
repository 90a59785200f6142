package admin

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// MetricPoint is a point of a time series, which the service sends as the JSON array [unix seconds, value].
type MetricPoint struct {
	// Time is the time of the measurement, in UTC. It is zero if the service sent null.
	Time time.Time
	// Value is the measured value. It is nil if the service sent null: nothing was measured, which differs from 0.
	Value *float64
}

// Format prints the record.
func (p MetricPoint) Format(state fmt.State, _ rune) { redact.Record(state, p) }

// MarshalJSON returns [time, value], with the time in the format of [scalar.Time]. If both are absent, it returns null.
func (p MetricPoint) MarshalJSON() ([]byte, error) {
	if p.Time.IsZero() && p.Value == nil {
		return []byte("null"), nil
	}
	return json.Marshal([]any{scalar.NewTime(p.Time), p.Value})
}

// UnmarshalJSON reads an array of a time and a value, or null. The time may have any format that [scalar.Time] reads,
// and the value may be a number, a number in a string, or null. Further elements are ignored.
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

// MetricTag is the subject of a time series: one text, such as a method or a status, or several, such as a kind and an
// item of that kind (observed). It is nil if the service sends none.
type MetricTag []string

// UnmarshalJSON reads a JSON string, an array of strings, or null. A number becomes a text with the same spelling. A
// null in an array becomes an empty text, so that the later texts keep their positions.
func (t *MetricTag) UnmarshalJSON(data []byte) error {
	var texts []scalar.Decimal // Decimal reads strings and numbers, and keeps their spelling.
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
