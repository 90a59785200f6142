package clienttest

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// without are ways to respond to a write without a record of the written values.
var without = map[string]responder{
	"204":                 func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
	"nothing":             respondJSON(200, ``),
	"space":               respondJSON(201, " \n"),
	"an empty object":     respondJSON(200, `{}`),
	"true":                respondJSON(200, `true`),
	"null":                respondJSON(200, `null`),
	"data true":           respondJSON(200, `{"data":true,"error":null}`),
	"data null":           respondJSON(200, `{"data":null}`),
	"data and error null": respondJSON(200, `{"data":null,"error":null}`),
	"data {}":             respondJSON(200, `{"data":{}}`),
	"data a text":         respondJSON(200, `{"data":"updated"}`),
	"data a list":         respondJSON(200, `{"data":[[]]}`),
	"another record":      respondJSON(200, `{"data":{"message":"updated","success":true}}`),
}

// write is a call that writes, with its result.
type write func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error)

// changes change a thing that the caller has named. Each has its result if the service sends no record, and a record
// from the service with the result for it.
var changes = map[string]struct {
	write  write
	sent   any
	record string
	told   any
}{
	"Tags.Rename": {
		func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
			return c.Tags.Rename(ctx, 7, "idle", opts...)
		},
		&admin.Tag{ID: 7, Label: "idle"},
		`{"data":{"id":7,"label":"Idle","usage_count":3}}`, &admin.Tag{ID: 7, Label: "Idle", UsageCount: 3},
	},
	"RateLimits.UpdateMethodLimit": {
		func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
			return c.RateLimits.UpdateMethodLimit(ctx, "ep1", "l-1", admin.UpdateMethodRateLimitRequest{
				Methods: []string{"eth_call"}, Rate: new(5), Status: new(admin.SwitchDisabled),
			}, opts...)
		},
		&admin.MethodRateLimiter{ID: "l-1", Methods: []string{"eth_call"}, Rate: 5, Status: admin.SwitchDisabled},
		`{"data":{"id":"l-1","rate":"4","interval":"day"}}`, &admin.MethodRateLimiter{ID: "l-1", Rate: 4, Interval: "day"},
	},
	"RateLimits.UpdateMethodLimit, of one field": {
		func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
			return c.RateLimits.UpdateMethodLimit(ctx, "ep1", "l-1", admin.UpdateMethodRateLimitRequest{Rate: new(5)}, opts...)
		},
		&admin.MethodRateLimiter{ID: "l-1", Rate: 5},
		`{"data":{"id":"l-1"}}`, &admin.MethodRateLimiter{ID: "l-1"},
	},
	"RateLimits.Update": {
		func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
			return c.RateLimits.Update(ctx, "ep1", admin.RateLimitOverrides{RPS: new(5), RPD: new(9)}, opts...)
		},
		rpcfleet.RateLimits{limit("rps", 5, "", ""), limit("rpd", 9, "", "")},
		`{"data":{"limits":{"rps":4}}}`, rpcfleet.RateLimits{limit("rps", 4, "", "")},
	},
	"RateLimits.Replace": {
		func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
			return c.RateLimits.Replace(ctx, "ep1", admin.RateLimitOverrides{RPM: new(5)}, opts...) //nolint:staticcheck // Deprecated, and there.
		},
		rpcfleet.RateLimits{limit("rpm", 5, "", "")},
		`{"data":{"limits":{"rpm":4}}}`, rpcfleet.RateLimits{limit("rpm", 4, "", "")},
	},
	"Notifications.Update": {
		func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
			return c.Notifications.Update(ctx, "n1", alerts.UpdateNotificationRequest{
				Name: new("Other"), Expression: new(alerts.Expression("true")), Network: new(alerts.AlertNetworkDogeMainnet),
				DestinationIDs: []string{"d1"},
			}, opts...)
		},
		&alerts.Notification{
			ID: "n1", Name: "Other", Expression: "true", Network: alerts.AlertNetworkDogeMainnet, DestinationIDs: []string{"d1"},
		},
		`{"id":"n1","name":"Another","destinations":[{"id":"d2"}]}`,
		&alerts.Notification{ID: "n1", Name: "Another", DestinationIDs: []string{"d2"},
			Destinations: []alerts.Destination{{ID: "d2"}}},
	},
	"Security.SetIPCustomHeader": {
		func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
			return c.Security.SetIPCustomHeader(ctx, "ep1", "x-ip", opts...)
		},
		&admin.IPCustomHeaderSetting{HeaderName: "x-ip"},
		`{"data":{"header_name":"X-IP"}}`, &admin.IPCustomHeaderSetting{HeaderName: "X-IP"},
	},
	"Security.SetOptions": {
		setOptions(admin.SecurityOptionSwitches{CORS: new(admin.SwitchEnabled), HSTS: new(admin.SwitchDisabled)}),
		rpcfleet.SecurityOptions{{Option: "hsts", Status: "disabled"}, {Option: "cors", Status: "enabled"}},
		`{"data":[{"option":"ips","status":"disabled"}]}`, rpcfleet.SecurityOptions{{Option: "ips", Status: "disabled"}},
	},
	"Security.SetOptions, responded to with one option": {
		setOptions(admin.SecurityOptionSwitches{CORS: new(admin.SwitchEnabled), HSTS: new(admin.SwitchDisabled)}),
		rpcfleet.SecurityOptions{{Option: "hsts", Status: "disabled"}, {Option: "cors", Status: "enabled"}},
		`{"data":{"option":"cors","status":"audit"}}`,
		rpcfleet.SecurityOptions{{Option: "cors", Status: "audit"}, {Option: "hsts", Status: "disabled"}},
	},
	"Security.SetOptions, of every option": {
		setOptions(admin.SecurityOptionSwitches{
			Tokens: new(admin.SwitchEnabled), Referrers: new(admin.SwitchDisabled), JWTs: new(admin.SwitchEnabled),
			IPs: new(admin.SwitchDisabled), DomainMasks: new(admin.SwitchEnabled), HSTS: new(admin.SwitchDisabled),
			CORS: new(admin.SwitchEnabled), RequestFilters: new(admin.SwitchDisabled), IPCustomHeader: new(admin.SwitchEnabled),
		}),
		rpcfleet.SecurityOptions{
			{Option: "tokens", Status: "enabled"}, {Option: "referrers", Status: "disabled"},
			{Option: "jwts", Status: "enabled"},
			{Option: "ips", Status: "disabled"}, {Option: "domainMasks", Status: "enabled"},
			{Option: "hsts", Status: "disabled"},
			{Option: "cors", Status: "enabled"}, {Option: "requestFilters", Status: "disabled"},
			{Option: "ipCustomHeader", Status: "enabled"},
		},
		`{"data":[{"option":"ips","status":"disabled"}]}`, rpcfleet.SecurityOptions{{Option: "ips", Status: "disabled"}},
	},
	"Tooling.Enable": {
		func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
			return c.Tooling.Enable(ctx, opts...)
		},
		&admin.ToolingAccessUpdate{Enabled: true},
		`{"data":{"enabled":false}}`, &admin.ToolingAccessUpdate{Enabled: false},
	},
	"Tooling.Disable": {
		func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
			return c.Tooling.Disable(ctx, opts...)
		},
		&admin.ToolingAccessUpdate{Enabled: false},
		`{"data":{"enabled":false,"endpoint_url":null}}`, &admin.ToolingAccessUpdate{Enabled: false},
	},
	"Endpoints.BulkSetStatus": {
		func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
			return c.Endpoints.BulkSetStatus(ctx, []string{"a", "b"}, admin.EndpointStatusPaused, opts...)
		},
		&rpcfleet.BulkOutcome{Unreported: []string{"a", "b"}},
		`{"data":{"total":2,"updated_count":1,"results":[{"id":"b","success":true}]}}`,
		&rpcfleet.BulkOutcome{
			Total: 2, UpdatedCount: 1, Results: []admin.BulkItemResult{{ID: "b", Success: true}}, Unreported: []string{"a"},
		},
	},
	"Endpoints.BulkAddTag": {
		func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
			return c.Endpoints.BulkAddTag(ctx, []string{"a"}, "x", opts...)
		},
		&rpcfleet.BulkOutcome{Unreported: []string{"a"}},
		`{"data":{"tag":{"tag_id":7,"label":"x"}}}`,
		&rpcfleet.BulkOutcome{Tag: &admin.BulkTag{TagID: 7, Label: "x"}, Unreported: []string{"a"}},
	},
	"Endpoints.BulkRemoveTag": {
		func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
			return c.Endpoints.BulkRemoveTag(ctx, []string{"a"}, 7, opts...)
		},
		&rpcfleet.BulkOutcome{Unreported: []string{"a"}},
		`{"data":{"total":1}}`, &rpcfleet.BulkOutcome{Total: 1, Unreported: []string{"a"}},
	},
}

