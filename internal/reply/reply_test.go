package reply_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// read reads the response to an operation that only reads.
func read[T any](kind string, contentType string, body []byte) (reply.Content[T], error) {
	op := &api.Operation{Response: kind, Idempotent: true}
	return reply.Read[T](context.Background(), op, contentType, body)
}

func TestRead_recordVariants(t *testing.T) {
	for name, body := range map[string]string{
		"as documented":       `{"data":{"id":"a","tags":["x"]},"error":null}`,
		"without error":       `{"data":{"id":"a","tags":["x"]}}`,
		"empty error":         `{"data":{"id":"a","tags":["x"]},"error":""}`,
		"empty error list":    `{"data":{"id":"a","tags":["x"]},"error":[ ]}`,
		"empty error object":  `{"data":{"id":"a","tags":["x"]},"error":{ }}`,
		"unknown fields":      `{"data":{"id":"a","tags":["x"],"new":{"deep":[1]}},"error":null,"meta":7}`,
		"nulls":               `{"data":{"id":"a","count":null,"tags":["x"],"extra":null}}`,
		"a repeated name":     `{"data":{"id":"z","tags":["y","y"],"extra":{"k":"v"},"id":"a","tags":["x"],"extra":null}}`,
		"a repeated payload":  `{"data":{"id":"z","tags":["y"]},"data":{"id":"a","tags":["x"]}}`,
		"merged":              `{"data":{"id":"a"},"data":{"tags":["x"]}}`,
		"space around it":     " \n" + `{"data":{"id":"a","tags":["x"]}}` + "\n\n",
		"the error comes 1st": `{"error":null,"data":{"id":"a","tags":["x"]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			responder, err := read[*thing](api.ResponseData, jsonType, []byte(body))
			require.NoError(t, err)
			assert.Equal(t, &thing{ID: "a", Tags: []string{"x"}}, responder.Data)
		})
	}
	responder, err := read[*thing](api.ResponseData, jsonType, []byte("{\"data\":{\"id\":\"a\xff\"}}"))
	require.NoError(t, err)
	assert.Equal(t, "a\uFFFD", responder.Data.ID, "invalid UTF-8 is replaced")
}

func TestRead_statedErrorIsFailure(t *testing.T) {
	for name, test := range map[string]struct{ body, words string }{
		"data null":               {`{"data":null,"error":"nope"}`, "nope"},
		"data of another shape":   {`{"data":false,"error":"nope"}`, "nope"},
		"data a text":             {`{"data":"x","error":"nope"}`, "nope"},
		"data there":              {`{"data":{"id":"a"},"error":"nope"}`, "nope"},
		"error an object":         {`{"data":null,"error":{"message":"nope"}}`, "nope"},
		"error an odd object":     {`{"data":null,"error":{"code":7}}`, "no reason given"},
		"error a list":            {`{"data":null,"error":["nope"]}`, "nope"},
		"error a list of records": {`{"data":null,"error":[{"code":7}]}`, "no reason given"},
		"error true":              {`{"data":null,"error":true}`, "no reason given"},
		"only an error":           {`{"error":"nope"}`, "nope"},
		"repeated, the last one":  {`{"error":null,"data":null,"error":"nope"}`, "nope"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read[*thing](api.ResponseData, jsonType, []byte(test.body))
			var statedFailure *reply.Failure
			require.ErrorAs(t, err, &statedFailure)
			assert.Equal(t, test.words, statedFailure.Error())
		})
	}
}

func TestRead_malformedBodyGivesReason(t *testing.T) {
	for name, test := range map[string]struct {
		contentType, body string
		reason            string
	}{
		"an HTML page":               {"text/html", "<html>", reply.HTML},
		"an HTML page, undeclared":   {jsonType, "<!doctype html>", reply.HTML},
		"an HTML page, said plainly": {"text/html; charset=utf-8", "Bad gateway", reply.HTML},
		"a picture":                  {"image/png", "\x89PNG", reply.ContentType},
		"nothing":                    {jsonType, "", reply.Empty},
		"only space":                 {jsonType, " \n", reply.Empty},
		"cut short":                  {jsonType, `{"data":{"id":"a"`, reply.Truncated},
		"cut short in a text":        {jsonType, `{"data":{"id":"a`, reply.Truncated},
		"text after it":              {jsonType, `{"data":{"id":"a"}} x`, reply.Trailing},
		"two values":                 {jsonType, `{"data":{"id":"a"}}{"data":{"id":"b"}}`, reply.Trailing},
		"text after a repeated name": {jsonType, `{"data":{"id":"a","id":"b"}} x`, reply.Trailing},
		"not JSON":                   {jsonType, `{"data":{"id":a}}`, reply.Syntax},
		"plain text":                 {"text/plain", `hello`, reply.Syntax},
		"a list":                     {jsonType, `[1]`, reply.Shape},
		"a boolean for a text":       {jsonType, `{"data":{"id":true}}`, reply.Shape},
		"a list for a record":        {jsonType, `{"data":[]}`, reply.Shape},
		"data null":                  {jsonType, `{"data":null,"error":null}`, reply.NoData},
		"data absent":                {jsonType, `{}`, reply.NoData},
		"brackets in a cut text":     {jsonType, `{"a":"` + strings.Repeat("[", 200), reply.Truncated},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read[*thing](api.ResponseData, test.contentType, []byte(test.body))
			var malformed *reply.Malformed
			require.ErrorAs(t, err, &malformed)
			assert.Equal(t, test.reason, malformed.Reason, malformed.Detail)
		})
	}
}

func TestMalformed_hidesValue(t *testing.T) {
	_, err := read[*thing](api.ResponseData, jsonType, []byte(`{"data":{"count":"s3cr3t-value"}}`))
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "s3cr3t")
	assert.Contains(t, err.Error(), `"/data/count"`)
}

func TestRead_listVariants(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		want []thing
		next string
	}{
		"items":        {`{"data":[{"id":"a"},{"id":"b"}],"next_at":"n"}`, []thing{{ID: "a"}, {ID: "b"}}, "n"},
		"null":         {`{"data":null,"error":null}`, nil, ""},
		"empty":        {`{"data":[],"next_at":null}`, []thing{}, ""},
		"a null item":  {`{"data":[null,{"id":"b"}]}`, []thing{{}, {ID: "b"}}, ""},
		"empty cursor": {`{"data":[],"next_at":""}`, []thing{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, kind := range []string{api.ResponseList, api.ResponsePage, api.ResponseCursor} {
				responder, err := read[[]thing](kind, jsonType, []byte(test.body))
				require.NoError(t, err)
				assert.Equal(t, test.want, responder.Data)
				assert.Equal(t, test.next, responder.NextAt)
			}
		})
	}
	_, err := read[[]thing](api.ResponseList, jsonType, []byte(`{}`))
	require.Error(t, err, "an absent list is not an empty one")

	responder, err := read[[]thing](api.ResponsePage, jsonType,
		[]byte(`{"data":[],"pagination":{"total":9,"limit":3,"offset":6}}`))
	require.NoError(t, err)
	assert.Equal(t, &reply.Page{Total: new(9), Limit: new(3)}, responder.Page)
	responder, err = read[[]thing](api.ResponsePage, jsonType,
		[]byte(`{"data":[],"pagination":{"total":9,"limit":3},"pagination":{"limit":2}}`))
	require.NoError(t, err)
	assert.Equal(t, &reply.Page{Total: new(9), Limit: new(2)}, responder.Page, "they are merged")
	responder, err = read[[]thing](api.ResponsePage, jsonType, []byte(`{"data":[],"pageInfo":{"limit":3},"pageInfo":{}}`))
	require.NoError(t, err)
	assert.Nil(t, responder.Page, "the last one counts")
}

