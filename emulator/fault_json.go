package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"time"
)

// faultFields is a fault without its methods.
type faultFields Fault

// faultJSON is the JSON form of a fault.
type faultJSON struct {
	faultFields
	Latency  string `json:"latency,omitempty"`
	Interval string `json:"interval,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (f Fault) MarshalJSON() ([]byte, error) {
	form := faultJSON{faultFields: faultFields(f)}
	if f.Latency != 0 {
		form.Latency = f.Latency.String()
	}
	if f.Interval != 0 {
		form.Interval = f.Interval.String()
	}
	return json.Marshal(form)
}

// UnmarshalJSON implements json.Unmarshaler. A member that is not known is an error, for a rule that is misspelled
// would change what the fault does.
func (f *Fault) UnmarshalJSON(text []byte) error {
	var form faultJSON
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&form); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the fault")
	}
	read := Fault(form.faultFields)
	for _, d := range []struct {
		field, text string
		into        *time.Duration
	}{{"latency", form.Latency, &read.Latency}, {"interval", form.Interval, &read.Interval}} {
		if d.text == "" {
			continue
		}
		var err error
		if *d.into, err = time.ParseDuration(d.text); err != nil {
			return &FaultError{Field: d.field, Rule: `must be a duration such as "300ms"`}
		}
	}
	*f = read
	return nil
}