func setOptions(switches admin.SecurityOptionSwitches) write {
	return func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
		return c.Security.SetOptions(ctx, "ep1", switches, opts...)
	}
}

func TestChangesDoNotFailForWantOfARecord(t *testing.T) {
	for name, test := range changes {
		t.Run(name, func(t *testing.T) {
			for way, line := range without {
				client, server := scripted(t, line)
				var response rpcfleet.Response
				got, err := test.write(t.Context(), client, rpcfleet.WithResponse(&response))
				require.NoError(t, err, way)
				assert.Equal(t, test.sent, got, way)
				assert.True(t, response.NoRecord, way)
				assert.Len(t, server.Requests(), 1, way)
			}
			client, _ := scripted(t, respondJSON(200, test.record))
			var response rpcfleet.Response
			got, err := test.write(t.Context(), client, rpcfleet.WithResponse(&response))
			require.NoError(t, err)
			assert.Equal(t, test.told, got)
			assert.False(t, response.NoRecord, "the record is the service's own")
		})
	}
}

// A gateway's response, or an unreadable one, is not the service's word.
func TestChangesFailAllTheSame(t *testing.T) {
	for name, test := range changes {
		t.Run(name, func(t *testing.T) {
			for body, reason := range map[string]rpcfleet.DecodeReason{
				`<html>`: rpcfleet.ReasonHTML, `{"data":{"id":`: rpcfleet.ReasonTruncated, `{} x`: rpcfleet.ReasonTrailingData,
				`{"data":no}`: rpcfleet.ReasonSyntax,
			} {
				client, _ := scripted(t, respondJSON(200, body))
				_, err := test.write(t.Context(), client)
				unread := errorAs[*rpcfleet.DecodeError](t, err, body)
				assert.Equal(t, reason, unread.Reason, body)
				assert.NotErrorIs(t, err, rpcfleet.ErrNoRecord, body)
			}
			for _, body := range []string{
				`{"data":null,"error":"no"}`, `{"errors":[{"message":"no"}]}`, `{"data":{"error":"no"}}`,
				`{"status":"error","message":"no"}`, `{"success":false,"message":"no"}`,
			} {
				client, _ := scripted(t, respondJSON(200, body))
				var response rpcfleet.Response
				_, err := test.write(t.Context(), client, rpcfleet.WithResponse(&response))
				require.ErrorIs(t, err, rpcfleet.ErrRejected, body)
				assert.False(t, response.NoRecord, body)
				refused := errorAs[*rpcfleet.Error](t, err)
				assert.Equal(t, "no", refused.Message, body)
			}
		})
	}
}