func TestReadMaybe_returnsRecordIfThere(t *testing.T) {
	for body, want := range map[string]*thing{
		``: nil, ` `: nil, `{}`: nil, `null`: nil, `true`: nil, `"done"`: nil, `[{"id":"a"}]`: nil,
		`{"data":null}`: nil, `{"data":{}}`: nil, `{"data":true}`: nil, `{"data":"done"}`: nil, `{"data":[]}`: nil,
		`{"data":[{"id":"a"}]}`: nil, `{"data":null,"error":null}`: nil, `{"data":{"id":null,"tags":[]}}`: nil,
		`{"data":{"message":"done"}}`: nil, `{"data":{"success":true}}`: nil, `{"data":{"other":1}}`: nil,
		`{"data":{"$extra":{"a":1}}}`: nil, `{"data":{"":1}}`: nil,
		`{"data":{"id":["a"]}}`: nil, `{"id":"a"}`: nil, `{"data":{"id":"a","id":null}}`: nil,

		`{"data":{"id":"a"}}`: {ID: "a"}, `{"data":{"count":0}}`: {Count: new(0)}, `{"data":{"id":7}}`: {ID: "7"},
		`{"data":{"id":"a","success":true}}`: {ID: "a"}, `{"data":null,"data":{"id":"a"}}`: {ID: "a"},
	} {
		responder, err := read[*thing](api.ResponseMaybe, jsonType, []byte(body))
		require.NoError(t, err, body)
		assert.Equal(t, want, responder.Data, body)
		assert.Equal(t, want == nil, responder.NoRecord, body)
	}
}

