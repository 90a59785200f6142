package api

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// cache is a caller's own type that keeps records with their secrets.
type cache[T any] struct {
	Name    string
	Record  scalar.WithSecrets[T]
	List    []scalar.WithSecrets[*T]
	Map     map[string]scalar.WithSecrets[[]T]
	Wrapped scalar.WithSecrets[struct{ Inner map[string][]*T }]
}

// TestRecords_withSecretsRoundTrip writes each record with something in every field, and with nothing in any.
func TestRecords_withSecretsRoundTrip(t *testing.T) {
	require.Greater(t, len(records), 90)
	withSecrets := 0
	for _, record := range records {
		t.Run(record.of.String(), func(t *testing.T) {
			if record.isReadBack(t, filled(t, record.of).Interface()) {
				withSecrets++
			}
			record.isReadBack(t, reflect.Zero(record.of).Interface())
		})
	}
	assert.Greater(t, withSecrets, 8)
}

func isReadBack[T any](t *testing.T, value any) (hasSecrets bool) {
	record := value.(T)
	original := cache[T]{Name: "fleet", Record: scalar.WithSecrets[T]{Value: record}}
	original.List = []scalar.WithSecrets[*T]{{Value: &record}, {}}
	original.Map = map[string]scalar.WithSecrets[[]T]{"a": {Value: []T{record}}}
	original.Wrapped.Value.Inner = map[string][]*T{"b": {nil, &record}}
	stored, err := json.Marshal(original)
	require.NoError(t, err)
	var restored cache[T]
	require.NoError(t, json.Unmarshal(stored, &restored))
	assert.Equal(t, original, restored)

	plain, err := json.Marshal(record)
	require.NoError(t, err)
	assert.NotContains(t, string(plain), secret)
	if !strings.Contains(string(stored), secret) {
		assert.NoError(t, json.Unmarshal(plain, new(scalar.WithSecrets[T])), "there is nothing to redact")
		return false
	}
	var failure *scalar.RedactedError
	require.ErrorAs(t, json.Unmarshal(plain, new(scalar.WithSecrets[T])), &failure)
	assert.Contains(t, pointed(t, plain, failure.Field), "[redacted]", failure.Field)
	assert.ErrorContains(t, json.Unmarshal(plain, new(T)), "is redacted", "without Revealed, too")
	return true
}

// pointed returns the value that a JSON Pointer points to.
func pointed(t *testing.T, document []byte, pointer string) string {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal(document, &value))
	for token := range jsontext.Pointer(pointer).Tokens() {
		switch node := value.(type) {
		case map[string]any:
			value = node[token]
		case []any:
			require.Equal(t, "0", token, "the first secret is in the first item")
			value = node[0]
		}
	}
	text, _ := value.(string)
	return text
}
