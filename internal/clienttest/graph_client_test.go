package clienttest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/Khan/genqlient/graphql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// ship is a record that decodes itself, as those do that genqlient generates for interfaces.
type ship struct{ raw string }

func (s *ship) UnmarshalJSON(text []byte) error {
	s.raw = string(text)
	return nil
}

// cargo is a variable that writes itself.
type cargo int

func (c cargo) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]int{"tons": int(c)}) }

func TestGraphIsAClientForGenqlient(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":{"fleet":[{"b":1.50,"a":2}, null]},"extensions":{"cost":7}}`))
	for name, made := range map[string]graphql.Client{"as it is": client.Graph,
		"with options": client.Graph.With(rpcfleet.WithoutRetries())} {
		t.Run(name, func(t *testing.T) {
			var data struct {
				Fleet []*ship `json:"fleet"`
			}
			response := graphql.Response{Data: &data, Extensions: map[string]any{"of": "an earlier call"}}
			response.Errors = append(response.Errors, nil)
			err := made.MakeRequest(t.Context(), &graphql.Request{
				Query: "query A { a } query B($c: C) { b(c: $c) }", OpName: "B", Variables: map[string]any{"c": cargo(3)},
			}, &response)
			require.NoError(t, err)
			require.Len(t, data.Fleet, 2)
			assert.Equal(t, `{"b":1.50,"a":2}`, data.Fleet[0].raw, "as the service spelled it")
			assert.Nil(t, data.Fleet[1])
			assert.Equal(t, map[string]any{"cost": 7.0}, response.Extensions)
			assert.Nil(t, response.Errors)
			requests := server.Requests()
			assert.Equal(t, map[string]any{
				"query": "query A { a } query B($c: C) { b(c: $c) }", "operationName": "B",
				"variables": map[string]any{"c": map[string]any{"tons": 3.0}},
			}, decodeBody(t, requests[len(requests)-1].Body))
		})
	}
}

