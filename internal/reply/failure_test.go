package reply_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/test/hostile"
)

// TestFailure_collectsMessages: TestRead_statedFailures has more of them.
func TestFailure_collectsMessages(t *testing.T) {
	for body, want := range map[string]string{
		`{"statusCode":400,"message":{"message":["a","b"]}}`:                 "a; b",
		`{"statusCode":400,"message":{"message":"a","error":"Bad Request"}}`: "a",
		`{"message":[{"message":"a"},"b",null,7,[],{"code":1}]}`:             "a; b",
		`{"errors":[{"message":["a","b"]},{"error":"c"},"d"]}`:               "a; b; c; d",
		`{"errors":{"message":"a"}}`:                                         "a",
		`{"error":{"errors":[{"message":"a"},{"message":"b"}],"code":7}}`:    "a; b",
		`{"error":[{"message":"a"},{"message":"b"}]}`:                        "a; b",
		`{"data":{"success":false,"message":"a"}}`:                           "a",
		`{"data":{"message":"no failure"}}`:                                  "",
		`{"data":["no failure"]}`:                                            "",
		`["a",{"message":"b"}]`:                                              "a; b",
		`{"data":"a","error":null}`:                                          "a",
		`{"data":{"message":"inside"},"error":1}`:                            "",
		`{"message":["a","b"],"error":"Bad Request"}`:                        "a; b",
		`"a"`: "a", ` Unauthorized `: "Unauthorized", "no\xffway": "no\uFFFDway", `{"error":`: "", ``: "",
		`<html><body>Bad gateway</body></html>`: "", strings.Repeat("x", 600): strings.Repeat("x", 500) + "…",
		`{"error":"a","error":"b"}`:                                                "b",
		`{"message":"a","message":null,"error":"b"}`:                               "b",
		`{"errors":[{"message":"a","message":"b"}]}`:                               "b",
		`{"errors":` + hostile.Nested(`[`, `"deep"`, `]`, 7) + `}`:                 "deep",
		hostile.Nested(`{"success":false,"data":`, `{"error":"deep"}`, `}`, 7):     "deep",
		hostile.Nested(`{"success":false,"data":`, `{"error":"too deep"}`, `}`, 8): "",
		`{"error":"` + strings.Repeat("x", 2048) + `"}`:                            strings.Repeat("x", 2048),
		`{"errors":` + hostile.Nested(`[`, `"too deep"`, `]`, 8) + `}`:             "",
		`{"errors":[` + strings.Repeat(`null,`, 99) + `"a","b"]}`:                  "a",
		`{"error":"` + strings.Repeat("x", 3000) + `"}`:                            strings.Repeat("x", 2048) + "…",
		`{"errors":["` + strings.Repeat(`","`, 200) + `","after many"]}`:           "",
		`{"errors":["` + strings.Repeat(strings.Repeat("x", 99)+`","`, 50) +
			`"]}`: (strings.Repeat(strings.Repeat("x", 99)+"; ", 21))[:2048] + "…",
		"{\"error\":\"" + strings.Repeat("x", 2047) + "ü" + strings.Repeat("x", 9) + "\"}": strings.Repeat("x", 2047) + "…",
	} {
		for _, contentType := range []string{"", "text/plain"} {
			assert.Equal(t, want, reply.Explain(contentType, []byte(body)), "%.200s", body)
		}
	}
}

// failures are bodies that state a failure, with the words of it, to all who read nothing but that, or a record that
// may not come.
var failures = map[string]string{
	`{"error":"no"}`: "no", `{"error":"Bad Request","message":"no"}`: "no", `{"data":true,"error":{"message":"no"}}`: "no",
	`{"errors":[{"message":"no"}]}`: "no", `{"errors":["no","never"],"data":null}`: "no; never", `{"errors":"no"}`: "no",
	`{"errors":{"label":["is taken"]}}`: "", `{"errors":[{}]}`: "", `{"errors":1}`: "", `{"error":true}`: "",
	`{"data":{"error":"no"}}`: "no", `{"data":{"errors":[{"message":"no"}]}}`: "no", `{"data":{"success":false}}`: "",
	`{"status":"error"}`: "", `{"status":"error","message":"no"}`: "no", `{"status":"FAILED","data":null}`: "",
	hostile.Nested(`{"error":`, `"no"`, `}`, 8): "no", hostile.Nested(`{"error":`, `"no"`, `}`, 9): "",
	`{"status":"fail"}`:  "",
	`{"status":"Error"}`: "", `{"data":false}`: "", `{"success":false,"message":"no"}`: "no", `{"result":false}`: "",
	`{"data":{"result":false}}`: "", `{"data":null,"error":"no"}`: "no", `{"data":false,"error":"no"}`: "no",
	`{"data":"x","error":"no"}`: "no", `{"data":{"id":"a"},"error":"no"}`: "no", `{"data":true,"error":{"code":7}}`: "",
	`{"data":null,"error":["no"]}`: "no", `{"data":null,"error":[{"code":7}]}`: "", `{"data":null,"error":true}`: "",
	`{"error":null,"data":null,"error":"no"}`: "no",
}

