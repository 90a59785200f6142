package envelope_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
)

func TestUnmatchedAt(t *testing.T) {
	for data, place := range map[string]string{
		`{"a":{"b":{"name":"x","colour":1}},"c":1,"A":{}}`: "",
		`{"a":{"b":{"Name":"x"}}}`:                         "/data/a/b/Name",
		`{"a":{"b":null,"B":{"Name":"x"}}}`:                "",
		`{"a":null}`:                                       "",
	} {
		err := envelope.UnmatchedAt[plan]([]byte(`{"data":`+data+`}`), []string{"a", "b"})
		if place == "" {
			assert.NoError(t, err, data)
			continue
		}
		var malformed *envelope.Malformed
		require.ErrorAs(t, err, &malformed, data)
		assert.Equal(t, envelope.NoMember, malformed.Reason)
		assert.Contains(t, malformed.Detail, place)
	}
}

func TestLocated(t *testing.T) {
	for name, test := range map[string]struct {
		body  string
		want  envelope.Located[[]int]
		fault string
	}{
		"there":                    {`{"data":{"z":{"b":[9]},"a":{"x":{"b":[8]},"b":[1,2]}}}`, envelope.Located[[]int]{Value: []int{1, 2}, Found: true}, ""},
		"null":                     {`{"data":{"a":{"b":null}}}`, envelope.Located[[]int]{}, ""},
		"null on the way":          {`{"data":{"a":null}}`, envelope.Located[[]int]{}, ""},
		"twice, the last one wins": {`{"data":{"a":{"b":[1]},"a":{"b":[2]}}}`, envelope.Located[[]int]{Value: []int{2}, Found: true}, ""},
		"not asked for":            {`{"data":{"a":{"B":[1]}}}`, envelope.Located[[]int]{}, `there is no "b" where the path leads`},
		"a list on the way":        {`{"data":{"a":[{"b":[1]}]}}`, envelope.Located[[]int]{}, `there is an array where "b" should be in an object`},
		"another shape":            {`{"data":{"a":{"b":["x"]}}}`, envelope.Located[[]int]{}, `a string at "/data/a/b/0" cannot be read as int`},
	} {
		t.Run(name, func(t *testing.T) {
			var into envelope.Located[[]int]
			_, err := envelope.ReadGraph(t.Context(), "application/json", []byte(test.body), envelope.LocatedAt[[]int]([]string{"a", "b"}), &into)
			if test.fault == "" {
				require.NoError(t, err)
				assert.Equal(t, test.want, into)
				return
			}
			var malformed *envelope.Malformed
			require.ErrorAs(t, err, &malformed)
			assert.Equal(t, envelope.Shape, malformed.Reason)
			assert.Equal(t, test.fault, malformed.Detail)
		})
	}
}
