package reply_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

type box[T any] struct {
	Value T `json:"value"`
}

// fussy reads a value token by token, and then refuses it.
type fussy struct{}

func (*fussy) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	for depth := dec.StackDepth(); ; {
		if _, err := dec.ReadToken(); err != nil || dec.StackDepth() == depth {
			return errors.New("not this one")
		}
	}
}

// TestErrors_describeUnusableBody has the whole text about each way in which a body cannot be used. It contains no value
// of the body.
func TestErrors_describeUnusableBody(t *testing.T) {
	for _, test := range []struct{ contentType, body, want string }{
		{"", ``, "empty body"},
		{jsonType, " \n", "empty body"},
		{"", `<p>`, "an HTML page instead of JSON"},
		{jsonType, "<!doctype html>", "an HTML page instead of JSON"},
		{"text/html; charset=utf-8", "Bad gateway", "an HTML page instead of JSON"},
		{"image/png; a=b", "\x89PNG", "unexpected content type: image/png"},
		{"", `{}`, "no data in the response"},
		{"", `{"data":null}`, "no data in the response"},
		{"", `{"data":null,"error":null}`, "no data in the response"},
		{"", `{"data":{"id":`, "response cut short: the JSON value is not complete after 14 bytes"},
		{"", `{"data":{"id":"a`, "response cut short: the JSON value is not complete after 16 bytes"},
		{"", `{"data":` + strings.Repeat(`[`, 100), "response cut short: the JSON value is not complete after 108 bytes"},
		{"", `{"a":"` + strings.Repeat("[", 200), "response cut short: the JSON value is not complete after 206 bytes"},
		{"", `{"data":{"id":a}}`, "invalid JSON: at byte 14"},
		{"text/plain", `hello`, "invalid JSON: at byte 0"},
		{"", `{"data":{"id":"a"}} x`, "text after the JSON value: at byte 20"},
		{"", `{"data":{"id":"a"}}{"data":{"id":"b"}}`, "text after the JSON value: at byte 19"},
		{"", `{"data":{"id":"a","id":"b"}}{}`, "text after the JSON value: at byte 28"},
		{"", `{"data":[]}`, `unexpected type: an array at "/data" cannot be read as an object`},
		{"", `{"data":{"id":{}}}`, `unexpected type: an object at "/data/id" cannot be read as string`},
		{"", `{"data":{"id":[]}}`, `unexpected type: an array at "/data/id" cannot be read as string`},
		{"", `{"data":{"id":true}}`, `unexpected type: a boolean at "/data/id" cannot be read as string`},
		{"", `{"data":{"id":false}}`, `unexpected type: a boolean at "/data/id" cannot be read as string`},
		{"", `{"data":{"tags":7}}`, `unexpected type: a number at "/data/tags" cannot be read as a list`},
		{"", `{"data":{"tags":"a"}}`, `unexpected type: a string at "/data/tags" cannot be read as a list`},
		{"", `{"data":{"count":"s3cr3t"}}`, `unexpected type: a string at "/data/count" cannot be read as int`},
	} {
		kinds := []string{api.ResponseData}
		if !strings.Contains(test.want, "empty body") && !strings.Contains(test.want, "no data") &&
			!strings.Contains(test.want, "unexpected type") {
			kinds = append(kinds, api.ResponseConfirm, api.ResponseNone, api.ResponseMaybe) // They are JSON, or nothing.
		}
		for _, kind := range kinds {
			_, err := read[thing](kind, test.contentType, []byte(test.body))
			require.EqualError(t, err, test.want, "%s: %s", kind, test.body)
		}
	}
	_, err := read[thing](api.ResponseData, "", []byte(`[1]`))
	requireMalformed(t, reply.Shape, err)
	_, err = read[box[admin.Endpoint]](api.ResponseData, "", []byte(`{"data":7}`))
	require.EqualError(t, err,
		`unexpected type: a number at "/data" cannot be read as an object`)
	_, err = read[struct{ Field int }](api.ResponseData, "", []byte(`{"data":7}`))
	require.EqualError(t, err, `unexpected type: a number at "/data" cannot be read as an object`)
	_, err = read[interface{ Method() }](api.ResponseData, "", []byte(`{"data":7}`))
	require.EqualError(t, err, `unexpected type: a value at "/data" cannot be read as an object`)
	_, err = read[[2]int](api.ResponseData, "", []byte(`{"data":7}`))
	require.EqualError(t, err, `unexpected type: a number at "/data" cannot be read as a list`)
	for _, body := range []string{`{"a":[]}`, `[{}]`} {
		_, err := read[fussy](api.ResponseData, "", []byte(`{"data":`+body+`}`))
		require.EqualError(t, err, `unexpected type: a value at "/data" cannot be read as an object`)
	}
}

