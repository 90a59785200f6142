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
