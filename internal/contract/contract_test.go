package contract_test

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/contract"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

func drift(kind, pointer, expected, found string) contract.Drift {
	return contract.Drift{Kind: kind, Pointer: pointer, Expected: expected, Found: found}
}

const filter = `{"data":{"request_filters":[{"id":"a","method":%s}]},"error":null}`

var walks = []struct {
	shape  *contract.Shape
	body   string
	drifts []contract.Drift
	mended string // The mended body, if it differs from the body.
}{
	// Documented bodies, in any spelling.
	{contract.URLs,
		`{"data":{"http_url":"https://a.example/x","wss_url":null,"multichain_urls":{"any/name":{}}},"error":null}`, nil, ""},
	{contract.Metrics,
		"\xef\xbb\xbf{\"data\":[{\"tag\":\"x\",\"data\":[[1,2.5]]},{\"tag\":[\"network\",\"y\"]}],\"error\":null}", nil, ""},
	{contract.Confirmation, ` { "data" : false , "error" : "no" } `, nil, ""},
	{contract.Confirmation, `{"data":7,"data":true,"error":null}`,
		[]contract.Drift{drift(contract.Type, "/data", "boolean", "number")}, ""},

	{contract.Confirmation, `{"data":true,"error":null,"a/b~":[]}`, []contract.Drift{
		drift(contract.UnknownField, "/a~1b~0", "no such field", "array")}, ""},
	{contract.Confirmation, "{\"x\":\"\xff\",\"data\":7,\"y\":null,\"z\":false}", []contract.Drift{
		drift(contract.UnknownField, "/x", "no such field", "string"), drift(contract.Type, "/data", "boolean", "number"),
		drift(contract.UnknownField, "/y", "no such field", "null"),
		drift(contract.UnknownField, "/z", "no such field", "boolean"),
		drift(contract.Missing, "/error", "string", "nothing")}, ""},
	{contract.Confirmation, `{"data":null}`, []contract.Drift{
		drift(contract.Null, "/data", "boolean", "null"), drift(contract.Missing, "/error", "string", "nothing")}, ""},
	{contract.Confirmation, ` `, []contract.Drift{drift(contract.Type, "", "object", "nothing")}, ""},
	{contract.Confirmation, `true`, []contract.Drift{drift(contract.Type, "", "object", "boolean")}, ""},
	{contract.Destinations, `{"data":[]}`, []contract.Drift{drift(contract.Type, "", "array", "object")}, ""},
	{contract.Notification, `{"id":"a","name":"b","expression":"dHhfdG8=","network":"moon"}`, []contract.Drift{
		drift(contract.UnknownValue, "/network", "one of arbitrum-mainnet", "moon")}, ""},

	// If a value is read across types, it stays as it is.
	{contract.Notification, `{"id":7,"name":1.50,"expression":"","network":"ethereum-mainnet","enabled":true}`,
		[]contract.Drift{
			drift(contract.Type, "/id", "string", "number"), drift(contract.Type, "/name", "string", "number")}, ""},
	{contract.Limits,
		`{"data":{"rate_limiters":[{"created":1700000000,"id":"a","interval":"second","methods":[7],"rate":"5","status":"enabled"},` +
			`{"created":"x","id":"b","interval":"second","methods":[],"rate":5.0,"status":"on"}]},"error":null}`,
		[]contract.Drift{
			drift(contract.Type, "/data/rate_limiters/0/created", "string (date-time)", "number"),
			drift(contract.Type, "/data/rate_limiters/0/methods/0", "string", "number"),
			drift(contract.Type, "/data/rate_limiters/0/rate", "integer", "string"),
			drift(contract.Type, "/data/rate_limiters/1/rate", "integer", "number with a fraction or an exponent"),
			drift(contract.UnknownValue, "/data/rate_limiters/1/status", "one of disabled, enabled", "on"),
		}, ""},
	{contract.Metrics, `{"data":[{"tag":7,"data":[["1",2]]}],"error":null}`, []contract.Drift{
		drift(contract.Type, "/data/0/tag", "string or array", "number"),
		drift(contract.Type, "/data/0/data/0/0", "number", "string")}, ""},

	// If a value cannot be read, it is left out of its record, which keeps it.
	{contract.Notification, `{"id":"a","name":{},"expression":true,"network":"ethereum-mainnet"}`, []contract.Drift{
		drift(contract.Unread, "/name", "string", "object"),
		drift(contract.Unread, "/expression", "string (byte)", "boolean"),
	}, `{"id":"a","$unread:name":{},"$unread:expression":true,"network":"ethereum-mainnet"}`},
	{contract.URLs, `{"data":{"http_url":"https://a.example/[redacted]"},"error":null}`, []contract.Drift{
		drift(contract.Unread, "/data/http_url", "string (secret-url)", "string that cannot be read")},
		`{"data":{"$unread:http_url":"https://a.example/[redacted]"},"error":null}`},
	{contract.Security, fmt.Sprintf(filter, `"x"`), []contract.Drift{
		drift(contract.Unread, "/data/request_filters/0/method", "array", "string")},
		`{"data":{"request_filters":[{"id":"a","$unread:method":"x"}]},"error":null}`},
	{contract.Security, fmt.Sprintf(filter, `[{}, "a",[]  ,"b", {} ]`), []contract.Drift{
		drift(contract.Unread, "/data/request_filters/0/method/0", "string", "object"),
		drift(contract.Unread, "/data/request_filters/0/method/2", "string", "array"),
		drift(contract.Unread, "/data/request_filters/0/method/4", "string", "object"),
	}, `{"data":{"request_filters":[{"$unread:method/0":{},"$unread:method/2":[],"$unread:method/4":{},"id":"a","method":["a"  ,"b" ]}]},"error":null}`},
	{contract.Security, fmt.Sprintf(filter, `[ {},true ]`), []contract.Drift{
		drift(contract.Unread, "/data/request_filters/0/method/0", "string", "object"),
		drift(contract.Unread, "/data/request_filters/0/method/1", "string", "boolean"),
	}, `{"data":{"request_filters":[{"$unread:method/0":{},"$unread:method/1":true,"id":"a","method":[ ]}]},"error":null}`},
	{contract.URLs, `{"data":{"multichain_urls":{"a/b":7,"c":{"http_url":[]}}},"error":null}`, []contract.Drift{
		drift(contract.Unread, "/data/multichain_urls/a~1b", "object", "number"),
		drift(contract.Unread, "/data/multichain_urls/c/http_url", "string (secret-url)", "array"),
	}, `{"data":{"$unread:multichain_urls/a~1b":7,"multichain_urls":{"c":{"$unread:http_url":[]}}},"error":null}`},
	{contract.Metrics, `{"data":[{"data":[[1],[2,3]]}],"error":null}`, []contract.Drift{
		drift(contract.Unread, "/data/0/data/0", "array", "array that cannot be read")},
		`{"data":[{"$unread:data/0":[1],"data":[[2,3]]}],"error":null}`},

	{contract.Security, `{"data":{"options":7,"ips":{},"jwts":[7]},"error":null}`, []contract.Drift{
		drift(contract.Unread, "/data/options", "object", "number"), drift(contract.Unread, "/data/ips", "array", "object"),
		drift(contract.Unread, "/data/jwts/0", "object", "number"),
	}, `{"data":{"$unread:jwts/0":7,"$unread:options":7,"$unread:ips":{},"jwts":[]},"error":null}`},

	// An id, a listing, and values outside records are not left out.
	{contract.Notification, `{"id":{},"name":"b","expression":"","network":"ethereum-mainnet"}`, []contract.Drift{
		drift(contract.Type, "/id", "string", "object")}, ""},
	{contract.Payments, `{"data":{"payments":7},"error":null}`, []contract.Drift{
		drift(contract.Type, "/data/payments", "array", "number")}, ""},
	{contract.Payments, `{"data":{"payments":[7]},"error":null}`, []contract.Drift{
		drift(contract.Type, "/data/payments/0", "object", "number")}, ""},
	{contract.Destinations, `[7]`, []contract.Drift{drift(contract.Type, "/0", "object", "number")}, ""},
	{contract.Confirmation, `{"data":{},"error":null}`,
		[]contract.Drift{drift(contract.Type, "/data", "boolean", "object")}, ""},

	// If a body is not JSON, it is not checked.
	{contract.Confirmation, `{"x":1,"data":tru`, nil, ""},
	{contract.Confirmation, `<html>`, nil, ""},
	{contract.Confirmation, `{"x":1} x`, nil, ""},
}

