package reply_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
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
			{TagID: 7}, {TagID: 8}}}},
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
	assert.Equal(t, int64(7), got.Data.Tags["a"][0].TagID)
	assert.Equal(t, &admin.EndpointTag{Label: "8"}, got.Data.First)
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
	assert.Equal(t, content[[]admin.EndpointTag]{
		Content: reply.Content{Page: &reply.Page{Total: new(1000), Limit: new(20)}, NextAt: "1700000000"},
		Data:    []admin.EndpointTag{{Label: "7", TagID: 3}},
	}, responder)
	for _, kind := range writes {
		_, err := read[thing](kind, jsonType, []byte(bom))
		require.NoError(t, err, kind)
		_, err = read[thing](kind, jsonType, []byte(bom+`{"error":"no"}`))
		require.EqualError(t, err, "no", kind)
	}
	assert.Equal(t, "no", reply.Explain("", []byte(bom+`{"error":"no"}`)))
	options, err := read[*admin.EndpointSecurityOptions](api.ResponseRecord, jsonType,
		[]byte(`{"ipCustomHeader":{"value":"x"},"ipCustomHeader":false,"cors":false}`))
	require.NoError(t, err, "it was observed in the place of a null")
	assert.Equal(t, &admin.EndpointSecurityOptions{CORS: new(false)}, options.Data)
}

// TestRead_keptRecordFreesPage reads a page with a large unknown value in it: if only a record is kept, the page
// is freed.
func TestRead_keptRecordFreesPage(t *testing.T) {
	freed := make(chan struct{})
	page := func() content[[]admin.Endpoint] {
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
