package emulator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

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