func TestWalk_reportsDrift(t *testing.T) {
	for _, test := range walks {
		report := contract.Walk(test.shape, []byte(test.body))
		for i := range min(len(report.Drifts), len(test.drifts)) { // A long list of values is given by its beginning.
			if strings.HasPrefix(report.Drifts[i].Expected, test.drifts[i].Expected) {
				report.Drifts[i].Expected = test.drifts[i].Expected
			}
		}
		assert.Equal(t, test.drifts, report.Drifts, test.body)
		assert.Equal(t, cmp.Or(test.mended, test.body), string(report.Body), test.body)
	}
}

func TestCheck_reportsUnknownStatus(t *testing.T) {
	op := api.ListTags().Operation
	const body = `{"data":{"tags":[]},"error":null,"x":1}`
	unknown := drift(contract.UnknownField, "/x", "no such field", "number")
	assert.Equal(t, []contract.Drift{unknown}, contract.Check(op, 200, []byte(body)).Drifts)
	assert.Equal(t, []contract.Drift{drift(contract.UnknownStatus, "", "200, 401, 403, 429", "203"), unknown},
		contract.Check(op, 203, []byte(body)).Drifts, "another success is held against the one that is documented")
	assert.Equal(t, []contract.Drift{drift(contract.UnknownStatus, "", "200, 401, 403, 429", "503")},
		contract.Check(op, 503, []byte(body)).Drifts)
	// Bodies that are not JSON, and bodies of a status that has no body.
	for body, status := range map[string]int{"no": 401, "": 204, "7": 204} {
		report := contract.Check(api.RemoveRequestFilter("a", "b").Operation, status, []byte(body))
		assert.Empty(t, report.Drifts, body)
		assert.Equal(t, body, string(report.Body))
	}
	for status, text := range map[int]string{199: "199", 300: "300"} {
		assert.Equal(t, []contract.Drift{drift(contract.UnknownStatus, "", "200, 401, 403, 429", text)},
			contract.Check(op, status, []byte(body)).Drifts)
	}
}

