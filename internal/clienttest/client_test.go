package clienttest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// TestAClientPrintsItsName and nothing else.
func TestAClientPrintsItsName(t *testing.T) {
	client, _ := scripted(t, says(200, record))
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		assert.Equal(t, "rpcfleet.Client", fmt.Sprintf(verb, client))
	}
}

// TestAnEscapedBaseURLIsKept by the areas that have paths of their own as well.
func TestAnEscapedBaseURLIsKept(t *testing.T) {
	_, server := scripted(t, says(200, record), says(200, `[]`))
	client := server.client(t, rpcfleet.WithBaseURL(server.URL+"/a%2Fb/"), rpcfleet.WithAlertsPath("/watch/ä"))
	_, err := get(client)
	require.NoError(t, err)
	_, err = client.Destinations.List(t.Context(), alerts.ListDestinationsParams{})
	require.NoError(t, err)
	var paths []string
	for _, r := range server.Requests() {
		paths = append(paths, r.Path)
	}
	assert.Equal(t, []string{"/a%2Fb/v0/endpoints/ep1", "/a%2Fb/watch/%C3%A4/destinations"}, paths)
}

func TestBilling(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":{"invoices":[{"id":"in1"}]}}`), says(200, `{"data":{"payments":[{}]}}`))
	invoices, err := client.Billing.Invoices(t.Context())
	require.NoError(t, err)
	require.Len(t, invoices, 1)
	assert.Equal(t, new("in1"), invoices[0].ID)
	payments, err := client.Billing.Payments(t.Context())
	require.NoError(t, err)
	assert.Len(t, payments, 1)
	assert.Equal(t, "/v0/billing/payments", server.Requests()[1].Path)
}

// TestWhichStatusesAreGood has those around the bounds. A transport of the caller's own may return any.
func TestWhichStatusesAreGood(t *testing.T) {
	for status, good := range map[int]bool{101: false, 199: false, 200: true, 299: true, 300: false} {
		client, err := rpcfleet.New(rpcfleet.WithBaseURL("https://api.example.com"), rpcfleet.WithAPIKey(testKey),
			rpcfleet.WithHTTPClient(&http.Client{Transport: tripper(func(req *http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: status, Header: http.Header{"Location": {"/elsewhere"}}, Request: req, Body: http.NoBody}, nil
			})}))
		require.NoError(t, err)
		err = client.Endpoints.Archive(t.Context(), "ep1")
		if good {
			require.NoError(t, err, status)
			continue
		}
		var failure *rpcfleet.Error
		require.ErrorAs(t, err, &failure, status)
		assert.Equal(t, status, failure.StatusCode)
		assert.Equal(t, status == 300, failure.Message != "", "a redirect")
	}
}
