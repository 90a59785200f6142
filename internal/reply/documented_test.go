package reply_test

import (
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
)

// TestRead_recordsOfLibrary has what is forgiven in a page of records, and the place of what is not.
func TestRead_recordsOfLibrary(t *testing.T) {
	record := []admin.Endpoint{{ID: "a", Chain: "b"}}
	for body, want := range map[string][]admin.Endpoint{
		`{"data":[{"id":"x","chain":"b","id":"a"}]}`: record, `{"data":[{}],"data":[{"id":"a","chain":"b"}]}`: record,
		"{\"data\":[{\"id\":\"\xff\"}]}": {{ID: "\uFFFD"}}, `{"data":[{"id":7,"chain":1e2}]}`: {{ID: "7", Chain: "1e2"}},
		`{"data":[],"pagination":{"total":"7"},"pageInfo":7,"next_at":7}`: {}, `{"data":null}`: nil,
		`{"data":[{"tags":[{"tag_id":"7"},{"tag_id":8.0,"label":null}]}]}`: {{Tags: []admin.EndpointTag{
			{TagID: new(int64(7))}, {TagID: new(int64(8))}}}},
	} {
		got, err := read[[]admin.Endpoint](api.ResponsePage, jsonType, []byte(body))
		require.NoError(t, err, body)
		assert.Equal(t, want, got.Data, body)
	}
	for body, want := range map[string]string{
		`null`: reply.NoData, `{}`: reply.NoData, `[]`: `unexpected type: an array at ""`,
		`{"data":[null]}`:                                        `unexpected type: a null at "/data/0"`,
		`{"data":[{},{"id":[]}]}`:                                `unexpected type: an array at "/data/1/id"`,
		`{"data":[{"id" : true}]}`:                               `unexpected type: a boolean at "/data/0/id"`,
		`{"data":[{"tags":[{"tag_id":9223372036854775808}]}]}`:   `unexpected type: a number at "/data/0/tags/0/tag_id"`,
		`{"data":[{"http_url":"https://a.example/[redacted]"}]}`: `unexpected type: a string at "/data/0/http_url"`,
		`{"data":[],"pagination":{"total":"x"}}`:                 `unexpected type: a string at "/pagination/total"`,
		`{"data":[{"id":[]},{"id":tru}]}`:                        `invalid JSON: at byte 28`,
		`{"data":[{"id":[]}`:                                     `response cut short: the JSON value is not complete after 18 bytes`,
		`{"data":[]} x`:                                          `text after the JSON value: at byte 12`,
		`{"data":[{"id":[]}],"error":"no"}`:                      `no`,
		`{"data":[` + strings.Repeat(`{},`, 100_000) + `{}]}`:    `response too large: the records up to "/data/`,
	} {
		_, err := read[[]admin.Endpoint](api.ResponsePage, jsonType, []byte(body))
		requireBeginning(t, want, err)
	}
}

// TestRead_recordsInTypesOfCallers has records of this library in another type.
func TestRead_recordsInTypesOfCallers(t *testing.T) {
	type own struct {
		Tags  map[string][]admin.EndpointTag `json:"tags"`
		First *admin.EndpointTag             `json:"first"`
	}
	got, err := read[own](api.ResponseData, jsonType,
		[]byte(`{"data":{"tags":{"a":[{"tag_id":"7","new":1},{}]},"first":{"label":8}}}`))
	require.NoError(t, err)
	assert.Equal(t, []string{"new"}, got.Data.Tags["a"][0].Extra.Names())
	assert.Equal(t, new(int64(7)), got.Data.Tags["a"][0].TagID)
	assert.Equal(t, &admin.EndpointTag{Label: new("8")}, got.Data.First)
	deep := hostile.Nested(`[`, ``, `]`, 9001)
	for body, want := range map[string]string{
		`{"tags":{"a":[{},null]}}`:                                  `unexpected type: a null at "/data/tags/a/1"`,
		`{"x":` + deep + `,"first":{"label":[]}}`:                   `unexpected type: an array at "/data/first/label"`,
		`{"tags":{"a":` + deep + `}}`:                               `unexpected type: an array at "/data/tags/a/0"`,
		`{"tags":{"a":[` + strings.Repeat(`{},`, 100_000) + `{}]}}`: `response too large: the records up to "/data/tags/a/`,
	} {
		_, err := read[own](api.ResponseData, jsonType, []byte(`{"data":`+body+`}`))
		requireBeginning(t, want, err)
	}
	metrics, err := read[map[string]any](api.ResponseData, jsonType, []byte(`{"data":{"x":`+deep+`}}`))
	requireBeginning(t, "nested too deeply: more than 9000 levels at \"/data/x/0/0", err)
	assert.Empty(t, metrics.Data)
}

func TestRead_convertsScalarsInEnvelope(t *testing.T) {
	const bom = "\xef\xbb\xbf"
	responder, err := read[[]admin.EndpointTag](api.ResponsePage, jsonType,
		[]byte(bom+`{"data":[{"label":7,"tag_id":"3"}],"pagination":{"total":"1000","limit":20.0},"next_at":1700000000}`))
	require.NoError(t, err)
	assert.Equal(t, []admin.EndpointTag{{Label: new("7"), TagID: new(int64(3))}}, responder.Data)
	assert.Equal(t, &reply.Page{Total: new(1000), Limit: new(20)}, responder.Page)
	assert.Equal(t, "1700000000", responder.NextAt)

	for _, kind := range []string{api.ResponseConfirm, api.ResponseNone, api.ResponseEmpty, api.ResponseMaybe} {
		_, err := read[thing](kind, jsonType, []byte(bom))
		require.NoError(t, err, kind)
		_, err = read[thing](kind, jsonType, []byte(bom+`{"error":"no"}`))
		require.EqualError(t, err, "no", kind)
	}
	assert.Equal(t, "no", reply.Explain("", []byte(bom+`{"error":"no"}`)))
}

// TestRead_keptRecordFreesPage reads a page with a large unknown value in it: if only a record is kept, the page
// is freed.
func TestRead_keptRecordFreesPage(t *testing.T) {
	freed := make(chan struct{})
	page := func() reply.Content[[]admin.Endpoint] {
		raw := []byte(`[{"id":"endpoint-of-a-long-name-for-no-cache","x":"` + strings.Repeat("x", 1<<20) + `"}]`)
		runtime.AddCleanup(&raw[0], func(struct{}) { close(freed) }, struct{}{})
		content, err := read[[]admin.Endpoint](api.ResponseArray, jsonType, raw)
		require.NoError(t, err)
		return content
	}
	content := page()
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