// TestRead_acceptsContentTypesOfJSON admits the content types with which JSON has been sent.
func TestRead_acceptsContentTypesOfJSON(t *testing.T) {
	for _, contentType := range []string{
		"", "text/plain", "application/octet-stream", "application/json", "text/json", "application/problem+json",
		"Application/JSON ; charset=utf-8", " text/json",
	} {
		_, err := read[thing](api.ResponseData, contentType, []byte(`{"data":{"id":"a"}}`))
		assert.NoError(t, err, contentType)
	}
	for _, contentType := range []string{"text/css", "json", "application/xml; a=+json"} {
		_, err := read[*admin.SingleEndpoint](api.ResponseData, contentType, []byte(`{"data":{"id":"a"}}`))
		assert.Error(t, err, contentType)
	}
}

type unnamed struct {
	Label string `json:"label"`
}

// create reads the response to a create.
func create[T any](kind, body string) error {
	_, err := readOf[T](api.Operation{Response: kind}, "", body)
	return err
}

// TestRead_createdRecordNeedsID refuses the record of something that was created if the record has no id, or nothing
// else.
func TestRead_createdRecordNeedsID(t *testing.T) {
	const noID = "no data in the response: no id of the created object"
	for _, test := range []struct {
		create       func(kind, body string) error
		record, want string
	}{
		{create[*thing], `{"id":"a"}`, ""}, {create[*thing], `{"count":1}`, noID},
		{create[*thing], `true`, "no data in the response: a boolean"},
		{create[*thing], `{"id":[]}`, "unexpected type: an array"},
		{create[unnamed], `{"label":"a"}`, ""},
		{create[unnamed], `{"label":""}`, "no data in the response: the record is empty"},
		{create[unnamed], `{"later":1}`, "no data in the response: the record is empty"},
		{create[*admin.SingleEndpoint], `{"id":"a","later":1}`, ""}, {create[*admin.SingleEndpoint], `{"later":1}`, noID},
		{create[string], `"a"`, ""},
	} {
		requireBeginning(t, test.want, test.create(api.ResponseRecord, test.record))
		requireBeginning(t, test.want, test.create(api.ResponseData, `{"data":`+test.record+`}`))
	}
}

func requireBeginning(t *testing.T, want string, err error) {
	t.Helper()
	if want == "" {
		require.NoError(t, err)
		return
	}
	require.Error(t, err)
	require.True(t, strings.HasPrefix(err.Error(), want), "%v", err)
}

// TestHasNames_needsFieldsOfRecord has types with names that only a record has, and with those that a confirmation may
// have as well.
func TestHasNames_needsFieldsOfRecord(t *testing.T) {
	assert.True(t, reply.HasNames(reflect.TypeFor[*box[int]]()))
	for _, of := range []any{
		struct{ Untagged string }{}, []thing{}, "",
		struct {
			A string       `json:"error"`
			B string       `json:"errors"`
			C string       `json:"message"`
			D string       `json:"data"`
			E string       `json:"success"`
			F string       `json:"result"`
			G string       `json:"status,omitempty"`
			H scalar.Extra `json:"$extra"`
		}{},
	} {
		assert.False(t, reply.HasNames(reflect.TypeOf(of)), "%T", of)
	}
}
