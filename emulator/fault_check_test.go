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

// TestInject_refusesInvalidFaults: each rule, by the field to blame.
func TestInject_refusesInvalidFaults(t *testing.T) {
	e := emulator.New()
	for field, faults := range map[string][]emulator.Fault{
		"operation": {
			{Operation: "ArchiveEndpoint", Status: 500},
			{Operation: "getEndpoint", Effect: emulator.EffectLowerLimit, Limit: 1},
			{Operation: "listEndpoints", Effect: emulator.EffectRepeatCursor},
		},
		"params": {
			{Operation: "archiveEndpoint", Params: map[string]string{"tag_id": "1"}, Status: 500},
			{Params: map[string]string{"no": "1"}, Status: 500},
		},
		"after": {{After: -1, Status: 500}}, "times": {{Times: -1, Status: 500}},
		"probability": {
			{Probability: 1.5, Status: 500}, {Probability: -0.5, Status: 500}, {Probability: math.NaN(), Status: 500},
		},
		"effect":  {{Operation: "archiveEndpoint"}, {Effect: "explode"}},
		"latency": {{Latency: -1}},
		"status": {
			{Status: 200}, {Status: 600}, {Effect: emulator.EffectHTML, Status: 199},
			{Effect: emulator.EffectRedirect, Status: 400}, {Effect: emulator.EffectTruncate, Status: 500}, {Body: "x"},
			{Body: "x", Status: 101},
		},
		"body": {{Effect: emulator.EffectHTML, Body: "x"}},
		"retryAfter": {
			{Latency: 1, RetryAfter: "1"}, {Effect: emulator.EffectHTML, RetryAfter: "1"},
			{Effect: emulator.EffectCloseConnection, RetryAfter: "1"},
		},
		"contentType": {{Status: 500, ContentType: "text/plain"}},
		"limit": {
			{Effect: emulator.EffectLowerLimit}, {Effect: emulator.EffectLowerLimit, Limit: -1},
			{Effect: emulator.EffectRepeatPage, Limit: 1},
		},
		"interval": {{Effect: emulator.EffectSlowBody, Interval: -1}, {Effect: emulator.EffectTruncate, Interval: 1}},
		"pointer": {
			{Effect: emulator.EffectSetField, Value: 1}, {Effect: emulator.EffectRemoveField, Pointer: "data"},
			{Effect: emulator.EffectTruncate, Pointer: "/data"},
		},
		"value": {
			{Effect: emulator.EffectRemoveField, Pointer: "/data", Value: 1},
			{Effect: emulator.EffectSetField, Pointer: "/data", Value: make(chan int)},
		},
	} {
		for _, fault := range faults {
			_, err := e.Inject(fault)
			require.ErrorContains(t, err, "emulator: fault: "+field+" ", "%+v", fault)
			assert.PanicsWithError(t, err.Error(), func() { emulator.New(emulator.WithFaults(fault)) })
		}
	}
	assert.Empty(t, e.Faults(), "what makes no sense is not in effect")
}

func TestFault_roundTripsAsJSON(t *testing.T) {
	whole := emulator.Fault{
		Operation: "archiveEndpoint", Params: map[string]string{"id": "7"}, After: 1, Times: 3, Probability: 0.5,
		Latency: 300 * time.Millisecond, Effect: emulator.EffectSetField, Status: 429, RetryAfter: "5",
		ContentType: "text/plain", Limit: 6, Interval: time.Second,
		Pointer: "/data", Value: "x",
	}
	text := must(json.Marshal(whole))(t)
	assert.JSONEq(t, `{"operation":"archiveEndpoint","params":{"id":"7"},"after":1,"times":3,"probability":0.5,
		"latency":"300ms","effect":"set-field","status":429,"retryAfter":"5","contentType":"text/plain","limit":6,"interval":"1s","pointer":"/data","value":"x"}`, string(text))
	var read emulator.Fault
	require.NoError(t, json.Unmarshal(text, &read))
	assert.Equal(t, whole, read)

	text = must(json.Marshal(emulator.Fault{}))(t)
	assert.Equal(t, "{}", string(text), "what is not set is not there")
	for _, wrong := range []string{`{"laten":"1s"}`, `{"latency":"soon"}`, `{"latency":1}`, `{"times":1,"times":2}`, `{"interval":"1"}`, `[]`,
		`{"times":"1"}`} {
		assert.Error(t, json.Unmarshal([]byte(wrong), &read), wrong)
	}
	require.Error(t, read.UnmarshalJSON([]byte(`{} {}`)))
	assert.Equal(t, whole, read, "an error changes nothing")
}