// TestCheck_knowsResponsesOfEveryOperation holds the shapes against the table of operations, and the order that fields
// are looked up by.
func TestCheck_knowsResponsesOfEveryOperation(t *testing.T) {
	for _, op := range slices.Concat(api.Admin, api.Alerts) {
		report := contract.Check(op, op.Statuses[0], []byte(`"a text"`))
		switch op.Response {
		case api.ResponseNone, api.ResponseEmpty:
		default:
			assert.NotEmpty(t, report.Drifts, op.ID)
		}
	}
	for _, shape := range contract.Shapes() {
		assert.True(t,
			slices.IsSortedFunc(shape.Fields, func(a, b contract.Field) int { return strings.Compare(a.Name, b.Name) }))
	}
	for _, op := range graphql.Table {
		assert.NotEmpty(t, contract.CheckGraph(op, false, 200, []byte(`{"data":{"chain":7}}`)).Drifts, op.ID)
	}
	assert.Greater(t, len(contract.Shapes()), 50)
}

// TestWalk_boundsReportedDrift has more drifts than are reported one by one.
func TestWalk_boundsReportedDrift(t *testing.T) {
	report := contract.Walk(contract.Destinations, []byte("["+strings.Repeat("{},", 999)+"{}]"))
	assert.Len(t, report.Drifts, contract.MaxDrifts)
	assert.Equal(t, 1000*9-contract.MaxDrifts, report.More)
	report = contract.Walk(contract.Metrics,
		[]byte(`{"data":[{"data":[[1,2,`+strings.Repeat(`"3",`, 998)+`4]]}],"error":null}`))
	assert.Len(t, report.Drifts, contract.MaxDrifts)
	assert.Equal(t, 998-contract.MaxDrifts, report.More)
	body := `{"data":{"tags":[]},"error":null` + strings.Repeat(`,"x":1`, contract.MaxDrifts) + `}`
	report = contract.Check(api.ListTags().Operation, 203, []byte(body))
	assert.Len(t, report.Drifts, contract.MaxDrifts, "the status is one of them")
	assert.Equal(t, 1, report.More)
}

