package clienttest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// reports responds to a bulk call in reverse order, with every id that ends in 3 failed.
func reports(w http.ResponseWriter, r *http.Request) {
	var body struct{ IDs []string }
	if json.NewDecoder(r.Body).Decode(&body) != nil {
		return
	}
	var results []string
	failed := 0
	for _, id := range slices.Backward(body.IDs) {
		success := !strings.HasSuffix(id, "3")
		if !success {
			failed++
		}
		results = append(results, fmt.Sprintf(`{"id":%q,"success":%t}`, id, success))
	}
	says(200, fmt.Sprintf(`{"data":{"total":%d,"updated_count":%d,"failed_count":%d,"results":[%s],"tag":{"tag_id":7,"label":"x"}}}`,
		len(body.IDs), len(body.IDs)-failed, failed, strings.Join(results, ",")))(w, r)
}

func TestBulkCutsAndJoins(t *testing.T) {
	client, s := scripted(t, reports)
	ids := expected(0, 250)
	outcome, err := client.Endpoints.BulkAddTag(t.Context(), ids, "x")
	require.NoError(t, err, "that some failed is no error")
	require.Len(t, s.Requests(), 3)
	assert.Equal(t, int64(250), outcome.Total)
	assert.Equal(t, int64(225), outcome.UpdatedCount)
	assert.Equal(t, int64(25), outcome.FailedCount)
	assert.Equal(t, &admin.BulkTag{TagID: 7, Label: "x"}, outcome.Tag)
	assert.Len(t, outcome.Failed(), 25)
	assert.Equal(t, "ep3", outcome.Failed()[0])
	require.Len(t, outcome.Results, 250)
	for i, result := range outcome.Results {
		assert.Equal(t, ids[i], result.ID, "in the caller's order")
	}
	assert.Empty(t, outcome.Unconfirmed)
}

func TestBulkTellsWhatTheServiceLeavesOut(t *testing.T) {
	client, _ := scripted(t, says(200, `{"data":{"total":3,"updated_count":1,"failed_count":1,"results":[
		{"id":"c","success":true},{"id":"other","success":true},{"id":"a","success":false}]}}`))
	outcome, err := client.Endpoints.BulkSetStatus(t.Context(), []string{"a", "b", "c"}, admin.EndpointStatusPaused)
	require.NoError(t, err)
	assert.Equal(t, []admin.BulkItemResult{{ID: "a"}, {ID: "c", Success: true}, {ID: "other", Success: true}}, outcome.Results)
	assert.Equal(t, []string{"a"}, outcome.Failed())
	assert.Equal(t, []string{"b"}, outcome.Unreported)
	assert.Empty(t, outcome.Unconfirmed)
}

func TestBulkReturnsWhatWasDone(t *testing.T) {
	client, s := scripted(t, reports, says(403, `{"data":null,"error":"admin only"}`))
	ids := expected(0, 250)
	outcome, err := client.Endpoints.BulkSetStatus(t.Context(), ids, admin.EndpointStatusPaused)
	require.ErrorIs(t, err, rpcfleet.ErrForbidden)
	require.NotNil(t, outcome)
	assert.Len(t, outcome.Results, 100)
	assert.Equal(t, ids[100:], outcome.Unconfirmed)
	assert.Nil(t, outcome.Tag)
	assert.Len(t, s.Requests(), 2)
}

func TestBulkOfNothingKeepsItsResponse(t *testing.T) {
	client, _ := scripted(t, says(200, `{"data":{"total":0,"updated_count":0,"failed_count":0,"results":[],"tag":{"tag_id":7,"label":"x"}}}`))
	outcome, err := client.Endpoints.BulkAddTag(t.Context(), nil, "x", rpcfleet.WithoutValidation())
	require.NoError(t, err)
	assert.Equal(t, &admin.BulkTag{TagID: 7, Label: "x"}, outcome.Tag)
}

func TestBulkRemoveTagBody(t *testing.T) {
	client, s := scripted(t, reports)
	_, err := client.Endpoints.BulkRemoveTag(t.Context(), []string{"a", "a", "b"}, 7)
	require.NoError(t, err)
	assert.Equal(t, "DELETE", s.Requests()[0].Method)
	assert.JSONEq(t, `{"ids":["a","a","b"],"tag_id":7}`, s.Requests()[0].Body)
}