// creates make things that only the service can name.
var creates = map[string]write{
	"Endpoints.Create": func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
		return c.Endpoints.Create(ctx, admin.CreateEndpointRequest{Chain: "ethereum", Network: "mainnet"}, opts...)
	},
	"Teams.Create": func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
		return c.Teams.Create(ctx, "Core", opts...)
	},
	"Teams.Invite": func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
		return c.Teams.Invite(ctx, 4, admin.InviteTeamMemberRequest{Email: "user@example.com"}, opts...)
	},
	"RateLimits.CreateMethodLimit": func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any,
		error) {
		return c.RateLimits.CreateMethodLimit(ctx, "ep1", admin.CreateMethodRateLimitRequest{
			Interval: admin.RateLimitIntervalDay, Methods: []string{"eth_call"}, Rate: 1,
		}, opts...)
	},
	"Destinations.Create": func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
		return c.Destinations.Create(ctx, alerts.CreateDestinationRequest{
			Name: "Watch", ToURL: scalar.NewSecretURL("https://hooks.example/1"), WebhookType: alerts.WebhookTypePOST,
			Service: alerts.DestinationServiceWebhook, PayloadType: alerts.PayloadTypeLayout1,
		}, opts...)
	},
	"Notifications.Create": func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
		return c.Notifications.Create(ctx, alerts.CreateNotificationRequest{
			Name: "Transfers", Expression: "true", Network: alerts.AlertNetworkDogeMainnet, DestinationIDs: []string{"d1"},
		}, opts...)
	},
	"Tooling.CreateToken": func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) (any, error) {
		return c.Tooling.CreateToken(ctx, opts...)
	},
}

