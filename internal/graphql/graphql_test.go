package graphql_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/test/hostile"
)

// drawing is data of a caller.
type drawing struct {
	Title string      `json:"title"`
	Shape graph.NFT   `json:"shape"`
	All   []graph.NFT `json:"all"`
}

// requireMalformed checks that a body cannot be used, and for which reason.
func requireMalformed(t *testing.T, reason string, err error, body ...any) *reply.Malformed {
	t.Helper()
	var malformed *reply.Malformed
	require.ErrorAs(t, err, &malformed, body...)
	assert.Equal(t, reason, malformed.Reason, body...)
	return malformed
}

func TestRead_decodesData(t *testing.T) {
	token := &graph.NFTERC721NFT{Typename: "ERC721NFT"}
	replaced := graph.NFTUnknown{Raw: []byte("{\"rays\":\"\uFFFD\"}")}
	star := &graph.NFTUnknown{Typename: "Star", Raw: []byte(`{"__typename":"Star","rays":5}`)}
	for body, want := range map[string]drawing{
		`{"data":{"title":"a"}}`:                                          {Title: "a"},
		`{"data":{"title":"a"},"errors":[],"extensions":{}}`:              {Title: "a"},
		`{"errors":null,"data":{"title":"a"},"error":null}`:               {Title: "a"},
		`{"data":{"shape":{"__typename":"ERC721NFT"}}}`:                   {Shape: token},
		`{"data":{"shape":{"attributes":null,"__typename":"ERC721NFT"}}}`: {Shape: token},
		`{"data":{"shape":null}}`:                                         {},
		`{"data":{"shape":{"__typename":"Star","rays":5}}}`:               {Shape: star},
		"{\"data\":{\"shape\":{\"rays\":\"\xff\"}}}":                      {Shape: &replaced},
		`{"data":{"TITLE":"a","All":[{"__typename":"ERC721NFT"}]}}`:       {Title: "a", All: []graph.NFT{token}},
		`{"data":{"title":"a","title":"b"}}`:                              {Title: "b"},
		`{"data":{"title":"a"},"data":{}}`:                                {},
		`{"data":{"all":[null]}}`:                                         {All: []graph.NFT{nil}},
		"\xef\xbb\xbf{\"data\":{\"title\":\"a\xff\xfe\"}}":                {Title: "a\uFFFD\uFFFD"},
	} {
		got := drawing{Title: "stale", All: []graph.NFT{token}}
		stated, err := graphql.Read(jsonType, []byte(body), nil, graphql.Own{Into: &got})
		require.NoError(t, err, body)
		assert.Empty(t, stated, body)
		assert.Equal(t, want, got, body)
	}
}

// TestRead_returnsErrors has the shapes of errors. The data beside them is read, unless it has another shape.
func TestRead_returnsErrors(t *testing.T) {
	said := func(messages ...string) (all []graphql.Error) {
		for _, message := range messages {
			all = append(all, graphql.Error{Message: message})
		}
		return all
	}
	for body, want := range map[string][]graphql.Error{
		`{"errors":[{"message":"no","path":["shape","all",3],"extensions":{"code":"NOT_ALLOWED"}}]}`: {
			{"no", "shape.all.3", "NOT_ALLOWED"}},
		`{"data":null,"errors":[{"message":"no"}]}`:                                        said("no"),
		`{"errors":[{"message":"no"}],"data":{"title":"a","shape":null}}`:                  said("no"),
		`{"errors":[{"message":"a"},{"message":"b"}]}`:                                     said("a", "b"),
		`{"errors":["a","b"]}`:                                                             said("a", "b"),
		`{"errors":"a"}`:                                                                   said("a"),
		`{"errors":[null,true]}`:                                                           said("", ""),
		`{"errors":{"message":"a","extensions":{"code":7}}}`:                               {{Message: "a", Code: "7"}},
		`{"errors":[{"message":"a","path":"shape"}]}`:                                      said("a"),
		`{"errors":[{"message":["a",["b"],{"message":"c"}]},{"message":{"message":"d"}}]}`: said("a; b; c", "d"),
		`{"errors":["a"],"errors":["b"]}`:                                                  said("b"),
		`{"data":{"title":[]},"errors":["a"],"errors":["b"]}`:                              said("b"),
		`{"errors":[{"path":[[1]],"extensions":7,"code":"x"}]}`:                            said(""),
		`{"data":{"title":[]},"errors":[{"message":"a"}]}`:                                 said("a"),
	} {
		var got drawing
		stated, err := graphql.Read(jsonType, []byte(body), nil, graphql.Own{Into: &got})
		require.NoError(t, err, body)
		assert.Equal(t, want, stated, body)
		assert.Equal(t, strings.Contains(body, `"title":"a"`), got.Title == "a", body)
	}
}