// TestWalk_isLinear walks through bodies of several forms.
func TestWalk_isLinear(t *testing.T) {
	for name, test := range map[string]struct {
		shape *contract.Shape
		build func(n int) string
	}{
		"unread items": {contract.Security, func(n int) string {
			return fmt.Sprintf(filter, "["+strings.Repeat(`{},"a",`, n)+"0]")
		}},
		"unread fields": {contract.Destinations, func(n int) string {
			return "[" + strings.Repeat(`{"id":"a","name":{}},`, n) + "{}]"
		}},
		"unknown fields": {contract.Confirmation, func(n int) string {
			return `{"data":true` + strings.Repeat(`,"x":1,"y":2`, n) + `}`
		}},
		"drifts below a long name": {contract.URLs, func(n int) string {
			return `{"data":{"multichain_urls":{"` + strings.Repeat("x", n) + `":{"y":1` +
				strings.Repeat(`,"http_url":null,"y":1`, n) + `}}}}`
		}},
		"tuples": {contract.Metrics, func(n int) string {
			return `{"data":[{"data":[` + strings.Repeat(`["1",2],`, n) + `[1,2]]}]}`
		}},
	} {
		checkLinear(t, name, test.build, func(body []byte) { contract.Walk(test.shape, body) })
	}
}

// checkLinear doubles a body, and holds the memory that the walks take against each other.
func checkLinear(t *testing.T, name string, build func(n int) string, walk func(body []byte)) {
	t.Helper()
	race.Skip(t)
	work := func(n int) uint64 {
		body := []byte(build(n))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		walk(body)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	assert.Less(t, work(8000), 3*work(4000), name)
}

// FuzzWalk walks through any body: nothing panics; if a body is mended, it is JSON without unreadable values, and if it
// needs no mending it is left as it is.
func FuzzWalk(f *testing.F) {
	shapes := []*contract.Shape{
		contract.EndpointPage, contract.Metrics, contract.Security, contract.URLs, contract.Payments, contract.Confirmation,
		contract.Limits, contract.Destinations, contract.Notification,
	}
	for _, test := range walks {
		f.Add(uint(slices.Index(shapes, test.shape)), []byte(test.body))
	}
	f.Fuzz(func(t *testing.T, which uint, body []byte) {
		shape := shapes[which%uint(len(shapes))]
		report := contract.Walk(shape, body)
		unread := slices.ContainsFunc(report.Drifts, func(d contract.Drift) bool { return d.Kind == contract.Unread })
		if report.More == 0 && !unread {
			require.Equal(t, string(body), string(report.Body))
			return
		}
		again := contract.Walk(shape, report.Body)
		for _, d := range again.Drifts {
			require.NotEqual(t, contract.Unread, d.Kind, "%s: %+v", report.Body, d)
		}
		require.True(t, jsontext.Value(report.Body).IsValid(scan.Lenient), "%s", report.Body)
		typed := slices.ContainsFunc(again.Drifts, func(d contract.Drift) bool { return d.Kind == contract.Type })
		if shape == contract.Notification && !typed {
			require.True(t, reply.CanDecode[alerts.Notification](report.Body), "%s", report.Body)
		}
	})
}
