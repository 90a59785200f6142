package reply_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// takeExtras takes the members that records keep beside their fields out of a value, and returns them by the place in
// the value. If a member repeats a name within itself, the last value counts, with any reader.
func takeExtras(t *testing.T, of any) map[string]any {
	t.Helper()
	found := map[string]any{}
	var visit func(path string, v reflect.Value)
	visit = func(path string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				visit(path, v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				visit(fmt.Sprint(path, "/", i), v.Index(i))
			}
		case reflect.Map:
			for _, name := range v.MapKeys() {
				entry := reflect.New(v.Type().Elem()).Elem()
				entry.Set(v.MapIndex(name))
				visit(fmt.Sprint(path, "/", name), entry)
				v.SetMapIndex(name, entry)
			}
		case reflect.Struct:
			if extra, is := v.Addr().Interface().(*scalar.Extra); is {
				for name, value := range extra.All() {
					var read any
					decoder := json.NewDecoder(bytes.NewReader(value))
					decoder.UseNumber()
					require.NoError(t, decoder.Decode(&read), "%s", value)
					found[path+"/"+name] = read
				}
				*extra = scalar.Extra{}
				return
			}
			for i := range v.NumField() {
				if field := v.Type().Field(i); field.IsExported() {
					visit(path+"/"+field.Name, v.Field(i))
				}
			}
		}
	}
	visit("", reflect.ValueOf(of))
	return found
}

// TestRead_keepsUnknownMembers reads records in records, as they are documented and with something to forgive, which
// the JSON library reads: if they have no field for a member, they contain it all the same.
func TestRead_keepsUnknownMembers(t *testing.T) {
	const repeated = `"id":0,`
	for _, odd := range []string{"", repeated} {
		body := `{"data":[{` + odd +
			`"id":"a","plan":{"tier":[1,2.50]},"$extra":7,"tags":[{"label":"x"},{"label":"y","color":"red"}]},{"id":"b"}]}`
		content, err := read[[]admin.Endpoint](api.ResponsePage, jsonType, []byte(body))
		require.NoError(t, err, body)
		first := content.Data[0]
		assert.Equal(t, []string{"plan", "$extra"}, first.Extra.Names())
		plan, is := first.Extra.Get("plan")
		assert.True(t, is)
		assert.Equal(t, `{"tier":[1,2.50]}`, string(plan), "as it was sent")
		assert.True(t, first.Tags[0].Extra.IsZero())
		assert.Equal(t, []string{"color"}, first.Tags[1].Extra.Names())
		assert.True(t, content.Data[1].Extra.IsZero())

		body = `{"data":{` + strings.ReplaceAll(odd, `"id":0`, `"http_url":null,"http_url":null`) +
			`"multichain_urls":{"a":{"sse_url":"x"},"b":{}}}}`
		addresses, err := read[admin.EndpointURLs](api.ResponseData, jsonType, []byte(body))
		require.NoError(t, err, body)
		assert.Equal(t, []string{"sse_url"}, addresses.Data.MultichainURLs["a"].Extra.Names())
		assert.True(t, addresses.Data.MultichainURLs["b"].Extra.IsZero())

		body = `[{` + odd + `"id":"a","owner":"x\ud800"}]`
		destinations, err := read[[]alerts.Destination](api.ResponseArray, jsonType, []byte(body))
		require.NoError(t, err, body)
		assert.Equal(t, []string{"owner"}, destinations.Data[0].Extra.Names())

		body = "[{" + odd + `"id":"a","owner":"x` + "\xff\"}]"
		destinations, err = read[[]alerts.Destination](api.ResponseArray, jsonType, []byte(body))
		require.NoError(t, err, body)
		owner, _ := destinations.Data[0].Extra.Get("owner")
		assert.Equal(t, "\"x\uFFFD\"", string(owner))
	}
}

// TestOneOrMany_keepsUnknownMembers reads the payload that comes in two forms.
func TestOneOrMany_keepsUnknownMembers(t *testing.T) {
	for _, body := range []string{`{"data":{"option":"cors","since":1}}`, `{"data":[{"option":"cors","since":1}]}`} {
		content, err := read[reply.OneOrMany[admin.SecurityOption]](api.ResponseMaybe, jsonType, []byte(body))
		require.NoError(t, err, body)
		require.Len(t, content.Data.Items, 1)
		assert.Equal(t, []string{"since"}, content.Data.Items[0].Extra.Names(), body)
	}
}

// TestRead_recordOfUnknownMembersIsNone has responses with nothing in them that was asked for.
func TestRead_recordOfUnknownMembersIsNone(t *testing.T) {
	_, err := read[*admin.SingleEndpoint](api.ResponseData, jsonType,
		[]byte(`{"data":{"message":"no such endpoint"},"success":false}`))
	var failure *reply.Failure
	require.ErrorAs(t, err, &failure)
	content, err := read[*api.RateLimitValues](api.ResponseMaybe, jsonType, []byte(`{"data":{"$extra":{}}}`))
	require.NoError(t, err)
	assert.True(t, content.NoRecord)
}
