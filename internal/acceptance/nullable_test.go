package acceptance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
)

// checkNullable demands more of the emulator than the OpenAPI files: if a member of a record may be null, it is present
// as null and not left out. So a stricter contract that demands the member accepts the emulator as well. Envelopes are
// not records: some were observed without their error.
func checkNullable(t testing.TB, name string, op *openapi3.Operation, status int, body []byte) {
	t.Helper()
	if status >= http.StatusMultipleChoices || len(body) == 0 {
		return
	}
	defined := op.Responses.Value(strconv.Itoa(status))
	if defined == nil || defined.Value.Content["application/json"] == nil {
		return
	}
	var value any
	if err := json.Unmarshal(body, &value); !assert.NoError(t, err, name) {
		return
	}
	for _, place := range leftOut(defined.Value.Content["application/json"].Schema.Value, value, "") {
		assert.Fail(t, "a nullable member is left out", "%s: %s", name, place)
	}
}

// leftOut lists the nullable members that a value does not have.
func leftOut(schema *openapi3.Schema, value any, at string) []string {
	var missing []string
	switch value := value.(type) {
	case []any:
		if schema.Items != nil {
			for i, item := range value {
				missing = append(missing, leftOut(schema.Items.Value, item, fmt.Sprintf("%s[%d]", at, i))...)
			}
		}
	case map[string]any:
		for _, part := range schema.AllOf {
			missing = append(missing, leftOut(part.Value, value, at)...)
		}
		for name, property := range schema.Properties {
			member, there := value[name]
			if !there && property.Value.Nullable && schema.Extensions["x-envelope"] == nil {
				missing = append(missing, at+"."+name)
			}
			missing = append(missing, leftOut(property.Value, member, at+"."+name)...)
		}
		if more := schema.AdditionalProperties.Schema; more != nil {
			for name, member := range value {
				missing = append(missing, leftOut(more.Value, member, at+"."+name)...)
			}
		}
	}
	return missing
}
