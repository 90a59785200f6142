package clienttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

func TestArrayQuery(t *testing.T) {
	params := admin.ListEndpointsParams{
		Search: new("networks[]=x"), Networks: []string{"a", "b&networks=c"}, TagIDs: []int64{7, 8},
		Statuses: []admin.EndpointStatus{"active"}, Labels: []string{"l,m"}, Dedicated: new(true),
	}
	const (
		repeated = "search=networks%5B%5D%3Dx&networks=a&networks=b%26networks%3Dc&statuses=active&labels=l%2Cm&dedicated=true" +
			"&tag_ids=7&tag_ids=8"
		brackets = "search=networks%5B%5D%3Dx&networks%5B%5D=a&networks%5B%5D=b%26networks%3Dc&statuses%5B%5D=active" +
			"&labels%5B%5D=l%2Cm&dedicated=true&tag_ids%5B%5D=7&tag_ids%5B%5D=8"
		commas = "search=networks%5B%5D%3Dx&networks=a,b%26networks%3Dc&statuses=active&labels=l%2Cm&dedicated=true&tag_ids=7,8"
	)
	_, server := scripted(t, lists(0, 1, 0))
	inBrackets := rpcfleet.WithArrayQuery(rpcfleet.ArrayQueryBrackets)
	for i, test := range []struct {
		options []rpcfleet.Option
		call    []rpcfleet.CallOption
		want    string
	}{
		{nil, nil, repeated},
		{nil, []rpcfleet.CallOption{inBrackets}, brackets},
		{nil, []rpcfleet.CallOption{rpcfleet.WithArrayQuery(rpcfleet.ArrayQueryCommas)}, commas},
		{[]rpcfleet.Option{inBrackets}, nil, brackets},
		{[]rpcfleet.Option{inBrackets}, []rpcfleet.CallOption{rpcfleet.WithArrayQuery(rpcfleet.ArrayQueryRepeated)}, repeated},
	} {
		_, err := server.client(t, test.options...).Endpoints.List(t.Context(), params, test.call...)
		require.NoError(t, err)
		assert.Equal(t, test.want, server.Requests()[i].Query)
	}
}

func TestArrayQueryHoldsForEveryPage(t *testing.T) {
	_, server := scripted(t, lists(20, 10, 20))
	client := server.client(t, rpcfleet.WithArrayQuery(rpcfleet.ArrayQueryBrackets))
	ids, err := walk(t, client, admin.ListEndpointsParams{TagLabels: []string{"prod"}})
	require.NoError(t, err)
	assert.Len(t, ids, 20)
	require.Len(t, server.Requests(), 2)
	for _, r := range server.Requests() {
		assert.Contains(t, r.Query, "tag_labels%5B%5D=prod")
	}
}

func TestArrayQueryLeavesOtherOperationsAlone(t *testing.T) {
	_, server := scripted(t, says(200, record))
	_, err := get(server.client(t, rpcfleet.WithArrayQuery(rpcfleet.ArrayQueryBrackets)))
	require.NoError(t, err)
	assert.Empty(t, server.Requests()[0].Query)
}

func TestArrayQueryRefusesAnUnknownStyle(t *testing.T) {
	client, server := scripted(t, lists(0, 1, 0))
	for _, style := range []rpcfleet.ArrayQuery{"", "semicolons"} {
		_, err := client.Endpoints.List(t.Context(), admin.ListEndpointsParams{}, rpcfleet.WithArrayQuery(style))
		var invalid *rpcfleet.ValidationError
		require.ErrorAs(t, err, &invalid)
		const rule = "must be ArrayQueryRepeated, ArrayQueryBrackets or ArrayQueryCommas"
		assert.Equal(t, rpcfleet.ValidationError{Field: "array query", Rule: rule, Value: string(style)}, *invalid)
	}
	assert.Empty(t, server.Requests())
}
