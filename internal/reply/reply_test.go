package reply_test

import (
	"cmp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

type thing struct {
	ID    string            `json:"id"`
	Count *int              `json:"count"`
	Tags  []string          `json:"tags"`
	Extra map[string]string `json:"extra"`
}

const jsonType = "application/json; charset=utf-8"

// content is a response with its payload.
type content[T any] struct {
	reply.Content
	Data T
}

// read reads the response to an operation that only reads.
func read[T any](kind string, contentType string, body []byte) (content[T], error) {
	return readOf[T](api.Operation{Response: kind, Idempotent: true}, contentType, string(body))
}

// readOf reads the response to an operation.
func readOf[T any](op api.Operation, contentType, body string) (content[T], error) {
	var into T
	read, err := reply.Read(&op, contentType, []byte(body), nil, reply.Own(&into))
	if err != nil || read.NoRecord {
		into = *new(T)
	}
	return content[T]{read, into}, err
}

// requireMalformed checks that a body cannot be used, and for which reason.
func requireMalformed(t *testing.T, reason string, err error, body ...any) *reply.Malformed {
	t.Helper()
	var malformed *reply.Malformed
	require.ErrorAs(t, err, &malformed, body...)
	assert.Equal(t, reason, malformed.Reason, body...)
	return malformed
}

// requireFailure checks that a body states a failure, in these words.
func requireFailure(t *testing.T, words string, err error, body ...any) {
	t.Helper()
	var failure *reply.Failure
	require.ErrorAs(t, err, &failure, body...)
	assert.Equal(t, words, failure.Message, body...)
	assert.Equal(t, cmp.Or(words, "no reason given"), failure.Error())
}

func TestRead_recordVariants(t *testing.T) {
	for _, body := range []string{
		`{"data":{"id":"a","tags":["x"]},"error":null}`, `{"data":{"id":"a","tags":["x"]}}`,
		`{"error":null,"data":{"id":"a","tags":["x"]}}`, `{"data":{"id":"a","tags":["x"]},"error":""}`,
		`{"data":{"id":"a","tags":["x"]},"error":[ ]}`, `{"data":{"id":"a","tags":["x"]},"error":{ }}`,
		`{"data":{"id":"a","tags":["x"],"new":{"deep":[1]}},"error":null,"meta":7}`, // Unknown fields.
		`{"data":{"id":"a","count":null,"tags":["x"],"extra":null}}`,
		`{"data":{"id":"z","tags":["y","y"],"extra":{"k":"v"},"id":"a","tags":["x"],"extra":null}}`, // The last one counts.
		`{"data":{"id":"z","tags":["y"]},"data":{"id":"a","tags":["x"]}}`,
		`{"data":{"id":"a"},"data":{"tags":["x"]}}`, // They are merged.
		" \n" + `{"data":{"id":"a","tags":["x"]}}` + "\n\n",
	} {
		responder, err := read[*thing](api.ResponseData, jsonType, []byte(body))
		require.NoError(t, err, body)
		assert.Equal(t, &thing{ID: "a", Tags: []string{"x"}}, responder.Data, body)
	}
	responder, err := read[*thing](api.ResponseData, jsonType, []byte("{\"data\":{\"id\":\"a\xff\"}}"))
	require.NoError(t, err)
	assert.Equal(t, "a\uFFFD", responder.Data.ID, "invalid UTF-8 is replaced")
}

func TestRead_listVariants(t *testing.T) {
	none := []thing{}
	paged := func(total, limit *int) content[[]thing] {
		return content[[]thing]{Data: none, Content: reply.Content{Total: total, Limit: limit}}
	}
	for body, want := range map[string]content[[]thing]{
		`{"data":[{"id":"a"},{"id":"b"}],"next_at":"n"}`: {reply.Content{NextAt: "n"}, []thing{{ID: "a"}, {ID: "b"}}},
		`{"data":null,"error":null}`:                     {},
		`{"data":[],"next_at":null}`:                     {Data: none},
		`{"data":[null,{"id":"b"}]}`:                     {Data: []thing{{}, {ID: "b"}}},
		`{"data":[],"next_at":""}`:                       {Data: none},
		`{"data":[{"id":"b","id":"a"}]}`:                 {Data: []thing{{ID: "a"}}},

		`{"data":[],"pagination":null}`: {Data: none}, `{"data":[],"pagination":{}}`: paged(nil, nil),
		`{"data":[],"pagination":{"total":0}}`:                            paged(new(0), nil),
		`{"data":[],"pagination":{"total":9,"limit":3,"offset":6}}`:       paged(new(9), new(3)),
		`{"data":[],"pagination":{"total":null,"limit":3,"offset":null}}`: paged(nil, new(3)),
		`{"data":[],"pageInfo":{"limit":3}}`:                              paged(nil, new(3)),
		// They are merged.
		`{"data":[],"pagination":{"total":9,"limit":3},"pagination":{"limit":2}}`: paged(new(9), new(2)),
	} {
		for _, kind := range []string{api.ResponseList, api.ResponsePage, api.ResponseCursor, api.ResponseArray} {
			responder, err := read[[]thing](kind, jsonType, []byte(body))
			require.NoError(t, err)
			assert.Equal(t, want, responder, body)
		}
	}
	for body, want := range map[string][]thing{` [{"id":"a"}]`: {{ID: "a"}}, `null`: nil, `[]`: {}} {
		responder, err := read[[]thing](api.ResponseArray, jsonType, []byte(body))
		require.NoError(t, err, body)
		assert.Equal(t, want, responder.Data, body)
	}
	for body, reason := range map[string]string{
		`{}`: reply.NoData, `{"items":[]}`: reply.NoData, `{"data":{}}`: reply.Shape, `7`: reply.Shape,
		`{"data":[]`: reply.Truncated, `[`: reply.Truncated, `[]x`: reply.Trailing,
	} {
		_, err := read[[]thing](api.ResponseArray, jsonType, []byte(body))
		requireMalformed(t, reason, err, body)
	}
	_, err := read[[]thing](api.ResponseList, jsonType, []byte(`{}`))
	requireMalformed(t, reply.NoData, err, "an absent list is not an empty one")
}

// TestReadMaybe_returnsRecordIfThere reads writes with a record, in an envelope or, as in the alerts area, without one.
func TestReadMaybe_returnsRecordIfThere(t *testing.T) {
	enveloped, bare := map[string]*thing{
		``: nil, ` `: nil, `{}`: nil, `null`: nil, `true`: nil, `"done"`: nil, `[{"id":"a"}]`: nil,
		`{"data":null}`: nil, `{"data":{}}`: nil, `{"data":true}`: nil, `{"data":"done"}`: nil, `{"data":[]}`: nil,
		`{"data":[{"id":"a"}]}`: nil, `{"data":null,"error":null}`: nil, `{"data":{"id":null,"tags":[]}}`: nil,
		`{"data":{"message":"done"}}`: nil, `{"data":{"success":true}}`: nil, `{"data":{"other":1}}`: nil,
		`{"data":{"$extra":{"a":1}}}`: nil, `{"data":{"":1}}`: nil,
		`{"data":{"id":["a"]}}`: nil, `{"id":"a"}`: nil,

		`{"data":{"id":"a"}}`: {ID: "a"}, `{"data":{"id":"a","id":null}}`: {ID: "a"}, `{"data":{"count":0}}`: {Count: new(0)},
		`{"data":{"id":"a","success":true}}`: {ID: "a"}, `{"data":null,"data":{"id":"a"}}`: {ID: "a"},
	}, map[string]*thing{
		`{"id":"a"}`: {ID: "a"}, `{"id":"7","message":"done"}`: {ID: "7"},
		``: nil, `{}`: nil, `true`: nil, `[]`: nil, `{"message":"done"}`: nil, `{"id":null}`: nil, `{"id":{}}`: nil,
	}
	for area, bodies := range map[string]map[string]*thing{api.AreaAdmin: enveloped, api.AreaAlerts: bare} {
		for body, want := range bodies {
			responder, err := readOf[*thing](api.Operation{Response: api.ResponseMaybe, Area: area}, jsonType, body)
			require.NoError(t, err, body)
			assert.Equal(t, want, responder.Data, body)
			assert.Equal(t, want == nil, responder.NoRecord, body)
		}
	}
}

// TestReadMaybe_zeroMayBeRecord reads records of this library without any value.
func TestReadMaybe_zeroMayBeRecord(t *testing.T) {
	for body, isRecord := range map[string]bool{
		`{"enabled":false}`: true, `{"enabled":false,"message":"done","new":1}`: true, `{"new":[1]}`: false,
		`{"enabled":null,"new":1}`: false, `{"message":"done","success":true}`: false, `{"enabled":[]}`: false,
	} {
		got, err := readOf[admin.ToolingAccess](api.Operation{Response: api.ResponseMaybe}, jsonType, `{"data":`+body+`}`)
		require.NoError(t, err, body)
		assert.Equal(t, isRecord, !got.NoRecord, body)
	}
}

func TestReadEmpty_acceptsAnyBodyButErrors(t *testing.T) {
	for _, body := range []string{``, ` `, `{}`, `null`, `false`, `"valid"`, `OK`, `{"error":null}`, `{"valid":true}`, `[`,
		`{"error":"no"`} {
		_, err := read[struct{}](api.ResponseEmpty, "text/plain", []byte(body))
		assert.NoError(t, err, body)
	}
	_, err := read[struct{}](api.ResponseEmpty, jsonType, []byte(`{"message":"no such field","error":"Bad Request"}`))
	requireFailure(t, "no such field", err)
	_, err = read[struct{}](api.ResponseEmpty, "text/html", []byte("<p>hello"))
	requireMalformed(t, reply.HTML, err)
}

func TestRead_recordWithoutEnvelope(t *testing.T) {
	record, err := read[*thing](api.ResponseRecord, jsonType, []byte(`{"id":"a"}`))
	require.NoError(t, err)
	assert.Equal(t, "a", record.Data.ID)
	texts, err := read[[]string](api.ResponseRecord, jsonType, []byte(`["error"]`))
	require.NoError(t, err, "a word is no field")
	assert.Equal(t, []string{"error"}, texts.Data)
	_, err = read[*alerts.Destination](api.ResponseRecord, jsonType, []byte(`{"id":"a","error":"nope"}`))
	require.EqualError(t, err, "nope")
	_, err = read[string](api.ResponseData, jsonType, []byte(`{"data":"","success":false,"message":"nope"}`))
	require.EqualError(t, err, "nope")
	text, err := read[string](api.ResponseData, jsonType, []byte(`{"data":"a","success":false}`))
	require.NoError(t, err, "what came came")
	assert.Equal(t, "a", text.Data)
	for _, body := range []string{`null`, ``, `{"error":"nope"}`, `[]`} {
		_, err := read[*thing](api.ResponseRecord, jsonType, []byte(body))
		assert.Error(t, err, body)
	}
}
