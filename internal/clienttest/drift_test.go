package clienttest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// drifts returns a client that reports drift, and the reports.
func drifts(t *testing.T, lines ...responder) (*rpcfleet.Client, *[]rpcfleet.Drift) {
	t.Helper()
	_, s := scripted(t, lines...)
	var reported []rpcfleet.Drift
	return s.client(t,
		rpcfleet.WithDriftHandler(func(_ context.Context, drift rpcfleet.Drift) { reported = append(reported, drift) })), &reported
}

const strangeTags = `{"data":{"tags":[{"id":1,"label":"a","usage_count":{"token":"made-up-secret"},"made":"up"},{"id":2,"label":"b","usage_count":3}]},"error":null}`

func TestDrift_unreadableValueIsLeftOut(t *testing.T) {
	client, reported := drifts(t, respondJSON(http.StatusOK, strangeTags))
	var raw rpcfleet.Response
	tags := must(client.Tags.List(t.Context(), rpcfleet.WithResponse(&raw)))(t)
	require.Len(t, tags, 2)
	assert.Equal(t, "a", tags[0].Label)
	assert.Equal(t, []string{"usage_count"}, tags[0].Extra.Skipped())
	value, kept := tags[0].Extra.Get(scalar.SkippedKey("usage_count"))
	assert.True(t, kept)
	assert.JSONEq(t, `{"token":"made-up-secret"}`, string(value))
	assert.EqualValues(t, 3, tags[1].UsageCount)
	assert.True(t, tags[1].Extra.IsZero())
	assert.Equal(t, strangeTags, string(raw.Body()), "the raw response stays as it is")
	assert.Equal(t, []rpcfleet.Drift{
		{Operation: "listTags", Method: "GET", Path: "/v0/endpoints/tags", StatusCode: 200, Kind: rpcfleet.DriftUnread,
			Pointer: "/data/tags/0/usage_count", Expected: "integer", Found: "object"},
		{Operation: "listTags", Method: "GET", Path: "/v0/endpoints/tags", StatusCode: 200, Kind: rpcfleet.DriftUnknownField,
			Pointer: "/data/tags/0/made", Expected: "no such field", Found: "string"},
	}, *reported)
	assert.NotContains(t, fmt.Sprintf("%+v %+v", *reported, tags), "made-up-secret")

	client, _ = scripted(t, respondJSON(http.StatusOK, strangeTags))
	unreadable := errorAs[*rpcfleet.DecodeError](t, errOf(client.Tags.List(t.Context())))
	assert.Contains(t, unreadable.Detail, "/data/tags/0/usage_count")
}

func TestDrift_skipsUnknownOperations(t *testing.T) {
	client, reported := drifts(t, respondJSON(http.StatusOK, `{"data":{"percent":99.95}}`))
	uptime := must(rpcfleet.Do[map[string]float64](t.Context(), client,
		rpcfleet.Request{Method: "GET", Path: "/v0/uptime"}))(t)
	assert.Equal(t, map[string]float64{"percent": 99.95}, uptime)
	assert.Empty(t, *reported)
}

func TestDrift_handlerOfCallWins(t *testing.T) {
	line := respondJSON(http.StatusOK, strangeTags)
	client, reported := drifts(t, line, line)
	type key struct{}
	var here []any
	_, err := client.Tags.List(context.WithValue(t.Context(), key{}, "of the call"),
		rpcfleet.WithDriftHandler(func(ctx context.Context, _ rpcfleet.Drift) { here = append(here, ctx.Value(key{})) }))
	require.NoError(t, err)
	assert.Equal(t, []any{"of the call", "of the call"}, here)
	assert.Empty(t, *reported)
	require.NoError(t, errOf(client.Tags.List(t.Context())))
	assert.Len(t, *reported, 2)
}

// TestDrift_reportsStatusOfLastAttempt has statuses: a status of an attempt that is retried is not reported, and the
// status of the last attempt is, documented or not.
func TestDrift_reportsStatusOfLastAttempt(t *testing.T) {
	client, reported := drifts(t, respondJSON(http.StatusBadGateway, `{}`), respondJSON(http.StatusTeapot, `{"odd":true}`),
		respondJSON(http.StatusUnauthorized, `{"data":null,"error":"no","hint":1}`))
	require.Error(t, errOf(client.Tags.List(t.Context())))
	require.Len(t, *reported, 1)
	assert.Equal(t, rpcfleet.DriftUnknownStatus, (*reported)[0].Kind)
	assert.Equal(t, "418", (*reported)[0].Found)
	require.ErrorIs(t, errOf(client.Tags.List(t.Context())), rpcfleet.ErrUnauthorized)
	require.Len(t, *reported, 2)
	assert.Equal(t, "/hint", (*reported)[1].Pointer)
}

