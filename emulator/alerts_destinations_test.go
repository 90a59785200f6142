package emulator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func TestDestinations(t *testing.T) {
	s := startService(t)
	assert.Equal(t, "[]\n", string(s.get(alertsPath+"/destinations").ok().body))
	first := s.newDestination(nil)
	second := s.newDestination(object{"name": "Other", "to_url": "http://127.0.0.1:1/?a=1", "webhook_type": "GET", "payload_type": 7})
	assert.NotEmpty(t, first.ID)
	assert.Len(t, first.Token, 32)
	assert.NotEqual(t, first.ID, second.ID)
	assert.NotEqual(t, first.Token, second.Token)
	assert.Equal(t, destinationRecord{
		ID: first.ID, Name: "Watch", To: "https://hooks.example/a", WebhookType: "POST", Service: "webhook", PayloadType: 5,
		Token: first.Token, CreatedAt: "2026-03-10T09:30:00Z", UpdatedAt: "2026-03-10T09:30:00Z",
	}, first)
	assert.Equal(t, []destinationRecord{first, second}, bodyOf[[]destinationRecord](s.get(alertsPath+"/destinations").ok()))
	assert.Equal(t, second, bodyOf[destinationRecord](s.get(alertsPath+"/destinations/"+second.ID).ok()))

	s.delete(alertsPath + "/destinations/" + first.ID).empty()
	s.delete(alertsPath+"/destinations/"+first.ID).refusedPlainly(404, "destination not found")
	s.get(alertsPath+"/destinations/"+first.ID).refusedPlainly(404, "destination not found")
	assert.Equal(t, []destinationRecord{second}, bodyOf[[]destinationRecord](s.get(alertsPath+"/destinations").ok()))
}

func TestRefusedDestinations(t *testing.T) {
	s := startService(t)
	for name, test := range map[string]struct {
		body   any
		reason string
	}{
		"no name":            {destinationBody(object{"name": nil}), "name"},
		"an empty name":      {destinationBody(object{"name": ""}), "name"},
		"no address":         {destinationBody(object{"to_url": nil}), "to_url"},
		"a relative address": {destinationBody(object{"to_url": "/hook"}), "to_url"},
		"another scheme":     {destinationBody(object{"to_url": "ftp://hooks.example"}), "to_url"},
		"no method":          {destinationBody(object{"webhook_type": nil}), "webhook_type"},
		"another method":     {destinationBody(object{"webhook_type": "PUT"}), "webhook_type"},
		"another service":    {destinationBody(object{"service": "pigeon"}), "service"},
		"no layout":          {destinationBody(object{"payload_type": nil}), "payload_type"},
		"a layout of 8":      {destinationBody(object{"payload_type": 8}), "payload_type"},
		"a layout in words":  {destinationBody(object{"payload_type": "five"}), ""},
		"no body":            {"", ""},
		"no JSON":            {"{", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s.post(alertsPath+"/destinations", test.body).refusedPlainly(400, test.reason)
			assert.Equal(t, "[]\n", string(s.get(alertsPath+"/destinations").body))
		})
	}
}

func TestAlertsAreMountedWhereTheyAreWanted(t *testing.T) {
	s := startService(t, emulator.WithAlertsPath("/quickalerts/rest/v1/"))
	s.get("/quickalerts/rest/v1/destinations").ok()
	assert.Equal(t, 404, s.get(alertsPath+"/destinations").status)
	startService(t, emulator.WithAlertsPath("")).get("/destinations").ok()
}

func TestAlertsNeedAKeyAndAPlan(t *testing.T) {
	s := startService(t)
	assert.Equal(t, 401, s.withKey("").get(alertsPath+"/notifications").status)
	s.withKey(s.ViewerKey).get(alertsPath + "/notifications").ok()
	gated := startService(t, emulator.WithoutAlerts())
	assert.Equal(t, 403, gated.get(alertsPath+"/notifications").status)
	gated.get("/v0/endpoints").ok()
}
