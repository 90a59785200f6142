package api

import (
	"encoding/json"
	"errors"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

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
			return errors.New("the tag of a metric is neither a text nor a list of texts")
		}
	}
	*t = nil
	for _, text := range texts {
		*t = append(*t, text.String())
	}
	return nil
}
