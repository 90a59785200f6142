package clienttest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

const loggedID = "5f1c0a00-1b2c-11f0-8000-010000000001"

func TestLogDetails(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":{"request":"{\"id\":1}","response":"{}"}}`))
	details, err := client.Logs.Details(t.Context(), "ep/1", loggedID)
	require.NoError(t, err)
	assert.Equal(t, `{"id":1}`, details.Request)
	assert.Equal(t, `{}`, details.Response)
	sent := server.Requests()[0]
	assert.Equal(t, "GET /v0/endpoints/ep%2F1/log_details", sent.Method+" "+sent.Path)
	assert.Equal(t, "request_id="+loggedID, sent.Query)
}

func TestDetailsNeedATimeBasedUUID(t *testing.T) {
	for name, test := range map[string]struct {
		id   string
		sent bool
	}{
		"version 1":          {loggedID, true},
		"version 6":          {"1f01b2c5-f1c0-6a00-8000-010000000001", true},
		"version 7":          {"01963f0a-5f00-7abc-bdef-010000000001", true},
		"upper case":         {strings.ToUpper(loggedID), true},
		"empty":              {"", false},
		"version 2":          {"5f1c0a00-1b2c-21f0-8000-010000000001", false},
		"version 4":          {"5f1c0a00-1b2c-41f0-8000-010000000001", false},
		"version 5":          {"5f1c0a00-1b2c-51f0-8000-010000000001", false},
		"version 8":          {"5f1c0a00-1b2c-81f0-8000-010000000001", false},
		"the nil UUID":       {"00000000-0000-0000-0000-000000000000", false},
		"another variant":    {"5f1c0a00-1b2c-11f0-c000-010000000001", false},
		"no hyphens":         {strings.ReplaceAll(loggedID, "-", ""), false},
		"braces":             {"{" + loggedID + "}", false},
		"a line end":         {loggedID + "\n", false},
		"one digit short":    {loggedID[:35], false},
		"no hexadecimal":     {"g" + loggedID[1:], false},
		"an id of a number ": {"12345", false},
	} {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, says(200, `{"data":{"request":"","response":""}}`))
			_, err := client.Logs.Details(t.Context(), "ep1", test.id)
			if test.sent {
				require.NoError(t, err)
				assert.Len(t, server.Requests(), 1)
				return
			}
			var broken *rpcfleet.ValidationError
			require.ErrorAs(t, err, &broken)
			assert.Equal(t, "request_id", broken.Field)
			assert.Equal(t, "getLogDetails", broken.Operation)
			assert.Contains(t, broken.Rule, "time-based UUID")
			assert.Empty(t, server.Requests())

			_, err = client.Logs.Details(t.Context(), "ep1", test.id, rpcfleet.WithoutValidation())
			require.NoError(t, err)
			assert.Len(t, server.Requests(), 1, "the service decides when it is asked to")
		})
	}
}

func FuzzDetailsSendsTimeBasedUUIDsOnly(f *testing.F) {
	for _, seed := range []string{loggedID, "", "..", loggedID + "\n", strings.ToUpper(loggedID), strings.Replace(loggedID, "-11f0", "-41f0", 1)} {
		f.Add(seed)
	}
	client, server := scripted(f, says(200, `{"data":{"request":"","response":""}}`))
	shape := regexp.MustCompile(`^request_id=[[:xdigit:]]{8}-[[:xdigit:]]{4}-[167][[:xdigit:]]{3}-[89abAB][[:xdigit:]]{3}-[[:xdigit:]]{12}$`)
	f.Fuzz(func(t *testing.T, id string) {
		before := len(server.Requests())
		_, err := client.Logs.Details(t.Context(), "ep1", id)
		sent := server.Requests()[before:]
		if err != nil {
			require.Empty(t, sent)
			require.NotRegexp(t, shape, "request_id="+id)
			return
		}
		require.Len(t, sent, 1)
		require.Regexp(t, shape, sent[0].Query)
	})
}
