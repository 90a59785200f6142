package emulator_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

type accountTag struct {
	ID         int64  `json:"id"`
	Label      string `json:"label"`
	UsageCount int64  `json:"usage_count"`
}

func (s *service) tags() []accountTag {
	s.t.Helper()
	return dataOf[struct {
		Tags []accountTag `json:"tags"`
	}](s.get("/v0/endpoints/tags")).Tags
}

func (s *service) tag(endpoint, label string) {
	s.t.Helper()
	s.post("/v0/endpoints/"+endpoint+"/tags", object{"label": label}).ok()
}

func TestEndpointTags(t *testing.T) {
	s := startService(t)
	ids := s.CreateEndpoints(2)
	longest := strings.Repeat("ü", 25)
	s.tag(ids[0], "red")
	s.tag(ids[0], "red")
	s.tag(ids[0], longest)
	s.tag(ids[1], "red")

	tags := s.tags()
	require.Len(t, tags, 2)
	assert.Equal(t, accountTag{tags[0].ID, "red", 2}, tags[0])
	assert.Equal(t, accountTag{tags[1].ID, longest, 1}, tags[1])
	assert.Equal(t, []tagOnEndpoint{{tags[0].ID, "red"}, {tags[1].ID, longest}}, s.endpoint(ids[0]).Tags)

	path := fmt.Sprintf("/v0/endpoints/%s/tags/%d", ids[0], tags[0].ID)
	s.delete(path).ok()
	assert.Equal(t, []tagOnEndpoint{{tags[1].ID, longest}}, s.endpoint(ids[0]).Tags)
	assert.EqualValues(t, 1, s.tags()[0].UsageCount)
	s.delete(path).refused(http.StatusNotFound, "tag")
	s.delete("/v0/endpoints/"+ids[0]+"/tags/999999").refused(http.StatusNotFound, "tag")

	for _, bad := range []any{object{}, object{"label": ""}, object{"label": "  "}, object{"label": longest + "ü"}} {
		s.post("/v0/endpoints/"+ids[0]+"/tags", bad).refused(http.StatusBadRequest, "label")
	}
	assert.Len(t, s.tags(), 2)
}

func TestArchivedEndpointsDoNotCount(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	s.tag(id, "red")
	s.delete("/v0/endpoints/" + id).ok()
	tags := s.tags()
	require.Len(t, tags, 1)
	assert.Zero(t, tags[0].UsageCount)
	s.delete(fmt.Sprintf("/v0/endpoints/tags/%d", tags[0].ID)).ok()
}

func TestRenameTag(t *testing.T) {
	s := startService(t)
	ids := s.CreateEndpoints(2)
	s.tag(ids[0], "red")
	s.tag(ids[1], "red")
	s.tag(ids[1], "blue")
	red := s.tags()[0]
	path := fmt.Sprintf("/v0/endpoints/tags/%d", red.ID)

	assert.Equal(t, accountTag{red.ID, "scarlet", 2}, dataOf[accountTag](s.patch(path, object{"label": "scarlet"})))
	assert.Equal(t, []tagOnEndpoint{{red.ID, "scarlet"}}, s.endpoint(ids[0]).Tags)
	assert.Equal(t, ids, s.list("tag_labels=scarlet").ids())
	assert.Empty(t, s.list("tag_labels=red").ids())
	dataOf[accountTag](s.patch(path, object{"label": "scarlet"}))

	for reason, label := range map[string]string{
		"required": "", "another tag": "blue", "25 characters": strings.Repeat("x", 26),
	} {
		s.patch(path, object{"label": label}).refused(http.StatusBadRequest, reason)
	}
	s.patch("/v0/endpoints/tags/999999", object{"label": "x"}).refused(http.StatusNotFound, "tag")
	s.patch("/v0/endpoints/tags/red", object{"label": "x"}).refused(http.StatusBadRequest, "id")
	assert.Equal(t, "scarlet", s.tags()[0].Label)
}

func TestDeleteTag(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	s.tag(id, "red")
	red := s.tags()[0].ID
	path := fmt.Sprintf("/v0/endpoints/tags/%d", red)

	s.delete(path).refused(http.StatusBadRequest, "assigned")
	s.delete(fmt.Sprintf("/v0/endpoints/%s/tags/%d", id, red)).ok()
	assert.Equal(t, []accountTag{{red, "red", 0}}, s.tags(), "a tag outlives its last endpoint")
	assert.JSONEq(t, `{"data": {"success": true}, "error": null}`, string(s.delete(path).ok().body))
	assert.Empty(t, s.tags())
	s.delete(path).refused(http.StatusNotFound, "tag")
}

func TestTagListIsGated(t *testing.T) {
	s := startService(t, emulator.WithoutTagList())
	s.get("/v0/endpoints/tags").refused(http.StatusForbidden, "plan")
	s.tag(s.create().ID, "red")
}
