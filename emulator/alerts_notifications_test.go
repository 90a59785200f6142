package emulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func TestNotifications(t *testing.T) {
	now := start
	s := startService(t, emulator.WithClock(func() time.Time { return now }))
	assert.Equal(t, "[]\n", string(s.get(alertsPath+"/notifications").ok().body))
	to, other := s.newDestination(nil), s.newDestination(object{"name": "Other"})
	first := s.newNotification(nil, to, other, to)
	assert.NotEmpty(t, first.ID)
	assert.Equal(t, notificationRecord{
		ID: first.ID, Name: "Transfers", Network: "ethereum-mainnet", Expression: []byte("tx_to =~ '^0x'"), Enabled: new(true),
		Destinations: []destinationRecord{to, other}, CreatedAt: "2026-03-10T09:30:00Z", UpdatedAt: "2026-03-10T09:30:00Z",
	}, first)
	path := alertsPath + "/notifications/" + first.ID

	now = now.Add(time.Minute)
	changed := bodyOf[notificationRecord](s.patch(path, object{"name": "Renamed", "network": "doge-mainnet"}).ok())
	want := first
	want.Name, want.Network, want.UpdatedAt = "Renamed", "doge-mainnet", "2026-03-10T09:31:00Z"
	assert.Equal(t, want, changed, "what is left out stays")
	changed = bodyOf[notificationRecord](s.patch(path, object{"expression": []byte("tx_to != ''"), "destinationIds": []string{other.ID}}).ok())
	want.Expression, want.Destinations = []byte("tx_to != ''"), []destinationRecord{other}
	assert.Equal(t, want, changed)
	assert.Equal(t, want, bodyOf[notificationRecord](s.get(path).ok()))

	now = now.Add(time.Minute)
	s.post(path+"/enable", nil).empty()
	assert.Equal(t, want, bodyOf[notificationRecord](s.get(path).ok()), "enabling what is on changes nothing")
	s.post(path+"/disable", nil).empty()
	want.Enabled, want.UpdatedAt = new(false), "2026-03-10T09:32:00Z"
	assert.Equal(t, []notificationRecord{want}, bodyOf[[]notificationRecord](s.get(alertsPath+"/notifications").ok()))
	s.post(path+"/enable", nil).empty()
	want.Enabled = new(true)
	assert.Equal(t, want, bodyOf[notificationRecord](s.get(path).ok()))

	s.delete(alertsPath + "/destinations/" + other.ID).empty()
	assert.Empty(t, bodyOf[notificationRecord](s.get(path).ok()).Destinations)

	s.delete(path).empty()
	for _, gone := range []response{
		s.get(path), s.patch(path, object{"name": "x"}), s.delete(path), s.post(path+"/enable", nil), s.post(path+"/disable", nil), s.get(path + "/events"),
	} {
		gone.refusedPlainly(404, "notification not found")
	}
	assert.Equal(t, "[]\n", string(s.get(alertsPath+"/notifications").body))
}

func TestRefusedNotifications(t *testing.T) {
	s := startService(t)
	to := s.newDestination(nil)
	existing := s.newNotification(nil, to)
	path := alertsPath + "/notifications"
	for field, tests := range map[string]map[string]any{
		"name":           {"empty": ""},
		"network":        {"empty": "", "unknown": "etherium-mainnet"},
		"expression":     {"empty": []byte(""), "broken": []byte("tx_to =="), "no base64": "tx_to == 'a'"},
		"destinationIds": {"unknown": []string{to.ID, "d-unknown"}},
	} {
		for name, value := range tests {
			t.Run(field+" "+name, func(t *testing.T) {
				created := s.post(path, notificationBody(changed(object{"destinationIds": []string{to.ID}}, object{field: value})))
				reason := field
				if name == "no base64" {
					reason = "base64"
				}
				created.refusedPlainly(400, reason)
				s.patch(path+"/"+existing.ID, object{"name": "Half changed", field: value}).refusedPlainly(400, reason)
				assert.Equal(t, []notificationRecord{existing}, bodyOf[[]notificationRecord](s.get(path).ok()), "nothing has changed")
			})
		}
		t.Run(field+" missing", func(t *testing.T) {
			body := notificationBody(object{"destinationIds": []string{to.ID}})
			s.post(path, changed(body, object{field: nil})).refusedPlainly(400, field)
		})
	}
}

func TestNotificationsWithoutDestinations(t *testing.T) {
	s := startService(t)
	existing := s.newNotification(nil, s.newDestination(nil))
	path := alertsPath + "/notifications/" + existing.ID
	unchanged := bodyOf[notificationRecord](s.patch(path, object{}).ok())
	assert.Equal(t, existing, unchanged, "a change of nothing")
	changed := bodyOf[notificationRecord](s.patch(path, object{"destinationIds": []string{}}).ok())
	assert.Empty(t, changed.Destinations)
	assert.Empty(t, s.newNotification(object{"destinationIds": []string{}}).Destinations)
}