// TestGraphErrorsForGenqlient looks for the errors in the same places as callers of genqlient's own client.
func TestGraphErrorsForGenqlient(t *testing.T) {
	const whole = `{"message":"no","path":["fleet",0,"b"],"locations":[{"line":1,"column":3}],"extensions":{"code":"INTERNAL","depth":[2]}}`
	for name, test := range map[string]struct {
		line responder
		want string
	}{
		"beside data": {says(200, `{"data":{"a":"here"},"errors":[`+whole+`],"extensions":{"cost":7}}`),
			`{"errors":[` + whole + `],"extensions":{"cost":7}}`},
		"of a failure": {says(400, `{"errors":[`+whole+`,{"message":"more"}]}`), `{"errors":[` + whole +
			`,{"message":"more"}]}`},
		"no list": {says(200, `{"errors":{"message":"no","extensions":{"code":"C"}}}`),
			`{"errors":[{"message":"no","extensions":{"code":"C"}}]}`},
		"no objects": {says(200, `{"errors":["no"]}`), `{"errors":[{"message":"no","extensions":{"code":""}}]}`},
		"a path of its own": {says(200, `{"errors":[{"message":"no","path":"a.b"}]}`),
			`{"errors":[{"message":"no","extensions":{"code":""}}]}`},
		"a null": {says(200, `{"errors":[null]}`), `{"errors":[{"message":"","extensions":{"code":""}}]}`},
		"a null and more": {says(200, `{"errors":[null],"extensions":{"cost":7}}`),
			`{"errors":[{"message":"","extensions":{"code":""}}]}`},
		"no errors": {says(403, `{"error":"no such plan"}`), `{}`},
		"a secret": {
			says(200, `{"errors":[{"message":"k `+testKey+`","extensions":{"token":"t0k3n","\u0061pi":"\u006d`+testKey[1:]+
				`"}}]}`), `{"errors":[{"message":"k [redacted]","extensions":{"token":"[redacted]","api":"[redacted]"}}]}`},
		"not read as a whole": {says(200, `{"errors":[{"message":"no","extensions":{"code":"C"}}],"extensions":7}`),
			`{"errors":[{"message":"no","extensions":{"code":"C"}}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, test.line)
			var data map[string]any
			response := graphql.Response{Data: &data}
			err := server.client(t, rpcfleet.WithoutRetries()).Graph.MakeRequest(t.Context(), &graphql.Request{Query: "{ a }"},
				&response)
			var failure *rpcfleet.Error
			require.ErrorAs(t, err, &failure)
			assert.Len(t, failure.GraphQL, len(response.Errors))
			got, err := json.Marshal(struct {
				Errors     any            `json:"errors,omitempty"`
				Extensions map[string]any `json:"extensions,omitempty"`
			}{orNil(response.Errors), response.Extensions})
			require.NoError(t, err)
			assert.JSONEq(t, test.want, string(got))
			assert.Equal(t, name == "beside data", data != nil)
		})
	}
}

// TestGraphErrorsForGenqlientAreBounded: up to 64 KiB of them have all that the service has said, and their messages
// are bounded by themselves.
func TestGraphErrorsForGenqlientAreBounded(t *testing.T) {
	const path, code = `["fleet",7]`, `{"code":"INTERNAL","depth":[2]}`
	for name, test := range map[string]struct {
		errors, words int
		whole         bool
	}{
		"many":           {200, 10, true},
		"a long one":     {1, 100_000, true},
		"many long ones": {14, 800, true},
		"too much":       {20, 800, false},
	} {
		t.Run(name, func(t *testing.T) {
			one := `{"message":"` + strings.Repeat("word ", test.words) + `","path":` + path + `,"extensions":` + code + `}`
			_, server := scripted(t, says(200, `{"errors":[`+strings.Repeat(one+",", test.errors-1)+one+`]}`))
			response := graphql.Response{Data: new(any)}
			err := server.client(t).Graph.MakeRequest(t.Context(), &graphql.Request{Query: "{ a }"}, &response)
			require.ErrorIs(t, err, rpcfleet.ErrRejected)
			require.Len(t, response.Errors, test.errors)
			last := response.Errors[test.errors-1]
			assert.LessOrEqual(t, len(last.Message), 4<<10+len("…"))
			assert.Equal(t, test.words > 1000 || !test.whole, strings.HasSuffix(last.Message, "…"))
			want := map[string]any{"code": "INTERNAL"}
			if test.whole {
				want["depth"] = []any{2.0}
				assert.Equal(t, "fleet[7]", last.Path.String())
			}
			assert.Equal(t, want, last.Extensions)
		})
	}
}

// TestGraphErrorsForGenqlientKeepSecrets has a key that JSON spells in another way.
func TestGraphErrorsForGenqlientKeepSecrets(t *testing.T) {
	const key = `made"up<key>`
	_, server := scripted(t,
		says(200, `{"errors":[{"message":"","extensions":{"of":["made\"up<key>"]}}],"extensions":{"by":"made\"up<key>"}}`))
	response := graphql.Response{Data: new(any)}
	err := server.client(t, rpcfleet.WithAPIKey(key)).Graph.MakeRequest(t.Context(), &graphql.Request{Query: "{ a }"},
		&response)
	require.ErrorIs(t, err, rpcfleet.ErrRejected)
	require.Len(t, response.Errors, 1)
	assert.Equal(t, map[string]any{"of": []any{"[redacted]"}}, response.Errors[0].Extensions)
	assert.Equal(t, map[string]any{"by": "[redacted]"}, response.Extensions)

	const random = `s3cret90123456789abcdef0123456789abcdefCookie: ` // At the end of a text, and not before a quote.
	server.Play(
		says(200, `{"errors":[{"message":"","extensions":{"of":["`+random+`"]}}],"extensions":{"by":"`+random+`"}}`))
	err = server.client(t).Graph.MakeRequest(t.Context(), &graphql.Request{Query: "{ a }"}, &response)
	require.ErrorIs(t, err, rpcfleet.ErrRejected)
	assert.Equal(t, map[string]any{"of": []any{"[redacted]:"}}, response.Errors[0].Extensions)
	assert.Equal(t, map[string]any{"by": "[redacted]:"}, response.Extensions)
}

// orNil returns nil for an empty list.
func orNil[T any](list []T) any {
	if len(list) == 0 {
		return nil
	}
	return list
}
