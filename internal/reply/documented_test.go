package reply_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/test/hostile"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// comparison compares the generated decoders with the JSON library for one type, and reports if the generated ones took
// the body.
type comparison func(t *testing.T, raw []byte, bare bool) bool

func shapeOf[T any](t *testing.T, raw []byte, bare bool) bool {
	t.Helper()
	got, took := reply.Documented[T](raw, bare)
	if !took {
		return false
	}
	want, err := reply.Undocumented[T](raw, bare)
	require.NoError(t, err)
	require.Equal(t, takeExtras(t, &want.Data), takeExtras(t, &got.Data))
	require.Equal(t, want, got)
	return true
}

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

// documentedShapes are some of the types: every kind of field is in one of them.
var documentedShapes = map[string]comparison{
	"endpoints":      shapeOf[[]admin.Endpoint],
	"endpoint":       shapeOf[*admin.SingleEndpoint],
	"addresses":      shapeOf[admin.EndpointURLs],
	"security":       shapeOf[*admin.EndpointSecurity],
	"logs":           shapeOf[[]admin.LogEntry],
	"metrics":        shapeOf[[]api.EndpointMetric],
	"usage":          shapeOf[admin.UsageByEndpoint],
	"payments":       shapeOf[api.PaymentList],
	"notifications":  shapeOf[[]alerts.Notification],
	"destinations":   shapeOf[[]alerts.Destination],
	"alerts' events": shapeOf[[]alerts.NotificationEvent],
}

// documentedBodies are taken as they are, each for one shape.
var documentedBodies = []struct{ shape, body string }{
	{"endpoints", `{"data":[],"error":null,"pagination":{"total":0,"limit":20,"offset":0}}`},
	{"endpoints", `{"data":[{}],"error":null,"pagination":null}`},
	{"endpoints", `{"data":[],"pagination":{"total":7},"pageInfo":{"limit":3}}`},
	{"endpoints",
		` { "data" : [ { "id" : "a" , "tags" : [ ] , "label" : null } , { "tags" : [ { "tag_id" : -7 , "label" : "x" } ] } ] } `},
	{"endpoints",
		`{"data":[{"id":"\"\\\/\b\f\n\r\tä\u00e4\uD83D\uDE00😀","is_dedicated":true,"is_flat_rate":false,"name":null}]}`},
	{"endpoints",
		`{"data":[{"new":{"a":[1,-0.5e+10,"x",true,false,null,{}],"ä":[]},"id":"a"}],"meta":[[[]]],"next_at":"x"}`},
	{"endpoints",
		`{"data":[{"http_url":"https://a.example/secret/","wss_url":"wss://a.example/secret/","status":"active"}]}`},
	{"endpoints",
		`{"data":[{"chain":"eth"},{"chain":"eth"},{"chain":"sol"}],"pageInfo":{"limit":3,"total":7,"x":1},"next_at":null}`},
	{"endpoints", `{"data":[{"tags":[{"tag_id":9223372036854775807},{"tag_id":-9223372036854775808},{"tag_id":-0}]}]}`},
	{"addresses",
		`{"data":{"http_url":"https://a.example/x","multichain_urls":{"a":{"http_url":"https://b.example/x"},"ä":{}}}}`},
	{"addresses", `{"data":{"http_url":null,"multichain_urls":{}}}`},
	{"security",
		`{"data":{"tokens":[{"id":"a","token":"secret"}],"ips":null,"options":{"cors":true},"request_filters":[{"method":["a",null]}]}}`},
	{
		"logs", `{"data":[{"timestamp":"2024-05-14T12:34:56Z","error_code":null,"details":{"request":"{\"id\":1}"},"status":200}],"next_at":"c"}`},
	{"logs", `{"data":[{"timestamp":1715690096.5,"error_code":-32000},{"timestamp":""},{"timestamp":"soon"}]}`},
	{"metrics", `{"data":[{"data":[[1715690096,1.5],[1715690097,null]],"tag":["network","x"]},{"tag":"x"}]}`},
	{"payments", `{"data":{"payments":[{"amount":"1","marketplace_amount":"12.50"},{"marketplace_amount":12.50}]}}`},
	{"destinations", `{"data":[{"id":"7","payload_type":3}]}`},
	{"alerts' events", `{"data":[{"block_number":7,"delivered":true},{"block_number":"7"},{"block_number":null}]}`},
	{"notifications", `{"data":[{"expression":"dHhfdG8=","network":"ethereum-mainnet"}],"pageInfo":null}`},
}

func TestDocumented_readsDocumentedBodies(t *testing.T) {
	for _, test := range documentedBodies {
		assert.True(t, documentedShapes[test.shape](t, []byte(test.body), false), "%s", test.body)
		var parts struct{ Data json.RawMessage }
		require.NoError(t, json.Unmarshal([]byte(test.body), &parts))
		assert.True(t, documentedShapes[test.shape](t, parts.Data, true), "%s", parts.Data)
	}
}