func TestRead_malformedBodyGivesReason(t *testing.T) {
	for body, want := range map[string]string{
		`<html>`: reply.HTML, ``: reply.Empty, `{}`: reply.NoData, `{"data":null}`: reply.NoData,
		`{"data":{"title":"a"`:                                    reply.Truncated,
		`{"data":{"shape":{"__typename":"Cir`:                     reply.Truncated,
		`{"data":{}}x`:                                            reply.Trailing,
		`{"errors":["a"],"data":{}}x`:                             reply.Trailing,
		`{"data":{"title":[7]}}`:                                  reply.Shape,
		`{"data":{"shape":{"__typename":"ERC721NFT","name":[]}}}`: reply.Shape,
		`{"data":{"shape":7}}`:                                    reply.Shape,
		`[]`:                                                      reply.Shape,
	} {
		_, err := graphql.Read(jsonType, []byte(body), nil, graphql.Own{Into: &drawing{}})
		assert.NotContains(t, requireMalformed(t, want, err, body).Detail, "struct", "no field of the library's own")
	}
	for _, body := range []string{`{"error":"no such plan"}`, `{"data":false,"error":"no such plan"}`} {
		_, err := graphql.Read(jsonType, []byte(body), nil, graphql.Own{Into: &drawing{}})
		var statedFailure *reply.Failure
		require.ErrorAs(t, err, &statedFailure)
		assert.Equal(t, "no such plan", statedFailure.Error())
	}
}

func TestErrors_readsFailedResponse(t *testing.T) {
	assert.Equal(t, []graphql.Error{{"a", "", "INVALID_FIELD"}},
		graphql.Errors(jsonType, []byte(`{"errors":[{"message":"a","extensions":{"code":"INVALID_FIELD"}}]}`)))
	for _, body := range []string{``, `<html>`, `{}`, `{"errors":null}`, `{"errors":[]}`, `[`, `{"errors":["a"],`,
		`Unauthorized`} {
		assert.Empty(t, graphql.Errors("", []byte(body)), body)
	}
}

// TestErrors_boundsNumberAndPath keeps the first of many errors, and the beginning of a long path.
func TestErrors_boundsNumberAndPath(t *testing.T) {
	deep := hostile.Nested(`[`, `"`+strings.Repeat("x", 50)+`"`, `]`, 201)
	assert.Len(t, graphql.Errors(jsonType, []byte(`{"x":`+deep+`,"errors":["no"]}`)), 1)
	list := strings.TrimSuffix(strings.Repeat(`"a",`, 1001), ",")
	assert.Len(t, graphql.Errors("", []byte(`{"errors":[`+list+`]}`)), 1000)
	path := strings.Split(graphql.Errors("", []byte(`{"errors":[{"path":[`+list+`]}]}`))[0].Path, ".")
	assert.Len(t, path, 100)
}

// refusing is a record that reads itself, and refuses every value.
type refusing struct{}

func (*refusing) UnmarshalJSON([]byte) error { return errors.New("refused") }

func TestRead_nullDataIsNotDecoded(t *testing.T) {
	_, err := graphql.Read(jsonType, []byte(`{"data":null}`), nil, graphql.Own{Into: new(refusing)})
	require.EqualError(t, err, "no data in the response")
}

// TestRead_locatesErrorsInInterfaces is about the interfaces that the library decodes.
func TestRead_locatesErrorsInInterfaces(t *testing.T) {
	for body, want := range map[string]string{
		`{"shape":{"__typename":"ERC721NFT","attributes":[{},{"name":[]}]}}`: `an array at "/data/shape/attributes/1/name" cannot be read as string`,
		`{"all":[{"__typename":"ERC721NFT"},[]]}`:                            `an array at "/data/all/1" cannot be read as graph.NFT`,
		`{"title":7}`: `a number at "/data/title" cannot be read as string`,
	} {
		var got drawing
		_, err := graphql.Read(jsonType, []byte(`{"data":`+body+`}`), nil, graphql.Own{Into: &got})
		assert.Equal(t, want, requireMalformed(t, reply.Shape, err).Detail)
	}
}

const jsonType = "application/json"

// FuzzReadGraph reads any body.
func FuzzReadGraph(f *testing.F) {
	for _, seed := range []string{
		`{"data":{"title":"a","shape":{"__typename":"ERC721NFT","uploads":[{"url":"Star"}]}}}`,
		`{"data":{"shape":{"__typename":"ERC721NFT"},"shape":null}}`, `{"data":null,"errors":[{"message":"a","path":["b",1]}]}`,
		`{"errors":"a"}`, `{"data":{"shape":7}}`, `{"data":{"all":[null,{}]}}`, `{"error":"x"}`, `{"data":`, `{"errors":`, `[]`, ``,
		`{"data":{"chain":{"wallet":{"walletNFTs":{"edges":[{"cursor":"a","node":{"nft":{"__typename":"ERC721NFT",` +
			`"uploads":[{"url":"a"},7],"metadata":[1],"tokenId":[]}}},{"node":null},{"cursor":{}},7],"pageInfo":{"endCursor":7}}}}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		var got drawing
		readers["a page"]([]byte(body))
		stated, err := graphql.Read("", []byte(body), nil, graphql.Own{Into: &got})
		if err == nil && len(stated) == 0 {
			require.True(t, strings.Contains(body, `data`) || strings.Contains(body, `\u`), "data came from somewhere")
		}
	})
}

// readers are the ways to read a body.
var readers = map[string]func(raw []byte){
	"a graph":         func(raw []byte) { _, _ = graphql.Read("", raw, nil, graphql.Own{Into: &drawing{}}) },
	"a page":          func(raw []byte) { _, _ = graphql.Read("", raw, nil, new(graphql.ListWalletNFTs).Query()) },
	"a failed status": func(raw []byte) { graphql.Errors("", raw) },
}

// TestRead_hostileBodiesAreLinear reads every hostile body in every way.
func TestRead_hostileBodiesAreLinear(t *testing.T) { hostile.Linear(t, readers) }
