package reply

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSetMembers(t *testing.T) {
	members := []Member{{"a", jsontext.Value(`null`)}, {"z\"", jsontext.Value(`[1]`)}}
	for body, want := range map[string]string{
		`{}`:                         `{"a":null,"z\"":[1]}`,
		`{"b":{"a":1}}`:              `{"b":{"a":1},"a":null,"z\"":[1]}`,
		`{"a":1,"b":2}`:              `{"a":null,"b":2,"z\"":[1]}`,
		`{"z\"":0,"b":1,"b":2}`:      `{"z\"":[1],"b":2,"a":null}`,
		` { "b" : "\u003ca>" } `:     `{"b":"\u003ca>","a":null,"z\"":[1]}`,
		`{"n":123456789012345678}`:   `{"n":123456789012345678,"a":null,"z\"":[1]}`,
		`{"` + "a\\u0301" + `":"é"}`: `{"` + "a\u0301" + `":"é","a":null,"z\"":[1]}`,
	} {
		got, err := SetMembers([]byte(body), members)
		require.NoError(t, err, body)
		assert.Equal(t, want, string(got))
	}
	for _, body := range []string{``, `null`, `[]`, `"a"`, `1`, `{`, `{"a":`} {
		_, err := SetMembers([]byte(body), members)
		require.Error(t, err, body)
	}
	_, err := SetMembers([]byte(`[]`), members)
	require.EqualError(t, err, "the body is no object")
	_, err = SetMembers([]byte(`{}`), []Member{{"\xff", jsontext.Value(`1`)}})
	require.Error(t, err, "a name is UTF-8")
}
