package emulator_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

type tagOnEndpoint struct {
	TagID int64  `json:"tag_id"`
	Label string `json:"label"`
}

type singleEndpoint struct {
	ID           string          `json:"id"`
	Label        *string         `json:"label"`
	Status       string          `json:"status"`
	Chain        string          `json:"chain"`
	Network      string          `json:"network"`
	HTTPURL      string          `json:"http_url"`
	WSSURL       *string         `json:"wss_url"`
	IsMultichain bool            `json:"is_multichain"`
	Security     map[string]any  `json:"security"`
	Tags         []tagOnEndpoint `json:"tags"`
}

// create creates an endpoint on Ethereum's main network.
func (s *service) create() singleEndpoint {
	s.t.Helper()
	return dataOf[singleEndpoint](s.post("/v0/endpoints", object{"chain": "ethereum", "network": "ethereum-mainnet"}))
}

func (s *service) endpoint(id string) singleEndpoint {
	s.t.Helper()
	return dataOf[singleEndpoint](s.get("/v0/endpoints/" + id))
}

func TestCreateEndpoint(t *testing.T) {
	s := startService(t)
	created := s.create()

	assert.NotEmpty(t, created.ID)
	assert.Equal(t, "active", created.Status)
	assert.Equal(t, "ethereum", created.Chain)
	assert.Equal(t, "ethereum-mainnet", created.Network)
	assert.Nil(t, created.Label)
	assert.False(t, created.IsMultichain)
	assert.NotNil(t, created.Security)

	address, err := url.Parse(created.HTTPURL)
	require.NoError(t, err)
	assert.Equal(t, "https", address.Scheme)
	assert.Regexp(t, `^[a-z]+-[a-z]+-\d+\.ethereum-mainnet\.`, address.Host)
	assert.Regexp(t, `^/[a-z0-9]{40}/$`, address.Path)
	require.NotNil(t, created.WSSURL)
	assert.Equal(t, strings.Replace(created.HTTPURL, "https:", "wss:", 1), *created.WSSURL)

	assert.Equal(t, created, s.endpoint(created.ID))
	second := s.create()
	assert.NotEqual(t, created.ID, second.ID)
	assert.NotEqual(t, created.HTTPURL, second.HTTPURL)
}

func TestCreateEndpointWithoutWebSocket(t *testing.T) {
	created := dataOf[singleEndpoint](startService(t).post("/v0/endpoints",
		object{"chain": "bitcoin", "network": "bitcoin-mainnet"}))
	assert.Nil(t, created.WSSURL)
}

func TestCreateEndpointRefusals(t *testing.T) {
	s := startService(t)
	for name, test := range map[string]struct {
		body   any
		reason string
	}{
		"no chain":                 {object{"network": "ethereum-mainnet"}, "chain"},
		"no network":               {object{"chain": "ethereum"}, "network"},
		"unknown chain":            {object{"chain": "nowhere", "network": "ethereum-mainnet"}, "chain"},
		"unknown network":          {object{"chain": "ethereum", "network": "nowhere"}, "network"},
		"network of another chain": {object{"chain": "ethereum", "network": "polygon-mainnet"}, "network"},
		"a number for a chain":     {object{"chain": 1, "network": "ethereum-mainnet"}, ""},
		"not JSON":                 {`{"chain":`, ""},
		"empty body":               {nil, ""},
		"null":                     {"null", "chain"},
	} {
		t.Run(name, func(t *testing.T) {
			s.post("/v0/endpoints", test.body).refused(http.StatusBadRequest, test.reason)
		})
	}
	assert.Zero(t, s.list("").Pagination.Total, "a refused request creates nothing")
}

func TestEndpointLabel(t *testing.T) {
	s := startService(t)
	path := "/v0/endpoints/" + s.create().ID
	for _, step := range []struct {
		body any
		want *string
	}{
		{object{"label": "Checkout"}, new("Checkout")},
		{object{}, new("Checkout")},
		{object{"label": "Ünïcode ✓"}, new("Ünïcode ✓")},
		{object{"label": ""}, nil},
		{object{"label": "Checkout"}, new("Checkout")},
		{"", new("Checkout")},
		{object{"label": nil}, nil},
	} {
		s.patch(path, step.body).ok()
		assert.Equal(t, step.want, dataOf[singleEndpoint](s.get(path)).Label)
	}
	s.patch(path, object{"label": 5}).refused(http.StatusBadRequest, "")
}

func TestEndpointStatus(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	for _, status := range []string{"paused", "paused", "active", "active", "paused"} {
		assert.Equal(t, status, dataOf[string](s.patch("/v0/endpoints/"+id+"/status", object{"status": status})))
		assert.Equal(t, status, s.endpoint(id).Status)
	}
	for _, bad := range []any{object{"status": "archived"}, object{"status": ""}, object{}} {
		s.patch("/v0/endpoints/"+id+"/status", bad).refused(http.StatusBadRequest, "status")
	}
	assert.Equal(t, "paused", s.endpoint(id).Status)
}