func TestCreatesTellThatTheyWereCarriedOut(t *testing.T) {
	for name, create := range creates {
		t.Run(name, func(t *testing.T) {
			for way, line := range without {
				client, server := scripted(t, line)
				var response rpcfleet.Response
				got, err := create(t.Context(), client, rpcfleet.WithResponse(&response))
				require.ErrorIs(t, err, rpcfleet.ErrNoRecord, way)
				unread := errorAs[*rpcfleet.DecodeError](t, err, way)
				assert.Contains(t, []rpcfleet.DecodeReason{rpcfleet.ReasonEmpty, rpcfleet.ReasonNoData}, unread.Reason, "%s: %v",
					way, err)
				assert.Equal(t, response.StatusCode == http.StatusNoContent || way == "nothing" || way == "space",
					unread.Reason == rpcfleet.ReasonEmpty, way)
				assert.NotErrorIs(t, err, rpcfleet.ErrNotFound, way)
				assert.Nil(t, got, way)
				assert.True(t, response.NoRecord, way)
				assert.Len(t, server.Requests(), 1, way)
			}
			for body, sentinel := range map[string]error{
				`{"data":null,"error":"no"}`: rpcfleet.ErrRejected, `{"errors":[{"message":"no"}]}`: rpcfleet.ErrRejected,
				`{"data":{"error":"no"}}`: rpcfleet.ErrRejected, `{"data":false}`: rpcfleet.ErrRejected,
				`<html>`: nil, `{"data":{"id":`: nil, `{"data":no}`: nil, `{"id":"a"} x`: nil,
			} {
				client, _ := scripted(t, respondJSON(200, body))
				_, err := create(t.Context(), client)
				require.Error(t, err, body)
				require.NotErrorIs(t, err, rpcfleet.ErrNoRecord, body)
				if sentinel != nil {
					assert.ErrorIs(t, err, sentinel, body)
				}
			}
		})
	}
	client, _ := scripted(t, respondJSON(200, `{"data":{"id":"ep1","label":["x"]}}`))
	_, err := creates["Endpoints.Create"](t.Context(), client)
	unread := errorAs[*rpcfleet.DecodeError](t, err)
	assert.Equal(t, rpcfleet.ReasonUnexpectedType, unread.Reason,
		"the record is there, and says something else than it should")
	require.ErrorIs(t, err, rpcfleet.ErrNoRecord)

	_, err = get(client)
	require.Error(t, err)
	require.NotErrorIs(t, err, rpcfleet.ErrNoRecord, "nothing is executed by a read")
	client, _ = scripted(t, respondJSON(502, ``))
	_, err = creates["Endpoints.Create"](t.Context(), client)
	require.NotErrorIs(t, err, rpcfleet.ErrNoRecord)
}

func TestConfirmationsTakeA204(t *testing.T) {
	for name, confirm := range map[string]use{
		"Endpoints.Archive": func(ctx context.Context, c *rpcfleet.Client) error { return c.Endpoints.Archive(ctx, "ep1") },
		"Endpoints.Pause":   func(ctx context.Context, c *rpcfleet.Client) error { return c.Endpoints.Pause(ctx, "ep1") },
		"Endpoints.AddTag": func(ctx context.Context, c *rpcfleet.Client) error {
			return c.Endpoints.AddTag(ctx, "ep1", "x")
		},
		"Security.RemoveIP": func(ctx context.Context, c *rpcfleet.Client) error {
			return c.Security.RemoveIP(ctx, "ep1", "1")
		},
		"Tags.Delete": func(ctx context.Context, c *rpcfleet.Client) error { return c.Tags.Delete(ctx, 7) },
		"Teams.SetEndpoints": func(ctx context.Context, c *rpcfleet.Client) error {
			return c.Teams.SetEndpoints(ctx, 4, nil)
		},
		"Notifications.Enable": func(ctx context.Context, c *rpcfleet.Client) error {
			return c.Notifications.Enable(ctx, "n1")
		},
	} {
		client, server := scripted(t, without["204"])
		require.NoError(t, confirm(t.Context(), client), name)
		assert.Len(t, server.Requests(), 1)
	}
}

func TestAThingThatIsNullBesideANullError(t *testing.T) {
	client, _ := scripted(t, respondJSON(200, `{"data":null,"error":null}`))
	for name, read := range map[string]use{
		"endpoint": func(ctx context.Context, c *rpcfleet.Client) error { _, err := get(c); return err },
		"team": func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := c.Teams.Get(ctx, 4)
			return err
		},
		"destination": func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := c.Destinations.Get(ctx, "d1")
			return err
		},
		"notification": func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := c.Notifications.Get(ctx, "n1")
			return err
		},
	} {
		err := read(t.Context(), client)
		require.ErrorIs(t, err, rpcfleet.ErrNotFound, name)
		missing := errorAs[*rpcfleet.Error](t, err)
		assert.Equal(t, 200, missing.StatusCode)
		reason := errorAs[*rpcfleet.DecodeError](t, err, "the reason is kept")
		assert.Equal(t, rpcfleet.ReasonNoData, reason.Reason)
		for _, other := range []error{rpcfleet.ErrRejected, rpcfleet.ErrConnection, rpcfleet.ErrNoRecord} {
			assert.NotErrorIs(t, err, other)
		}
		assert.Contains(t, err.Error(), "not found: no data in the response")
	}

	client, _ = scripted(t, respondJSON(200, `{"data":null}`))
	_, err := get(client)
	require.NotErrorIs(t, err, rpcfleet.ErrNotFound, "nothing was said of an error: the response is not complete")
	reason := errorAs[*rpcfleet.DecodeError](t, err)
	assert.Equal(t, rpcfleet.ReasonNoData, reason.Reason)
}
