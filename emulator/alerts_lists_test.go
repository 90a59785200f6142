package emulator_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// lists are the lists of the alerts area that are whole bodies.
var lists = []string{alertsPath + "/destinations", alertsPath + "/notifications"}

// fill makes destinations, as many notifications, and as many events of the first notification.
func (s *service) fill(count int) (events string) {
	s.t.Helper()
	to := s.newDestination(object{"to_url": "http://127.0.0.1:1"})
	n := s.newNotification(nil, to)
	for range count - 1 {
		s.newDestination(nil)
		s.newNotification(nil, to)
	}
	for block := range int64(count) {
		_, err := s.Deliver(s.t.Context(), n.ID, block)
		require.NoError(s.t, err)
	}
	return alertsPath + "/notifications/" + n.ID + "/events"
}

// idsOf returns the ids of a list of any form.
func idsOf(t *testing.T, body []byte) []string {
	t.Helper()
	var items []struct{ ID string }
	var wrapped struct{ Data json.RawMessage }
	if json.Unmarshal(body, &wrapped) == nil {
		body = wrapped.Data
	}
	require.NoError(t, json.Unmarshal(body, &items))
	ids := make([]string, len(items))
	for i := range items {
		ids[i] = items[i].ID
	}
	return ids
}

func TestAlertsListsWithoutPaging(t *testing.T) {
	s := startService(t, emulator.WithoutAlertsPaging())
	events := s.fill(23)
	for _, path := range append(lists, events) {
		for _, query := range []string{"", "?limit=2&offset=20", "?offset=1000", "?limit=0&offset=-1"} {
			assert.Len(t, idsOf(t, s.get(path+query).ok().body), 23, path+query)
		}
	}
}

func TestWrappedAlertsLists(t *testing.T) {
	s := startService(t, emulator.WithWrappedAlertsLists())
	for _, path := range lists {
		assert.JSONEq(t, `{"data":[]}`, string(s.get(path).ok().body))
	}
	events := s.fill(2)
	for _, path := range append(lists, events) {
		body := s.get(path + "?limit=1").ok().body
		assert.Equal(t, byte('{'), body[0], path)
		assert.Len(t, idsOf(t, body), 1, path)
		s.get(path+"?limit=0").refusedPlainly(400, "limit")
	}
	id := idsOf(t, s.get(lists[0]).body)[0]
	assert.Equal(t, id, bodyOf[destinationRecord](s.get(fmt.Sprintf("%s/%s", lists[0], id)).ok()).ID, "a record stays as it is")
}
