package emulator_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

type bulkItem struct {
	ID      string `json:"id"`
	Success bool   `json:"success"`
}

type bulkResult struct {
	Total        int            `json:"total"`
	UpdatedCount int            `json:"updated_count"`
	FailedCount  int            `json:"failed_count"`
	Results      []bulkItem     `json:"results"`
	Tag          *tagOnEndpoint `json:"tag"`
}

func TestBulkStatus(t *testing.T) {
	s := startService(t)
	ids := s.CreateEndpoints(4)
	s.delete("/v0/endpoints/" + ids[2]).ok()

	asked := []string{ids[1], "unknown", ids[2], ids[0]}
	result := dataOf[bulkResult](s.post("/v0/endpoints/bulk/status", object{"ids": asked, "status": "paused"}))
	assert.Equal(t, bulkResult{Total: 4, UpdatedCount: 2, FailedCount: 2, Results: []bulkItem{
		{ids[1], true}, {"unknown", false}, {ids[2], false}, {ids[0], true},
	}}, result)
	assert.Equal(t, []string{ids[0], ids[1]}, s.list("statuses=paused").ids())

	dataOf[bulkResult](s.post("/v0/endpoints/bulk/status", object{"ids": ids[:1], "status": "active"}))
	assert.Equal(t, []string{ids[1]}, s.list("statuses=paused").ids())
}

func TestBulkTags(t *testing.T) {
	s := startService(t)
	ids := s.CreateEndpoints(3)
	added := dataOf[bulkResult](s.post("/v0/endpoints/bulk/tags",
		object{"ids": []string{ids[0], "unknown", ids[2]}, "label": "nightly"}))
	assert.Equal(t, []bulkItem{{ids[0], true}, {"unknown", false}, {ids[2], true}}, added.Results)
	assert.Equal(t, []int{3, 2, 1}, []int{added.Total, added.UpdatedCount, added.FailedCount})
	if assert.NotNil(t, added.Tag) {
		assert.Equal(t, "nightly", added.Tag.Label)
		assert.Equal(t, []tagOnEndpoint{*added.Tag}, s.endpoint(ids[2]).Tags)
	}
	assert.Equal(t, []string{ids[0], ids[2]}, s.list("tag_labels=nightly").ids())

	again := dataOf[bulkResult](s.post("/v0/endpoints/bulk/tags", object{"ids": ids, "label": "nightly"}))
	assert.Equal(t, added.Tag, again.Tag, "one label is one tag")
	assert.Len(t, s.endpoint(ids[0]).Tags, 1)

	removed := dataOf[bulkResult](s.call(http.MethodDelete, "/v0/endpoints/bulk/tags",
		object{"ids": []string{ids[0], ids[1], "unknown"}, "tag_id": added.Tag.TagID}))
	assert.Equal(t, bulkResult{Total: 3, UpdatedCount: 2, FailedCount: 1, Results: []bulkItem{
		{ids[0], true}, {ids[1], true}, {"unknown", false},
	}}, removed)
	assert.Equal(t, []string{ids[2]}, s.list("tag_labels=nightly").ids())
}

func TestBulkRefusals(t *testing.T) {
	s := startService(t)
	ids := s.CreateEndpoints(1)
	long := "twenty-six characters long"
	assert.Len(t, long, 26)
	for name, test := range map[string]struct {
		method, path string
		body         any
		status       int
		reason       string
	}{
		"status unknown":        {http.MethodPost, "status", object{"ids": ids, "status": "gone"}, 400, "status"},
		"status missing":        {http.MethodPost, "status", object{"ids": ids}, 400, "status"},
		"status without ids":    {http.MethodPost, "status", object{"status": "paused"}, 400, "ids"},
		"status with empty ids": {http.MethodPost, "status", object{"ids": []string{}, "status": "paused"}, 400, "ids"},
		"status with an object": {http.MethodPost, "status", object{"ids": object{}, "status": "paused"}, 400, ""},
		"tag without ids":       {http.MethodPost, "tags", object{"label": "x"}, 400, "ids"},
		"tag without label":     {http.MethodPost, "tags", object{"ids": ids}, 400, "label"},
		"tag label too long":    {http.MethodPost, "tags", object{"ids": ids, "label": long}, 400, "25"},
		"removal without ids":   {http.MethodDelete, "tags", object{"tag_id": 1}, 400, "ids"},
		"removal without tag":   {http.MethodDelete, "tags", object{"ids": ids}, 400, "tag_id"},
		"removal, tag unknown":  {http.MethodDelete, "tags", object{"ids": ids, "tag_id": 5}, 404, "tag"},
	} {
		t.Run(name, func(t *testing.T) {
			s.call(test.method, "/v0/endpoints/bulk/"+test.path, test.body).refused(test.status, test.reason)
		})
	}
	assert.Empty(t, s.endpoint(ids[0]).Tags)
	assert.Empty(t, s.tags(), "a refused request creates no tag")
}