func TestReadMaybe_statedErrorIsFailure(t *testing.T) {
	for _, body := range []string{`{"data":false}`, `{"data":{"success":false}}`, `{"success":false}`,
		`{"error":"nope"}`} {
		_, err := read[*thing](api.ResponseMaybe, jsonType, []byte(body))
		var statedFailure *reply.Failure
		assert.ErrorAs(t, err, &statedFailure, body)
	}
	_, err := read[*thing](api.ResponseMaybe, jsonType, []byte(`{"data":{"id":"a"}`))
	require.EqualError(t, err, "response cut short: the JSON value is not complete after 18 bytes")
	_, err = read[*thing](api.ResponseMaybe, jsonType, []byte(`{"error":"no"`))
	require.EqualError(t, err, "response cut short: the JSON value is not complete after 13 bytes")
}

func TestReadConfirm_falseOrErrorIsFailure(t *testing.T) {
	for body, happened := range map[string]bool{
		``: true, `{}`: true, `null`: true, `true`: true, `"done"`: true,
		`{"data":true}`: true, `{"data":null}`: true, `{"data":"gone"}`: true, `{"data":{}}`: true,
		`{"data":{"success":true}}`: true, `{"data":{"message":"gone"}}`: true, `{"result":true}`: true,
		`false`: false, `{"data":false}`: false, `{"data":{"success":false}}`: false, `{"result":false}`: false,
		`{"success":false}`: false, `{"data":true,"error":"nope"}`: false, `{"data":{"result":false}}`: false,
	} {
		_, err := read[struct{}](api.ResponseConfirm, jsonType, []byte(body))
		if happened {
			assert.NoError(t, err, body)
			continue
		}
		var statedFailure *reply.Failure
		assert.ErrorAs(t, err, &statedFailure, body)
	}
	for _, kind := range []string{api.ResponseConfirm, api.ResponseNone} {
		for body, reason := range map[string]string{
			"<p>hello": reply.HTML, `{"success":true`: reply.Truncated, `{"success":true}{}`: reply.Trailing,
			`{"success":yes}`: reply.Syntax,
		} {
			_, err := read[struct{}](kind, jsonType, []byte(body))
			var malformed *reply.Malformed
			require.ErrorAs(t, err, &malformed, kind)
			assert.Equal(t, reason, malformed.Reason, "%s: %s", kind, body)
		}
	}
}

func TestReadNone_falseOrErrorIsFailure(t *testing.T) {
	for body, happened := range map[string]bool{
		``: true, `{}`: true, `{"data":null,"error":null}`: true,
		`{"data":null,"error":"nope"}`: false, `{"data":false}`: false, `{"data":{"success":false}}`: false,
	} {
		_, err := read[struct{}](api.ResponseNone, jsonType, []byte(body))
		assert.Equal(t, happened, err == nil, body)
	}
}

