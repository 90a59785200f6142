package clienttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	genqlient "github.com/Khan/genqlient/graphql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/hostile"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// reading is a call and the body that it reads, around the items of a list.
type reading struct {
	before, after string
	call          func(t *testing.T, client *rpcfleet.Client) error
}

func anyRequest(path string) rpcfleet.Request { return rpcfleet.Request{Method: "GET", Path: path} }

// readings are calls with a list in the response.
var readings = map[string]reading{
	"a page": {`{"data":[`, `],"pagination":{"total":9}}`, func(t *testing.T, client *rpcfleet.Client) error {
		return errOf(client.Endpoints.List(t.Context(), admin.ListEndpointsParams{Limit: new(10)}))
	}},
	"a log": {`{"data":[`, `],"next_at":null}`, func(t *testing.T, client *rpcfleet.Client) error {
		return errOf(client.Logs.List(t.Context(), "a", anHour))
	}},
	"a bare list": {`[`, `]`, func(t *testing.T, client *rpcfleet.Client) error {
		return errOf(client.Notifications.List(t.Context(), alerts.ListNotificationsParams{}))
	}},
	"a list in a record": {`{"data":{"invoices":[`, `]}}`, func(t *testing.T, client *rpcfleet.Client) error {
		return errOf(client.Billing.Invoices(t.Context()))
	}},
	"a list in a page": {`{"data":[{"id":"a","tags":[`, `]}]}`, func(t *testing.T, client *rpcfleet.Client) error {
		return errOf(client.Endpoints.List(t.Context(), admin.ListEndpointsParams{}))
	}},
	"edges": {`{"data":{"chain":{"transactions":{"edges":[`, `],"pageInfo":{"hasNextPage":false}}}}}`,
		func(t *testing.T, client *rpcfleet.Client) error {
			return errOf(transactions(client).Page(t.Context()))
		}},
	"failures": {`{"data":null,"errors":[`, `]}`, func(t *testing.T, client *rpcfleet.Client) error {
		return client.Graph.MakeRequest(t.Context(), &genqlient.Request{Query: "{ a }"}, &genqlient.Response{Data: new(any)})
	}},
}

// TestDecoding_hostileListsTakeBoundedMemory responds with lists of nulls and of empty records. They are
// refused, and the call takes a bounded multiple of the memory of the JSON, which does not grow with it.
func TestDecoding_hostileListsTakeBoundedMemory(t *testing.T) {
	race.Skip(t)
	for name, way := range readings {
		for _, item := range []string{`null`, `{}`, `{"":0}`} {
			taken := func(size int) float64 {
				client, _ := scripted(t, respondJSON(200, hostile.Padded(way.before, item, way.after, size)))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				err := way.call(t, client)
				runtime.ReadMemStats(&after)
				if unread := (*rpcfleet.DecodeError)(nil); errors.As(err, &unread) {
					assert.Contains(t, []string{rpcfleet.ReasonTooLarge, rpcfleet.ReasonUnexpectedType},
						unread.Reason)
				} else {
					assert.Equal(t, "failures", name)
				}
				return float64(after.TotalAlloc-before.TotalAlloc) / float64(size)
			}
			small, large := taken(1<<19), taken(1<<20)
			assert.Less(t, large, 64.0, "%s: %s", name, item)
			assert.Less(t, large, 1.2*small+8, "%s: %s", name, item)
		}
	}
}

// TestDecoding_largeResponsesAreRead reads more records than any page has, with fields that are unknown and with a
// duplicate name.
func TestDecoding_largeResponsesAreRead(t *testing.T) {
	rows := func(before, row, after string, count int) responder {
		return respondJSON(200, before+strings.Repeat(row+",", count-1)+row+after)
	}
	client, server := scripted(t, rows(`{"data":[`, `{"id":"","id":"a","new":1}`, `]}`, 2000),
		rows(`{"data":{"methods":[`, `{"method_name":"eth_call","credits_used":20,"new":1,"newer":null}`, `]}}`, 100_000),
		rows(`{"data":[`, `{"id":"","id":"a"}`, `]}`, 100_000))
	assert.Len(t, must(client.Endpoints.List(t.Context(), admin.ListEndpointsParams{}))(t).Items, 2000)
	usage := must(client.Usage.ByMethod(t.Context(), admin.GetUsageParams{}))(t)
	assert.Len(t, usage.Methods, 100_000)
	type small struct {
		ID string `json:"id"`
	}
	assert.Len(t, must(rpcfleet.Do[[]small](t.Context(), client, anyRequest("/v0/small")))(t), 100_000)
	assert.Len(t, server.Requests(), 3)
}

// TestDecoding_nestingLimitIsExact nests values of every kind 9,000 levels deep, counting their own, and one deeper.
func TestDecoding_nestingLimitIsExact(t *testing.T) {
	for body, call := range map[string]func(client *rpcfleet.Client) (any, error){
		`{"data":{"id":"a","x":%s}}`: func(client *rpcfleet.Client) (any, error) {
			record, err := client.Endpoints.Get(t.Context(), "a")
			value, is := record.Extra.Get("x")
			if !is {
				return nil, &rpcfleet.DecodeError{Reason: rpcfleet.ReasonTooDeep}
			}
			return value, err
		},
		`{"data":{"x":%s}}`: func(client *rpcfleet.Client) (any, error) {
			got, err := rpcfleet.Do[map[string]json.RawMessage](t.Context(), client, anyRequest("/v0/a"))
			return got["x"], err
		},
		`{"data":{"x":%s},"id":1,"id":2}`: func(client *rpcfleet.Client) (any, error) {
			got, err := rpcfleet.Do[map[string]any](t.Context(), client, anyRequest("/v0/a"))
			return got["x"], err
		},
		`{"data":{"x":{"y":%s}}}`: func(client *rpcfleet.Client) (any, error) {
			got, err := graph.Query[map[string]map[string]any](t.Context(), client.Graph, "{ x { y } }", nil)
			return got["x"]["y"], err
		},
		`{"data":{"chain":{"nft":{"__typename":"ERC721NFT","metadata":%s}}}}`: func(client *rpcfleet.Client) (any, error) {
			got, err := client.Graph.NFT(t.Context(), graph.ChainEthereum, "0xa1", one)
			if err != nil {
				return nil, err
			}
			return got.(*graph.NFTERC721NFT).Metadata, nil
		},
	} {
		for _, inner := range []string{`1`, `"a"`, `[]`, `{}`, `[1]`, `{"a":1}`} {
			for levels, reason := range map[int]string{8999: "", 9000: "", 9001: rpcfleet.ReasonTooDeep} {
				around := strings.Count(body[:strings.Index(body, "%s")], "{") + strings.Count(inner[:1], "{") +
					strings.Count(inner[:1], "[")
				deep := hostile.Nested(`[`, inner, `]`, levels-around)
				client, _ := scripted(t, respondJSON(200, fmt.Sprintf(body, deep)))
				got, err := call(client)
				if reason != "" {
					assert.Equal(t, reason, errorAs[*rpcfleet.DecodeError](t, err, body, inner).Reason)
					continue
				}
				text, unwritten := json.Marshal(got)
				require.NoError(t, errors.Join(err, unwritten), "%s: %s in %d levels", body, inner, levels)
				assert.True(t, deep == string(text), "%s: %s in %d levels", body, inner, levels)
			}
		}
	}
}
