package emulator_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// TestFaultsThatMakeNoSense: each rule, by the field to blame.
func TestFaultsThatMakeNoSense(t *testing.T) {
	e := emulator.New()
	for name, c := range map[string]struct {
		fault emulator.Fault
		field string
	}{
		"no operation of the contract": {emulator.Fault{Operation: "ArchiveEndpoint", Status: 500}, "operation"},
		"no parameter of the operation": {
			emulator.Fault{Operation: "archiveEndpoint", Params: map[string]string{"tag_id": "1"}, Status: 500}, "params"},
		"no parameter of any": {emulator.Fault{Params: map[string]string{"no": "1"}, Status: 500}, "params"},
		"no listing": {
			emulator.Fault{Operation: "getEndpoint", Effect: emulator.EffectLowerLimit, Limit: 1}, "operation"},
		"no listing with a cursor": {emulator.Fault{Operation: "listEndpoints", Effect: emulator.EffectRepeatCursor},
			"operation"},
		"negative after":               {emulator.Fault{After: -1, Status: 500}, "after"},
		"negative every":               {emulator.Fault{Every: -1, Status: 500}, "every"},
		"negative times":               {emulator.Fault{Times: -1, Status: 500}, "times"},
		"a probability over 1":         {emulator.Fault{Probability: 1.5, Status: 500}, "probability"},
		"a negative probability":       {emulator.Fault{Probability: -0.5, Status: 500}, "probability"},
		"a probability that is none":   {emulator.Fault{Probability: math.NaN(), Status: 500}, "probability"},
		"a seed for nothing":           {emulator.Fault{Seed: 7, Status: 500}, "seed"},
		"nothing to do":                {emulator.Fault{Operation: "archiveEndpoint"}, "effect"},
		"an unknown effect":            {emulator.Fault{Effect: "explode"}, "effect"},
		"a negative latency":           {emulator.Fault{Latency: -1}, "latency"},
		"a success":                    {emulator.Fault{Status: 200}, "status"},
		"no status of HTTP":            {emulator.Fault{Status: 600}, "status"},
		"a status of no page":          {emulator.Fault{Effect: emulator.EffectHTML, Status: 199}, "status"},
		"a status of no redirect":      {emulator.Fault{Effect: emulator.EffectRedirect, Status: 400}, "status"},
		"a status that is not sent":    {emulator.Fault{Effect: emulator.EffectTruncate, Status: 500}, "status"},
		"a delay of nothing":           {emulator.Fault{Latency: 1, RetryAfter: "1"}, "retryAfter"},
		"a delay of a success":         {emulator.Fault{Effect: emulator.EffectHTML, RetryAfter: "1"}, "retryAfter"},
		"a delay that breaks the line": {emulator.Fault{Status: 429, RetryAfter: "1\r\nX: 1"}, "effect"},
		"a type of another effect":     {emulator.Fault{Status: 500, ContentType: "text/plain"}, "contentType"},
		"a location of another effect": {emulator.Fault{Status: 500, Location: "https://elsewhere.example"}, "location"},
		"a relative location": {emulator.Fault{Effect: emulator.EffectRedirect, Location: "/v0/chains"},
			"location"},
		"no address": {emulator.Fault{Effect: emulator.EffectRedirect, Location: "https://%"},
			"location"},
		"no limit":                      {emulator.Fault{Effect: emulator.EffectLowerLimit}, "limit"},
		"a negative limit":              {emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: -1}, "limit"},
		"a limit of another effect":     {emulator.Fault{Effect: emulator.EffectRepeatPage, Limit: 1}, "limit"},
		"a negative interval":           {emulator.Fault{Effect: emulator.EffectSlowBody, Interval: -1}, "interval"},
		"an interval of another effect": {emulator.Fault{Effect: emulator.EffectTruncate, Interval: 1}, "interval"},
		"no pointer":                    {emulator.Fault{Effect: emulator.EffectSetField, Value: 1}, "pointer"},
		"what is no pointer":            {emulator.Fault{Effect: emulator.EffectRemoveField, Pointer: "data"}, "pointer"},
		"a pointer of another effect":   {emulator.Fault{Effect: emulator.EffectTruncate, Pointer: "/data"}, "pointer"},
		"a value of another effect": {emulator.Fault{Effect: emulator.EffectRemoveField, Pointer: "/data", Value: 1},
			"value"},
		"a value that JSON has not": {
			emulator.Fault{Effect: emulator.EffectSetField, Pointer: "/data", Value: make(chan int)}, "value"},
		"an effect beside another's arg": {emulator.Fault{Effect: emulator.EffectCloseConnection, RetryAfter: "1"},
			"retryAfter"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := e.Inject(c.fault)
			var wrong *emulator.FaultError
			require.ErrorAs(t, err, &wrong)
			assert.Equal(t, c.field, wrong.Field, wrong)
			assert.Contains(t, err.Error(), "emulator: fault: "+c.field+" ")
			assert.PanicsWithError(t, err.Error(), func() { emulator.New(emulator.WithFaults(c.fault)) })
		})
	}
	assert.Empty(t, e.Faults(), "what makes no sense is not in effect")
}