func TestReadPage_readsPagination(t *testing.T) {
	for pagination, want := range map[string]*reply.Page{
		`null`: nil, `{}`: {}, `{"total":null,"limit":3,"offset":null}`: {Limit: new(3)}, `{"total":0}`: {Total: new(0)},
	} {
		responder, err := read[[]thing](api.ResponsePage, jsonType, []byte(`{"data":[],"pagination":`+pagination+`}`))
		require.NoError(t, err, pagination)
		assert.Equal(t, want, responder.Page, pagination)
	}
}

func TestReadEmpty_acceptsAnyBodyButErrors(t *testing.T) {
	for _, body := range []string{``, ` `, `{}`, `null`, `false`, `"valid"`, `OK`, `{"error":null}`, `{"valid":true}`, `[`,
		`{"error":"no"`} {
		_, err := read[struct{}](api.ResponseEmpty, "text/plain", []byte(body))
		assert.NoError(t, err, body)
	}
	_, err := read[struct{}](api.ResponseEmpty, jsonType, []byte(`{"message":"no such field","error":"Bad Request"}`))
	var statedFailure *reply.Failure
	require.ErrorAs(t, err, &statedFailure)
	assert.Equal(t, "no such field", statedFailure.Error())
	_, err = read[struct{}](api.ResponseEmpty, "text/html", []byte("<p>hello"))
	var malformed *reply.Malformed
	require.ErrorAs(t, err, &malformed)
	assert.Equal(t, reply.HTML, malformed.Reason)
}

func TestRead_recordWithoutEnvelope(t *testing.T) {
	record, err := read[*thing](api.ResponseRecord, jsonType, []byte(`{"id":"a"}`))
	require.NoError(t, err)
	assert.Equal(t, "a", record.Data.ID)
	array, err := read[[]thing](api.ResponseArray, jsonType, []byte(`[{"id":"a"}]`))
	require.NoError(t, err)
	assert.Len(t, array.Data, 1)
	texts, err := read[[]string](api.ResponseRecord, jsonType, []byte(`["error"]`))
	require.NoError(t, err, "a word is no field")
	assert.Equal(t, []string{"error"}, texts.Data)
	_, err = read[*thing](api.ResponseRecord, jsonType, []byte(`{"id":"a","error":"nope"}`))
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

func TestExplain_findsMessage(t *testing.T) {
	for body, want := range map[string]string{
		`{"data":null,"error":"nope"}`:                "nope",
		`{"data":"nope","error":null}`:                "nope",
		`{"message":"nope"}`:                          "nope",
		`{"message":"nope","error":"Bad Request"}`:    "nope",
		`{"message":["a","b"],"error":"Bad Request"}`: "a; b",
		`{"errors":[{"message":"nope"}]}`:             "nope",
		`{"errors":["a","b"]}`:                        "a; b",
		`{"error":{"message":"nope"}}`:                "nope",
		`"nope"`:                                      "nope",
		` Unauthorized `:                              "Unauthorized",
		"no\xffway":                                   "no\uFFFDway",
		`{"error":`:                                   "",
		``:                                            "",
		`<html><body>Bad gateway</body></html>`:       "",
		strings.Repeat("x", 600):                      strings.Repeat("x", 500) + "…",
		`{"data":{"message":"inside"},"error":1}`:     "",
	} {
		assert.Equal(t, want, reply.Explain("text/plain", []byte(body)), body)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"data":{"id":"a"},"error":null}`, `{"data":null,"error":"nope"}`, `{"data":[{"id":"a"}],"next_at":"x"}`,
		`{"data":{"id":"a","id":"b"}}`, `{"data":false}`, `{}`, ``, `[`, `{"data":`, "\xff", `{"error":{"message":1}}`,
	} {
		f.Add([]byte(seed))
	}
	kinds := []string{
		api.ResponseData, api.ResponseMaybe, api.ResponseConfirm, api.ResponseRecord, api.ResponseNone,
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, kind := range kinds {
			responder, err := read[*thing](kind, jsonType, body)
			if err == nil && (kind == api.ResponseData || kind == api.ResponseRecord) {
				assert.NotNil(t, responder.Data)
			}
		}
		lists, err := read[[]thing](api.ResponseCursor, jsonType, body)
		if err != nil {
			assert.Empty(t, lists)
		}
		reply.Explain("", body)
	})
}