func TestArchiveEndpoint(t *testing.T) {
	s := startService(t)
	ids := s.CreateEndpoints(3)
	archived := s.delete("/v0/endpoints/" + ids[1]).ok()
	assert.JSONEq(t, `{"result": true}`, string(archived.body))

	s.get("/v0/endpoints/"+ids[1]).refused(http.StatusNotFound, "endpoint not found")
	s.delete("/v0/endpoints/"+ids[1]).refused(http.StatusNotFound, "endpoint not found")
	assert.Equal(t, []string{ids[0], ids[2]}, s.list("").ids())
	assert.Equal(t, 2, s.list("").Pagination.Total)
}

func TestMultichain(t *testing.T) {
	s := startService(t)
	created := s.create()
	type pair struct {
		HTTPURL string  `json:"http_url"`
		WSSURL  *string `json:"wss_url"`
	}
	type urls struct {
		pair
		MultichainURLs map[string]pair `json:"multichain_urls"`
	}
	path := "/v0/endpoints/" + created.ID
	before := dataOf[urls](s.get(path + "/urls"))
	assert.Equal(t, pair{created.HTTPURL, created.WSSURL}, before.pair)
	assert.Nil(t, before.MultichainURLs)

	s.post(path+"/enable_multichain", nil).ok()
	s.post(path+"/enable_multichain", nil).ok()
	assert.True(t, s.endpoint(created.ID).IsMultichain)
	during := dataOf[urls](s.get(path + "/urls"))
	assert.Equal(t, before.pair, during.pair)
	assert.Equal(t, before.pair, during.MultichainURLs["ethereum-mainnet"])
	assert.Contains(t, during.MultichainURLs["base-mainnet"].HTTPURL, ".base-mainnet.")
	assert.Nil(t, during.MultichainURLs["bitcoin-mainnet"].WSSURL)

	s.post(path+"/disable_multichain", nil).ok()
	assert.False(t, s.endpoint(created.ID).IsMultichain)
	assert.Equal(t, before, dataOf[urls](s.get(path+"/urls")))
}

// TestUnknownEndpoint walks the operations on one endpoint with ids that belong to none, among them such as would
// mean another path if they were not kept one part.
func TestUnknownEndpoint(t *testing.T) {
	s := startService(t)
	s.CreateEndpoints(1)
	for _, id := range []string{"0", "no-such-id", "a%2Fb", "%C3%BC%3F%23", "%2E%2E"} {
		for _, operation := range []struct {
			method, suffix string
			body           any
		}{
			{http.MethodGet, "", nil},
			{http.MethodPatch, "", object{"label": "x"}},
			{http.MethodDelete, "", nil},
			{http.MethodPatch, "/status", object{"status": "paused"}},
			{http.MethodGet, "/urls", nil},
			{http.MethodPost, "/enable_multichain", nil},
			{http.MethodPost, "/disable_multichain", nil},
			{http.MethodPost, "/tags", object{"label": "x"}},
			{http.MethodDelete, "/tags/1", nil},
		} {
			t.Run(operation.method+" "+id+operation.suffix, func(t *testing.T) {
				s.call(operation.method, "/v0/endpoints/"+id+operation.suffix, operation.body).
					refused(http.StatusNotFound, "endpoint not found")
			})
		}
	}
	assert.Equal(t, 1, s.list("").Pagination.Total)
}

func TestAddEndpoint(t *testing.T) {
	s := startService(t)
	id, err := s.AddEndpoint(emulator.EndpointSpec{
		Chain: "base", Network: "base-sepolia", Label: "Batch", Tags: []string{"one", "two", "one"},
		Paused: true, Multichain: true, Dedicated: true, FlatRate: true,
	})
	require.NoError(t, err)
	listed := s.list("").Data
	require.Len(t, listed, 1)
	assert.Equal(t, id, listed[0].ID)
	assert.Equal(t, new("Batch"), listed[0].Label)
	assert.Equal(t, "paused", listed[0].Status)
	assert.Equal(t, "base-sepolia", listed[0].Network)
	assert.True(t, listed[0].IsMultichain)
	assert.True(t, listed[0].IsDedicated)
	assert.True(t, listed[0].IsFlatRate)
	require.Len(t, listed[0].Tags, 2)
	assert.Equal(t, "two", listed[0].Tags[1].Label)

	for name, spec := range map[string]emulator.EndpointSpec{
		"chain":   {Network: "base-sepolia"},
		"network": {Chain: "base", Network: "ethereum-mainnet"},
		"label":   {Chain: "base", Network: "base-sepolia", Tags: []string{""}},
	} {
		_, err := s.AddEndpoint(spec)
		assert.ErrorContains(t, err, name)
	}
	assert.Len(t, s.list("").Data, 1)
}