// TestDocumented_leavesOddBodiesToLibrary has whatever has to be forgiven or refused. A decoder that took one of them
// would be held against the library.
func TestDocumented_leavesOddBodiesToLibrary(t *testing.T) {
	deep := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	for _, body := range []string{
		``, ` `, `{`, `[]`, `{}`, `null`, `{"data":null}`, `{"data":[]`, `{"data":[]}}`, `{"data":[]} x`, `{"data":[],}`,
		`{,"data":[]}`,
		`{"data":[{}{}]}`, `{"data":[,]}`, `{"data":[{},]}`, `{"data":[{}}}`, `{"data":[{"id"}]}`, `{"data":[{"id":}]}`,
		`{"data":[{id:1}]}`,
		`{"data":[{"id":"a","id":"a"}]}`, `{"data":[],"data":[]}`, `{"data":[],"error":null,"error":null}`,
		`{"data":[{"id":7}]}`, `{"data":[{"\u0069d":"a","id":"b"}]}`, "{\"data\":[{\"id\":\"\xff\"}]}", `{"data":[{"id":"\ud800"}]}`,
		"{\"data\":[{\"id\":\"\n\"}]}", `{"data":[{"id":"a]}`, `{"data":[{"id":"\`,
		`{"data":[{"is_dedicated":1}]}`, `{"data":[{"is_dedicated":"true"}]}`, `{"data":[{"is_dedicated":tru}]}`,
		`{"data":[{"tags":[{"tag_id":"7"}]}]}`, `{"data":[{"tags":[{"tag_id":7.0}]}]}`,
		`{"data":[{"tags":[{"tag_id":9223372036854775808}]}]}`, `{"data":[{"x":1.}]}`, `{"data":[{"x":nul}]}`,
		`{"data":[null]}`,
		`{"data":[{"http_url":"https://a.example/[redacted]"}]}`, `{"data":[{"http_url":7}]}`, `{"data":{}}`, `{"data":[[]]}`,
		`{"data":"x"}`,
		`{"data":[],"error":"nope"}`, `{"data":[],"error":}`, `{"data":[],"error":""}`, `{"data":[],"error":{}}`,
		`{"data":[],"pagination":{"total":"7"}}`,
		`{"data":[],"pageInfo":7}`, `{"data":[],"next_at":7}`, `{"data":[{"x":` + deep(98) + `}]}`,
		"\xef\xbb\xbf\xef\xbb\xbf{\"data\":[]}",
	} {
		assert.False(t, documentedShapes["endpoints"](t, []byte(body), false), "%s", body)
	}
	assert.True(t, documentedShapes["endpoints"](t, []byte(`{"data":[{"x":`+deep(97)+`}]}`), false), "100 levels are read")
	assert.False(t, documentedShapes["addresses"](t, []byte(`{"data":{"multichain_urls":{"a":{},"a":{}}}}`), false))
	assert.False(t, documentedShapes["addresses"](t, []byte("{\"data\":{\"multichain_urls\":{\"a\xff\":{}}}}"), false))
}

// FuzzDocumented compares the generated decoders with the JSON library: if they take a body, both read it alike, and it
// is valid JSON for encoding/json, too.
func FuzzDocumented(f *testing.F) {
	for _, seed := range documentedBodies {
		f.Add([]byte(seed.body))
	}
	for _, build := range hostile.Bodies {
		f.Add([]byte(build(300)))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, compare := range documentedShapes {
			for _, bare := range []bool{true, false} {
				if compare(t, raw, bare) {
					require.True(t, json.Valid(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))))
				}
			}
		}
	})
}

// TestDocumented_keptRecordFreesPage reads a page with a large unknown value in it: if only a record is kept, the page
// is freed.
func TestDocumented_keptRecordFreesPage(t *testing.T) {
	freed := make(chan struct{})
	read := func() reply.Content[[]admin.Endpoint] {
		raw := []byte(`[{"id":"endpoint-of-a-long-name-for-no-cache","x":"` + strings.Repeat("x", 1<<20) + `"}]`)
		runtime.AddCleanup(&raw[0], func(struct{}) { close(freed) }, struct{}{})
		content, took := reply.Documented[[]admin.Endpoint](raw, true)
		require.True(t, took)
		return content
	}
	content := read()
	require.Eventually(t, func() bool {
		runtime.GC()
		select {
		case <-freed:
			return true
		default:
			return false
		}
	}, time.Minute, time.Millisecond)
	runtime.KeepAlive(content)
}

// payload is a type that responses are read as.
type payload struct {
	of   reflect.Type
	same comparison
}

func payloadOf[T any]() payload { return payload{reflect.TypeFor[T](), shapeOf[T]} }

var payloads = []payload{
	payloadOf[api.BulkResult](), payloadOf[api.BulkTagResult](), payloadOf[api.CreatedRequestFilter](),
	payloadOf[admin.EndpointDomainMask](), payloadOf[admin.EndpointIP](), payloadOf[admin.EndpointJWT](),
	payloadOf[admin.EndpointReferrer](), payloadOf[admin.EndpointToken](), payloadOf[api.InvoiceList](),
	payloadOf[api.MethodRateLimiterList](), payloadOf[api.PaymentList](), payloadOf[api.RateLimitRows](),
	payloadOf[api.TagList](), payloadOf[api.UpdatedRateLimits](), payloadOf[*admin.AccountInfo](),
	payloadOf[*admin.CreatedTeam](), payloadOf[*admin.EndpointSecurity](), payloadOf[*admin.EndpointURLs](),
	payloadOf[*admin.LogDetails](), payloadOf[*admin.MethodRateLimiter](), payloadOf[*admin.SingleEndpoint](),
	payloadOf[*admin.TeamDetail](), payloadOf[*admin.TeamMember](), payloadOf[*admin.ToolingAccess](),
	payloadOf[*admin.ToolingToken](), payloadOf[*admin.UsageTotal](), payloadOf[admin.UsageByChain](),
	payloadOf[admin.UsageByEndpoint](), payloadOf[admin.UsageByMethod](), payloadOf[admin.UsageByTag](),
	payloadOf[[]admin.APICredit](), payloadOf[[]admin.ListedChain](), payloadOf[[]admin.Endpoint](),
	payloadOf[[]api.EndpointMetric](), payloadOf[[]admin.LogEntry](), payloadOf[[]admin.Team](),
	payloadOf[[]admin.TeamEndpoint](), payloadOf[api.BacktestResult](), payloadOf[*alerts.Destination](),
	payloadOf[*alerts.Notification](), payloadOf[[]alerts.Destination](), payloadOf[[]alerts.Notification](),
	payloadOf[[]alerts.NotificationEvent](),
}

// TestDocumented_readsEveryFieldAsLibraryDoes reads each payload with a value for every field: the decoders take it,
// and read the same as the JSON library. If the first name of each record is repeated, they leave it.
func TestDocumented_readsEveryFieldAsLibraryDoes(t *testing.T) {
	for _, payload := range payloads {
		t.Run(payload.of.String(), func(t *testing.T) {
			body := sample(payload.of)
			require.True(t, payload.same(t, []byte(body), true), "%s", body)
			name := body[strings.Index(body, `{`)+1 : strings.Index(body, `:`)]
			repeated := strings.Replace(body, `{`, `{`+name+`:null,`, 1)
			require.False(t, payload.same(t, []byte(repeated), true), "%s", repeated)
		})
	}
}

// samples are the values of the types that read themselves.
var samples = map[reflect.Type]string{
	reflect.TypeFor[scalar.Time]():       `"2024-05-14T12:34:56.789Z"`,
	reflect.TypeFor[scalar.Secret]():     `"not to be shown"`,
	reflect.TypeFor[scalar.SecretURL]():  `"https://a.example.com/not-to-be-shown/"`,
	reflect.TypeFor[scalar.Decimal]():    `12.50`,
	reflect.TypeFor[admin.MetricPoint](): `[1715690096,0.5]`,
	reflect.TypeFor[api.MetricTag]():     `["network","arbitrum-mainnet"]`,
	reflect.TypeFor[alerts.Expression](): `"dHhfdG8="`,
}

// sample spells a value of a type in which nothing is missing.
func sample(of reflect.Type) string {
	if text, known := samples[of]; known {
		return text
	}
	switch of.Kind() {
	case reflect.String:
		return `"a text of ` + of.Name() + ` "`
	case reflect.Bool:
		return `true`
	case reflect.Pointer:
		return sample(of.Elem())
	case reflect.Slice:
		return `[` + sample(of.Elem()) + `,` + sample(of.Elem()) + `]`
	case reflect.Map:
		return `{"a":` + sample(of.Elem()) + `}`
	case reflect.Struct:
		var members []string
		for field := range of.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			members = append(members, fmt.Sprintf("%q:%s", name, sample(field.Type)))
		}
		return `{` + strings.Join(members, ",") + `}`
	}
	return `7`
}

func TestRead_falseIsNoRecord(t *testing.T) {
	got, err := read[*admin.EndpointSecurity](api.ResponseData, jsonType,
		[]byte(`{"data":{"options":{"ipCustomHeader":{"value":"x"},"ipCustomHeader":false,"cors":false}}}`))
	require.NoError(t, err)
	assert.Equal(t, &admin.EndpointSecurityOptions{CORS: new(false)}, got.Data.Options)
	for _, body := range []string{`{"options":true}`, `{"options":{"ipCustomHeader":0}}`, `{"tokens":false}`, `false`} {
		_, err := read[*admin.EndpointSecurity](api.ResponseData, jsonType, []byte(`{"data":`+body+`}`))
		assert.Error(t, err, body)
	}
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
