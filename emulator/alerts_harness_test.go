package emulator_test

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// alertsPath is the path of the alerts area, unless a test moves it.
const alertsPath = "/alerts/rest/v1"

// destinationRecord and notificationRecord are the records of the area as they are on the wire.
type destinationRecord struct {
	ID, Name, To, Service, Token string
	WebhookType                  string `json:"webhook_type"`
	PayloadType                  int    `json:"payload_type"`
	CreatedAt                    string `json:"created_at"`
	UpdatedAt                    string `json:"updated_at"`
}

type notificationRecord struct {
	ID, Name, Network string
	Expression        []byte
	Enabled           *bool
	Destinations      []destinationRecord
	CreatedAt         string `json:"created_at"`
	UpdatedAt         string `json:"updated_at"`
}

// destinationBody is a good destination, with some fields changed or, if they are nil, left out.
func destinationBody(changes object) object {
	return changed(object{
		"name": "Watch", "to_url": "https://hooks.example/a", "webhook_type": "POST", "service": "webhook", "payload_type": 5,
	}, changes)
}

// notificationBody is a good notification, with some fields changed or left out.
func notificationBody(changes object) object {
	return changed(object{"name": "Transfers", "expression": []byte("tx_to =~ '^0x'"), "network": "ethereum-mainnet"},
		changes)
}

func changed(body, changes object) object {
	for field, value := range changes {
		body[field] = value
		if value == nil {
			delete(body, field)
		}
	}
	return body
}

// newDestination creates a destination.
func (s *service) newDestination(changes object) destinationRecord {
	s.t.Helper()
	return bodyOf[destinationRecord](s.post(alertsPath+"/destinations", destinationBody(changes)).ok())
}

// newNotification creates a notification that delivers to the destinations.
func (s *service) newNotification(changes object, destinations ...destinationRecord) notificationRecord {
	s.t.Helper()
	ids := make([]string, 0, len(destinations))
	for _, d := range destinations {
		ids = append(ids, d.ID)
	}
	body := notificationBody(object{"destinationIds": ids})
	return bodyOf[notificationRecord](s.post(alertsPath+"/notifications", changed(body, changes)).ok())
}

// refusedPlainly checks that the response is a failure without an envelope, with this status and a message that holds
// the text.
func (a response) refusedPlainly(status int, reason string) {
	a.t.Helper()
	if !assert.Equalf(a.t, status, a.status, "body: %s", a.body) {
		return
	}
	var failure map[string]string
	require.NoError(a.t, json.Unmarshal(a.body, &failure), "body: %s", a.body)
	assert.Contains(a.t, failure["message"], reason)
	assert.Equal(a.t, http.StatusText(status), failure["error"])
	assert.Len(a.t, failure, 2)
}

// empty checks that the response is a success without a body.
func (a response) empty() {
	a.t.Helper()
	assert.Empty(a.t, string(a.ok().body))
}

// numbered is the address with this number.
func numbered(digits string) string { return "0x" + strings.Repeat("0", 40-len(digits)) + digits }