func TestDrift_isTruncated(t *testing.T) {
	for n, want := range map[int]rpcfleet.Drift{
		100: {Kind: rpcfleet.DriftUnknownField, Pointer: "/data/tags/99/made", Expected: "no such field", Found: "string"},
		999: {Kind: rpcfleet.DriftTruncated, Found: "899"},
	} {
		tags := strings.Repeat(`,{"id":1,"label":"a","usage_count":1,"made":"up"}`, n)
		client, reported := drifts(t, respondJSON(http.StatusOK, `{"data":{"tags":[`+tags[1:]+`]},"error":null}`))
		require.NoError(t, errOf(client.Tags.List(t.Context())))
		require.Len(t, *reported, min(n, 101))
		want.Operation, want.Method, want.Path, want.StatusCode = "listTags", "GET", "/v0/endpoints/tags", 200
		assert.Equal(t, want, (*reported)[len(*reported)-1])
	}
}

// TestDrift_hidesSecrets puts credentials into names, and in places that have an enum in the contract.
func TestDrift_hidesSecrets(t *testing.T) {
	client, reported := drifts(t,
		respondJSON(http.StatusOK, `{"data":[{"option":"`+testKey+`","status":"enabled","`+testKey+`":1}],"error":null}`))
	require.NoError(t, errOf(client.Security.Options(t.Context(), "ep")))
	require.Len(t, *reported, 2)
	assert.NotContains(t, fmt.Sprintf("%+v", *reported), testKey)
	assert.Contains(t, (*reported)[0].Expected, "cors")
}

// contractWith is a response with a contract that has every requested field, with changes: pairs of old and new text.
func contractWith(changes ...string) string {
	return strings.NewReplacer(changes...).Replace(
		`{"data":{"chain":{"contract":{"__typename":"TokenContract","address":"0xa",` +
			`"name":"Coin","symbol":null,"isVerified":true,"supportedErcInterfaces":["ERC20"],"abi":[{"any":1}],"decimals":6,` +
			`"details":{"address":"0xa","name":"Coin","slug":"coin","symbol":"C"}}}}}`)
}

// TestDrift_newerTypeKeepsFields keeps the fields that the interface of a record does not have. The deviations
// themselves are tested in internal/contract and in acceptance.
func TestDrift_newerTypeKeepsFields(t *testing.T) {
	for kind, body := range map[rpcfleet.DriftKind]string{
		rpcfleet.DriftUnknownValue: contractWith(`"TokenContract"`, `"NewContract"`),
		rpcfleet.DriftMissing:      contractWith(`"__typename":"TokenContract",`, ``),
	} {
		client, reported := drifts(t, respondJSON(http.StatusOK, body))
		contract := must(client.Graph.Contract(t.Context(), graph.ChainEthereum, "0xa"))(t)
		require.Len(t, *reported, 1)
		assert.Equal(t, kind, (*reported)[0].Kind)
		assert.Equal(t, "/data/chain/contract/__typename", (*reported)[0].Pointer)
		assert.ElementsMatch(t, []string{"decimals", "details"}, contract.GetExtra().Names())
	}
}

// TestDrift_callersQueryHasNoShape has a query with the name of one of the library's queries: its data has no known
// form.
func TestDrift_callersQueryHasNoShape(t *testing.T) {
	client, reported := drifts(t, respondJSON(http.StatusOK, `{"data":{"a":{"b":[{}]}},"hint":1}`),
		respondJSON(http.StatusCreated, `{"data":{"a":null}}`))
	for range 2 {
		_, err := graph.Query[map[string]any](t.Context(), client.Graph, "query GetContract { a { b } }", nil)
		require.NoError(t, err)
	}
	require.Len(t, *reported, 2)
	assert.Equal(t, "/hint", (*reported)[0].Pointer)
	assert.Equal(t, rpcfleet.DriftUnknownStatus, (*reported)[1].Kind)
}

// TestGraphExtra_isNotRevealed writes a record behind an interface of package graph with WithSecrets: its MarshalJSON
// redacts the Extra, and reading it back reports that.
func TestGraphExtra_isNotRevealed(t *testing.T) {
	client, _ := drifts(t,
		respondJSON(http.StatusOK, contractWith(`"isVerified":true`, `"isVerified":"`+testKey+`","more":1`)))
	contract := must(client.Graph.Contract(context.Background(), graph.ChainEthereum, "0xa"))(t)
	assert.NotContains(t, fmt.Sprintf("%v %+v", contract, contract), testKey)
	record := contract.(*graph.ContractTokenContract)
	require.False(t, record.Extra.IsZero())
	text := must((scalar.WithSecrets[*graph.ContractTokenContract]{Value: record}).MarshalJSON())(t)
	assert.NotContains(t, string(text), testKey)
	var back scalar.WithSecrets[*graph.ContractTokenContract]
	require.ErrorIs(t, back.UnmarshalJSON(text), scalar.ErrRedacted)
}
