package reply_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// TestRead_describesUnusableBody has the whole text about each way in which a body cannot be used. It contains no value
// of the body.
func TestRead_describesUnusableBody(t *testing.T) {
	page := func(records string) string { return `{"data":[` + records + `]}` }
	for _, test := range []struct{ contentType, body, want string }{
		{"", ``, "empty body"}, {jsonType, " \n", "empty body"}, {"", `<p>`, "an HTML page instead of JSON"},
		{"text/html; charset=utf-8", "Bad gateway", "an HTML page instead of JSON"},
		{"image/png; a=b", "\x89PNG", "unexpected content type: image/png"},
		{"application/xml; a=+json", "{}", "unexpected content type: application/xml"},
		{"", `{}`, "no data in the response"}, {"", `null`, "no data in the response"},
		{"", `{"data":[{"id":`, "response cut short: the JSON value is not complete after 15 bytes"},
		{"", `{"data":[{"id":"a`, "response cut short: the JSON value is not complete after 17 bytes"},
		{"", `{"data":[tru`, "response cut short: the JSON value is not complete after 12 bytes"},
		{"", `{"data":[{"x":-`, "response cut short: the JSON value is not complete after 15 bytes"},
		{"", `{"a":"` + strings.Repeat("[", 200), "response cut short: the JSON value is not complete after 206 bytes"},
		{"", page(`{"id":a}`), "invalid JSON: at byte 15"}, {"text/plain", `hello`, "invalid JSON: at byte 0"},
		{"", page(`{"id":[]},{"id":tru}`), `invalid JSON: at byte 25`},
		{"", page(`{"id":"a"}`) + " x", "text after the JSON value: at byte 22"},
		{"", page(`{"id":"a","id":"b"}`) + "{}", "text after the JSON value: at byte 30"},
		{"", `[]`, `unexpected type: an array at ""`}, {"", page(`null`), `unexpected type: a null at "/data/0"`},
		{"", page(`{},{"id":[]}`), `unexpected type: an array at "/data/1/id"`},
		{"", page(`{"id" : true}`), `unexpected type: a boolean at "/data/0/id"`},
		{"", page(`{"tags":[{"tag_id":9223372036854775808}]}`), `unexpected type: a number at "/data/0/tags/0/tag_id"`},
		{"", `{"data":[],"pagination":{"total":"s3cr3t"}}`, `unexpected type: a string at "/pagination/total"`},
		{"", `{"data":[{"id":[]}],"error":"no"}`, `no`},
		{"", page(strings.Repeat(`{},`, 100_000) + `{}`), `response too large: the records up to "/data/`},
	} {
		kinds := []string{api.ResponsePage}
		if test.contentType+test.body != "" && !strings.Contains(test.want, `"`) && !strings.Contains(test.want, "no data") &&
			!strings.HasPrefix(test.want, "empty") && test.want != "no" {
			kinds = append(kinds, api.ResponseConfirm, api.ResponseNone, api.ResponseMaybe) // They are JSON, or nothing.
		}
		for _, kind := range kinds {
			_, err := read[[]admin.Endpoint](kind, test.contentType, []byte(test.body))
			requireBeginning(t, test.want, err)
		}
	}
}

// TestRead_ofOwnTypeReadsLikeEncodingJSON has values in types of callers, with the place of a value of another kind.
func TestRead_ofOwnTypeReadsLikeEncodingJSON(t *testing.T) {
	type own struct {
		Tags  map[string][]admin.EndpointTag `json:"tags"`
		First *admin.EndpointTag             `json:"first"`
		Label string
	}
	got, err := read[own](api.ResponseData, jsonType,
		[]byte(`{"data":{"tags":{"a":[{"tag_id":7,"new":1},null]},"first":{"label":"b"},"LABEL":"c"}}`))
	require.NoError(t, err)
	assert.Equal(t, own{map[string][]admin.EndpointTag{"a": {{TagID: 7}, {}}},
		&admin.EndpointTag{Label: "b"}, "c"}, got.Data)
	for body, want := range map[string]string{
		`7`:                      `a number at "/data" cannot be read as reply_test.own`,
		`{"first":{"label":[]}}`: `an array at "/data/first/label" cannot be read as string`,
		`{"tags":7}`:             `a number at "/data/tags"`,
	} {
		_, err := read[own](api.ResponseData, jsonType, []byte(`{"data":`+body+`}`))
		require.EqualError(t, err, "unexpected type: "+want)
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
		{create[unnamed], `{"label":"a"}`, ""}, {create[unnamed], `{"label":""}`, noID},
		{create[unnamed], `{"later":1}`, noID}, {create[string], `"a"`, ""},
		{create[*admin.Endpoint], `{"id":"a","later":1}`, ""}, {create[*admin.Endpoint], `{"later":1}`, noID},
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

// TestRead_convertsScalars has what is forgiven in an envelope: see TestReadFunctions_convertWithoutLoss for records.
func TestRead_convertsScalars(t *testing.T) {
	const bom = "\xef\xbb\xbf"
	got, err := read[[]admin.EndpointTag](api.ResponsePage, jsonType,
		[]byte(bom+`{"data":[{"label":7,"tag_id":"3"}],"pagination":{"total":"1000","limit":20.0},"next_at":1700000000}`))
	require.NoError(t, err)
	assert.Equal(t, content[[]admin.EndpointTag]{
		Content: reply.Content{Total: new(1000), Limit: new(20), NextAt: "1700000000"},
		Data:    []admin.EndpointTag{{Label: "7", TagID: 3}},
	}, got)
	_, err = read[thing](api.ResponseConfirm, jsonType, []byte(bom+`{"error":"no"}`))
	require.EqualError(t, err, "no")
	assert.Equal(t, "no", reply.Explain("", []byte(bom+`{"error":"no"}`)))
	options, err := read[*admin.EndpointSecurityOptions](api.ResponseRecord, jsonType,
		[]byte(`{"ipCustomHeader":{"value":"x"},"ipCustomHeader":false,"cors":false}`))
	require.NoError(t, err, "it was observed in the place of a null")
	assert.Equal(t, &admin.EndpointSecurityOptions{CORS: new(false)}, options.Data)
}
