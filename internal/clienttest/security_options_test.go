package clienttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

func TestSecurityOptionsAreOneViewOfBothSpellings(t *testing.T) {
	client, _ := scripted(t, says(200, `{"data":[{"option":"tokens","status":"enabled"},{"option":"cors","status":"disabled"},
		{"option":"ipCustomHeader","status":"enabled","value":"x-sample-ip"}],"error":null}`))
	listed, err := client.Security.Options(t.Context(), "ep1")
	require.NoError(t, err)

	client, _ = scripted(t, says(200, `{"data":{"id":"ep1","security":{"options":{"tokens":true,"cors":false,
		"responseLogging":true,"ipCustomHeader":{"value":"x-sample-ip"}}}}}`))
	endpoint, err := client.Endpoints.Get(t.Context(), "ep1")
	require.NoError(t, err)
	shown := rpcfleet.SecurityOptionsOf(endpoint.Security.Options)

	for name, options := range map[string]rpcfleet.SecurityOptions{"listed": listed, "shown": shown} {
		t.Run(name, func(t *testing.T) {
			on, known := options.Enabled(admin.SecurityOptionNameTokens)
			assert.True(t, on)
			assert.True(t, known)
			on, known = options.Enabled(admin.SecurityOptionNameCORS)
			assert.False(t, on)
			assert.True(t, known)
			_, known = options.Enabled(admin.SecurityOptionNameHSTS)
			assert.False(t, known, "the service did not tell")
			header, set := options.IPCustomHeader()
			assert.True(t, set)
			assert.Equal(t, "x-sample-ip", header)
		})
	}
	on, known := shown.Enabled(rpcfleet.SecurityOptionResponseLogging)
	assert.True(t, on && known)
	on, known = listed.Enabled(admin.SecurityOptionNameIPCustomHeader)
	assert.True(t, on && known)
	_, known = shown.Enabled(admin.SecurityOptionNameIPCustomHeader)
	assert.False(t, known, "a header without a switch")
}

func TestEverySecurityOptionOfARecordIsRead(t *testing.T) {
	for name, record := range map[admin.SecurityOptionName]*admin.EndpointSecurityOptions{
		admin.SecurityOptionNameTokens:         {Tokens: new(true)},
		admin.SecurityOptionNameReferrers:      {Referrers: new(true)},
		admin.SecurityOptionNameJWTs:           {JWTs: new(true)},
		admin.SecurityOptionNameIPs:            {IPs: new(true)},
		admin.SecurityOptionNameDomainMasks:    {DomainMasks: new(true)},
		admin.SecurityOptionNameHSTS:           {HSTS: new(true)},
		admin.SecurityOptionNameCORS:           {CORS: new(true)},
		admin.SecurityOptionNameRequestFilters: {RequestFilters: new(true)},
		rpcfleet.SecurityOptionResponseLogging: {ResponseLogging: new(true)},
	} {
		options := rpcfleet.SecurityOptionsOf(record)
		assert.Equal(t, rpcfleet.SecurityOptions{{Option: name, Status: admin.SwitchEnabled}}, options)
	}
	assert.Empty(t, rpcfleet.SecurityOptionsOf(nil))
	assert.Empty(t, rpcfleet.SecurityOptionsOf(&admin.EndpointSecurityOptions{}))
}

func TestOddSecurityOptions(t *testing.T) {
	for name, test := range map[string]struct {
		body            string
		on, known, set  bool
		header          string
		numberOfOptions int
	}{
		"a null list":             {body: `null`},
		"an empty list":           {body: `[]`},
		"the last of two":         {`[{"option":"cors","status":"disabled"},{"option":"cors","status":"enabled"}]`, true, true, false, "", 2},
		"an unknown status":       {`[{"option":"cors","status":"audit"}]`, false, false, false, "", 1},
		"a null status":           {`[{"option":"cors","status":null}]`, false, false, false, "", 1},
		"an unknown option":       {`[{"option":"geo","status":"enabled"}]`, false, false, false, "", 1},
		"a header without a name": {`[{"option":"ipCustomHeader","status":"enabled","value":null}]`, false, false, false, "", 1},
		"a header's empty name":   {`[{"option":"ipCustomHeader","status":"enabled","value":""}]`, false, false, false, "", 1},
		"a header off":            {`[{"option":"ipCustomHeader","status":"disabled","value":"x-a"}]`, false, false, true, "x-a", 1},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, says(200, `{"data":`+test.body+`,"error":null}`))
			options, err := client.Security.Options(t.Context(), "ep1")
			require.NoError(t, err)
			assert.Len(t, options, test.numberOfOptions, "nothing is lost")
			on, known := options.Enabled(admin.SecurityOptionNameCORS)
			assert.Equal(t, test.on, on)
			assert.Equal(t, test.known, known)
			header, set := options.IPCustomHeader()
			assert.Equal(t, test.header, header)
			assert.Equal(t, test.set, set)
		})
	}
}

func TestSetOptionsSendsOnlyWhatIsSet(t *testing.T) {
	on, off := new(admin.SwitchEnabled), new(admin.SwitchDisabled)
	for body, change := range map[string]admin.SecurityOptionSwitches{
		`{"options":{"tokens":"enabled"}}`:         {Tokens: on},
		`{"options":{"referrers":"disabled"}}`:     {Referrers: off},
		`{"options":{"jwts":"enabled"}}`:           {JWTs: on},
		`{"options":{"ips":"enabled"}}`:            {IPs: on},
		`{"options":{"domainMasks":"enabled"}}`:    {DomainMasks: on},
		`{"options":{"hsts":"enabled"}}`:           {HSTS: on},
		`{"options":{"requestFilters":"enabled"}}`: {RequestFilters: on},
		`{"options":{"ipCustomHeader":"enabled"}}`: {IPCustomHeader: on},

		`{"options":{"cors":"disabled","hsts":"enabled"}}`: {CORS: off, HSTS: on},
	} {
		client, server := scripted(t, says(200, `{"data":[{"option":"tokens","status":"enabled"}],"error":null}`))
		options, err := client.Security.SetOptions(t.Context(), "ep1", change)
		require.NoError(t, err)
		assert.Equal(t, admin.SecurityOptionNameTokens, options[0].Option, "the options after the change")
		request := server.Requests()[0]
		assert.Equal(t, "PATCH", request.Method)
		assert.Equal(t, "/v0/endpoints/ep1/security_options", request.Path)
		assert.JSONEq(t, body, request.Body)
	}
}
