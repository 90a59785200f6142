package variant_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/variant"
)

func TestTypename_findsName(t *testing.T) {
	for text, want := range map[string]string{
		`{"__typename":"X"}`: "X", `{"a":{"__typename":"Y"},"__typename":"X"}, "b"`: "X", ` {"__typename" : "X"}`: "X",
		`{"a":1,"__typename" : "X"}`: "X",
		`{}`:                         "", `7`: "", `"__typename"`: "", ``: "", `{"a":1}`: "", `{"__typename":7}`: "",
		`{"a":{"__typename":"Y"}}`: "",
		`{"typename":"X"}`:         "",
		`{"a":1,"__typename":"X"`:  "X", `{"__typename":"Y","__typename":"X"}`: "X",
		`{"__typename":"Y","__typename":null}`: "", `{"__typename":`: "",
		"{\"__typename\":\"a\xff\"}": "a\uFFFD",
	} {
		assert.Equal(t, want, variant.Typename([]byte(text)), text)
	}
}