// successes do not state a failure.
var successes = []string{
	``, `{}`, `null`, `true`, `"error"`, `[]`, `{"error":null}`, `{"error":""}`, `{"error":false}`, `{"error":0}`,
	`{"errors":[]}`,
	`{"errors":{}}`, `{"errors":null}`, `{"errors":0}`, `{"status":"success"}`, `{"status":200}`,
	`{"status":{"message":"error"}}`, `{"status":["failed"]}`, `{"status":"ok","message":"done"}`,
	`{"data":{"error":null}}`, `{"data":{"status":"error"}}`, `{"data":{"message":"done"}}`, `{"data":["error"]}`,
	`{"error":"no","error":null}`, `{"data":null,"error":null}`, `{"data":null}`, `{"data":true}`, `{"data":"gone"}`,
	`{"data":{}}`, `{"data":{"success":true}}`, `{"data":{"message":"gone"}}`, `{"result":true}`,
}

// TestRead_statedFailures reads failures in every spelling in the place of whatever may be read.
func TestRead_statedFailures(t *testing.T) {
	for body, words := range failures {
		assert.Equal(t, words, reply.Explain(jsonType, []byte(body)), "a failed status is explained in the same words")
		for _, kind := range writes {
			_, err := read[thing](kind, jsonType, []byte(body))
			requireFailure(t, words, err, kind, body)
		}
		for _, kind := range []string{api.ResponseData, api.ResponseRecord} {
			for _, idempotent := range []bool{true, false} {
				_, err := readOf[*thing](api.Operation{Response: kind, Idempotent: idempotent}, jsonType, body)
				requireFailure(t, words, err, kind, body)
			}
		}
		for _, kind := range []string{api.ResponseList, api.ResponseArray} {
			_, err := read[[]thing](kind, jsonType, []byte(body))
			requireFailure(t, words, err, kind, body)
		}
		_, err := read[*admin.Endpoint](api.ResponseData, jsonType, []byte(body))
		requireFailure(t, words, err, "unknown fields are no record", body)
	}
	for _, kind := range writes {
		for _, body := range successes {
			_, err := read[thing](kind, jsonType, []byte(body))
			assert.NoError(t, err, "%s: %s", kind, body)
		}
		_, err := read[thing](kind, jsonType, []byte("false"))
		assert.Equal(t, kind != api.ResponseEmpty, err != nil, "a body that is no more than false")
	}
}

// writes are the kinds of responses that need not have a record or a list.
var writes = []string{api.ResponseConfirm, api.ResponseNone, api.ResponseEmpty, api.ResponseMaybe}

// A record is not a failure because of a field that it has.
func TestRead_errorFieldsOfRecordAreNoFailure(t *testing.T) {
	for _, body := range []string{`{"id":"a","status":"error","error":null}`, `{"id":"a","errors":["b"],"error":""}`,
		`{"id":"a","success":false}`} {
		record, err := read[thing](api.ResponseRecord, jsonType, []byte(body))
		require.NoError(t, err, body)
		assert.Equal(t, "a", record.Data.ID)
		record, err = read[thing](api.ResponseData, jsonType, []byte(`{"data":`+body+`}`))
		require.NoError(t, err, body)
		assert.Equal(t, "a", record.Data.ID)
	}
}

// A null record beside an error that is null is the service's response if there is no such thing. Without the error the
// response lacks its record, and what was created is not absent.
func TestRead_nullRecordBesideNullErrorIsNotFound(t *testing.T) {
	for body, absent := range map[string]bool{
		`{"data":null,"error":null}`: true, ` {"error":null,"data":null,"meta":1}`: true,
		`{"data":1,"data":null,"error":null}`: true,
		`{"data":null}`:                       false, `{"error":null}`: false, `{"data":null,"error":""}`: false,
	} {
		for _, kind := range []string{api.ResponseData, api.ResponseRecord} {
			if kind == api.ResponseRecord && !absent {
				continue // A bare record does not have these fields.
			}
			_, err := read[*thing](kind, jsonType, []byte(body))
			assert.Equal(t, absent, requireMalformed(t, reply.NoData, err, kind, body).NotFound, "%s: %s", kind, body)
			_, err = readOf[*thing](api.Operation{Response: kind}, jsonType, body)
			assert.False(t, requireMalformed(t, reply.NoData, err, kind, body).NotFound, "%s: %s", kind, body)
		}
	}
}