func TestFaultsInJSON(t *testing.T) {
	whole := emulator.Fault{
		Operation: "archiveEndpoint", Params: map[string]string{"id": "7"}, After: 1, Every: 2, Times: 3, Probability: 0.5,
		Seed: 4, Latency: 300 * time.Millisecond, Effect: emulator.EffectSetField, Status: 429, RetryAfter: "5",
		ContentType: "text/plain", Location: "https://elsewhere.example", Limit: 6, Interval: time.Second,
		Pointer: "/data", Value: "x",
	}
	text, err := json.Marshal(whole)
	require.NoError(t, err)
	assert.JSONEq(t, `{"operation":"archiveEndpoint","params":{"id":"7"},"after":1,"every":2,"times":3,"probability":0.5,
		"seed":4,"latency":"300ms","effect":"set-leaf","status":429,"retryAfter":"5","contentType":"text/plain",
		"location":"https://elsewhere.example","limit":6,"interval":"1s","pointer":"/data","value":"x"}`, string(text))
	var read emulator.Fault
	require.NoError(t, json.Unmarshal(text, &read))
	assert.Equal(t, whole, read)

	text, err = json.Marshal(emulator.Fault{})
	require.NoError(t, err)
	assert.Equal(t, "{}", string(text), "what is not set is not there")
	for _, wrong := range []string{`{"laten":"1s"}`, `{"latency":"soon"}`, `{"latency":1}`, `{"interval":"1"}`, `[]`,
		`{"times":"1"}`} {
		assert.Error(t, json.Unmarshal([]byte(wrong), &read), wrong)
	}
	require.Error(t, read.UnmarshalJSON([]byte(`{} {}`)))
	assert.Equal(t, whole, read, "an error changes nothing")
}

// FuzzFaultJSON: a text is a fault or an error; a fault is good or an error; if it is read again it is the same.
func FuzzFaultJSON(f *testing.F) {
	for _, text := range []string{
		`{}`, `{"operation":"archiveEndpoint","params":{"id":"7"},"after":2,"times":1,"status":500}`,
		`{"latency":"300ms"}`, `{"latency":"-1h","interval":"x"}`,
		`{"effect":"set-leaf","pointer":"/data/id","value":{"a":[1]}}`,
		`{"effect":"lower-limit","limit":1,"probability":0.1,"seed":18446744073709551615}`,
		`{"status":429,"retryAfter":"\r\n"}`, `[]`, `{"x":1}`,
	} {
		f.Add(text)
	}
	e := emulator.New()
	f.Fuzz(func(t *testing.T, text string) {
		var fault, again emulator.Fault
		if json.Unmarshal([]byte(text), &fault) != nil {
			return
		}
		encoded, err := json.Marshal(fault)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(encoded, &again), "%s", encoded)
		encodedAgain, err := json.Marshal(again)
		require.NoError(t, err)
		require.JSONEq(t, string(encoded), string(encodedAgain))
		if injection, err := e.Inject(fault); err == nil {
			injection.Remove()
		}
		require.Empty(t, e.Faults())
	})
}
