package clienttest

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

var noContent responder = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }

// emptyBodies are responses to a write without a record of the written values. TestReadMaybe_returnsRecordIfThere of
// internal/reply has more of them.
var emptyBodies = map[string]responder{
	"204":                 noContent,
	"no body":             respondJSON(200, ``),
	"an empty object":     respondJSON(200, `{}`),
	"data true":           respondJSON(200, `{"data":true,"error":null}`),
	"data and error null": respondJSON(200, `{"data":null,"error":null}`),
	"another record":      respondJSON(200, `{"data":{"message":"updated","success":true,"limits":{}}}`),
}

type opts = []rpcfleet.CallOption

var background = context.Background()

// write is a call that writes, with its result.
type write func(a callArgs) (any, error)

func setOptions(options map[admin.SecurityOptionName]bool) write {
	return func(a callArgs) (any, error) { return a.Security.SetOptions(a, "ep1", options, a.opts...) }
}

// everyOption has every option that can be set.
var everyOption = map[admin.SecurityOptionName]bool{"tokens": true, "referrers": false, "jwts": true, "ips": false,
	"domainMasks": true, "hsts": false, "cors": true, "requestFilters": false, "ipCustomHeader": true}

// changes change a thing that the caller has named, or add an entry to it. Each has its result if the service sends no
// record. TestDo_agreesWithMethods of acceptance compares the others with the service's records.
var changes = map[string]struct {
	write write
	sent  any
}{
	"Tags.Rename": {func(a callArgs) (any, error) { return a.Tags.Rename(a, 7, "idle", a.opts...) },
		&admin.Tag{ID: 7, Label: "idle"}},
	"RateLimits.UpdateMethodLimit": {func(a callArgs) (any, error) {
		return a.RateLimits.UpdateMethodLimit(a, "ep1", "l-1", admin.UpdateMethodRateLimitRequest{
			Methods: []string{"eth_call"}, Rate: new(5), Status: new(admin.SwitchDisabled),
		}, a.opts...)
	}, &admin.MethodRateLimit{ID: "l-1", Methods: []string{"eth_call"}, Rate: 5, Status: admin.SwitchDisabled}},
	"RateLimits.UpdateMethodLimit, of one field": {func(a callArgs) (any, error) {
		return a.RateLimits.UpdateMethodLimit(a, "ep1", "l-1", admin.UpdateMethodRateLimitRequest{Rate: new(5)},
			a.opts...)
	}, &admin.MethodRateLimit{ID: "l-1", Rate: 5}},
	"RateLimits.Update": {func(a callArgs) (any, error) {
		return a.RateLimits.Update(a, "ep1", map[admin.RateLimitBucket]int{"rps": 5, "rpd": 9}, a.opts...)
	}, rpcfleet.RateLimits{limit("rps", 5, "", ""), limit("rpd", 9, "", "")}},
	"RateLimits.Replace": {func(a callArgs) (any, error) {
		return a.RateLimits.Replace(a, "ep1", map[admin.RateLimitBucket]int{"rpm": 5}, a.opts...) //nolint:staticcheck // Deprecated, and there.
	}, rpcfleet.RateLimits{limit("rpm", 5, "", "")}},
	"Notifications.Update": {func(a callArgs) (any, error) {
		return a.Notifications.Update(a, "n1", alerts.UpdateNotificationRequest{
			Name: new("Other"), Expression: new(alerts.Expression("true")), Network: new(alerts.AlertNetworkDogeMainnet),
			DestinationIDs: []string{"d1"},
		}, a.opts...)
	}, &alerts.Notification{
		ID: "n1", Name: "Other", Expression: "true", Network: alerts.AlertNetworkDogeMainnet, DestinationIDs: []string{"d1"},
	}},
	"Security.SetIPCustomHeader": {
		func(a callArgs) (any, error) { return a.Security.SetIPCustomHeader(a, "ep1", "x-ip", a.opts...) },
		&admin.IPCustomHeaderSetting{HeaderName: "x-ip"}},
	"Security.AddReferrer": {func(a callArgs) (any, error) { return a.Security.AddReferrer(a, "ep1", "a", a.opts...) },
		&admin.EndpointReferrer{Referrer: "a"}},
	"Security.AddIP": {func(a callArgs) (any, error) { return a.Security.AddIP(a, "ep1", "i", a.opts...) },
		&admin.EndpointIP{IP: "i"}},
	"Security.AddDomainMask": {
		func(a callArgs) (any, error) { return a.Security.AddDomainMask(a, "ep1", "d", a.opts...) },
		&admin.EndpointDomainMask{Domain: "d"}},
	"Security.AddRequestFilter": {
		func(a callArgs) (any, error) { return a.Security.AddRequestFilter(a, "ep1", someMethods, a.opts...) },
		&admin.RequestFilter{Methods: someMethods}},
	"Security.AddJWT": {func(a callArgs) (any, error) { return a.Security.AddJWT(a, "ep1", aJWT, a.opts...) },
		&admin.EndpointJWT{PublicKey: aJWT.PublicKey, Kid: aJWT.Kid, Name: aJWT.Name}},
	"Security.CreateToken": {func(a callArgs) (any, error) { return a.Security.CreateToken(a, "ep1", a.opts...) },
		&admin.EndpointToken{}},
	"Security.SetOptions, of every option": {setOptions(everyOption), everyOption},
	"Tooling.Enable": {
		func(a callArgs) (any, error) { return a.Tooling.Enable(a, a.opts...) }, &admin.ToolingAccess{Enabled: true}},
	"Tooling.Disable": {
		func(a callArgs) (any, error) { return a.Tooling.Disable(a, a.opts...) }, &admin.ToolingAccess{}},
	"Endpoints.BulkSetStatus": {func(a callArgs) (any, error) {
		return a.Endpoints.BulkSetStatus(a, []string{"a", "b"}, admin.EndpointStatusPaused, a.opts...)
	}, &rpcfleet.BulkOutcome{Unreported: []string{"a", "b"}}},
	"Endpoints.BulkAddTag": {
		func(a callArgs) (any, error) { return a.Endpoints.BulkAddTag(a, []string{"a"}, "x", a.opts...) },
		&rpcfleet.BulkOutcome{Unreported: []string{"a"}}},
	"Endpoints.BulkRemoveTag": {
		func(a callArgs) (any, error) { return a.Endpoints.BulkRemoveTag(a, []string{"a"}, 7, a.opts...) },
		&rpcfleet.BulkOutcome{Unreported: []string{"a"}}},
}

func TestChanges_succeedWithoutRecord(t *testing.T) {
	client, server := scripted(t)
	for name, test := range changes {
		for body, line := range emptyBodies {
			server.Play(line)
			before := len(server.Requests())
			var response rpcfleet.Response
			got, err := test.write(callArgs{background, client, opts{rpcfleet.WithResponse(&response)}})
			require.NoError(t, err, "%s: %s", name, body)
			assert.Equal(t, test.sent, got, "%s: %s", name, body)
			assert.True(t, response.NoRecord, "%s: %s", name, body)
			assert.Len(t, server.Requests(), before+1, "%s: %s", name, body)
		}
	}
	server.Play(respondJSON(200, `{"data":{"option":"cors","status":"audit"}}`))
	var response rpcfleet.Response
	both := setOptions(map[admin.SecurityOptionName]bool{"cors": true, "hsts": false})
	got := must(both(callArgs{background, client, opts{rpcfleet.WithResponse(&response)}}))(t)
	assert.Equal(t, map[admin.SecurityOptionName]bool{"hsts": false}, got, "one option stands for itself")
	assert.False(t, response.NoRecord, "the record is the service's own")
}

// TestCreates_failWithoutRecord has a create of each area. TestDo_agreesWithMethods of acceptance plays such responses
// to every method.
func TestCreates_failWithoutRecord(t *testing.T) {
	client, server := scripted(t)
	for name, create := range map[string]write{
		"admin":  func(a callArgs) (any, error) { return a.Endpoints.Create(a, onEthereum, a.opts...) },
		"alerts": func(a callArgs) (any, error) { return a.Destinations.Create(a, aDestination, a.opts...) },
	} {
		var response rpcfleet.Response
		call := callArgs{background, client, opts{rpcfleet.WithResponse(&response)}}
		for body, line := range emptyBodies {
			server.Play(line)
			before := len(server.Requests())
			got, err := create(call)
			require.ErrorIs(t, err, rpcfleet.ErrNoRecord, "%s: %s", name, body)
			want := rpcfleet.ReasonNoData
			if body == "204" || body == "no body" {
				want = rpcfleet.ReasonEmpty
			}
			assert.Equal(t, want, errorAs[*rpcfleet.DecodeError](t, err, body).Reason, "%s: %v", body, err)
			assert.NotErrorIs(t, err, rpcfleet.ErrNotFound, body)
			assert.Nil(t, got, body)
			assert.True(t, response.NoRecord, body)
			assert.Len(t, server.Requests(), before+1, body)
		}
		for _, body := range []string{`{"data":null,"error":"no"}`, `<html>`, `{"data":{"id":`, `{"data":no}`, `{} x`} {
			server.Play(respondJSON(200, body))
			_, err := create(call)
			require.Error(t, err, body)
			require.NotErrorIs(t, err, rpcfleet.ErrNoRecord, body)
			assert.False(t, response.NoRecord, body)
		}
	}
	for body, reason := range map[string]string{
		`{"data":{"id":"ep1","label":["x"]}}`: rpcfleet.ReasonUnexpectedType, `{"data":{"chain":"a"}}`: rpcfleet.ReasonNoData,
		`{"data":{"id":""}}`: rpcfleet.ReasonNoData, `{"data":{"id":null}}`: rpcfleet.ReasonNoData,
	} {
		server.Play(respondJSON(200, body))
		err := createEndpoint(t.Context(), client)
		assert.Equal(t, reason, errorAs[*rpcfleet.DecodeError](t, err, body).Reason)
		require.ErrorIs(t, err, rpcfleet.ErrNoRecord)
		require.NotErrorIs(t, errOf(get(client)), rpcfleet.ErrNoRecord, "a read executes nothing")
	}
	server.Play(respondJSON(502, ``))
	require.NotErrorIs(t, createEndpoint(t.Context(), client), rpcfleet.ErrNoRecord)
}

func TestConfirmations_acceptEmptyResponse(t *testing.T) {
	client, server := scripted(t)
	for body, line := range emptyBodies {
		server.Play(line)
		require.NoError(t, client.Endpoints.Archive(t.Context(), "ep1"), body)
	}
}

func TestReads_nullBesideANullErrorIsNotFound(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{"data":null,"error":null}`))
	for _, err := range []error{errOf(get(client)), errOf(client.Destinations.Get(background, "d1"))} {
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
		assert.Equal(t, 200, errorAs[*rpcfleet.Error](t, err).StatusCode)
		assert.Equal(t, rpcfleet.ReasonNoData, errorAs[*rpcfleet.DecodeError](t, err, "the reason is kept").Reason)
		for _, other := range []error{rpcfleet.ErrRejected, rpcfleet.ErrConnection, rpcfleet.ErrNoRecord} {
			assert.NotErrorIs(t, err, other)
		}
		assert.Contains(t, err.Error(), "not found: no data in the response")
	}
	server.Play(respondJSON(200, `{"data":null}`))
	_, err := get(client)
	require.NotErrorIs(t, err, rpcfleet.ErrNotFound, "without an error the response is not complete")
	assert.Equal(t, rpcfleet.ReasonNoData, errorAs[*rpcfleet.DecodeError](t, err).Reason)
}

// TestError_maybeExecutedByFailure: internal/transport tests more statuses.
func TestError_maybeExecutedByFailure(t *testing.T) {
	for name, test := range map[string]struct {
		line  responder
		maybe bool
	}{
		"400":                 {respondJSON(400, `{"error":"no"}`), false},
		"429":                 {respondJSON(429, ``), false},
		"408":                 {respondJSON(408, ``), true},
		"599":                 {respondJSON(599, ``), true},
		"600":                 {respondRaw("HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n"), true},
		"000":                 {respondRaw("HTTP/1.1 000 Odd\r\nContent-Length: 0\r\n\r\n"), true},
		"099":                 {respondRaw("HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n"), true},
		"304":                 {respondJSON(304, ``), true},
		"refusal":             {respondJSON(200, `{"data":null,"error":"no"}`), false},
		"no record":           {respondJSON(200, `{}`), true},
		"HTML":                {respond("text/html", 200, `<html>`), true},
		"half":                {truncate, true},
		"no response":         {hangUp, true},
		"another HTTP client": {respondRaw("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"), true},
		"307, then 404": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "/moved")
			w.WriteHeader(map[bool]int{true: 404, false: 307}[r.URL.Path == "/moved"])
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, test.line)
			err := createEndpoint(t.Context(), client)
			require.Error(t, err)
			assert.Equal(t, test.maybe, errors.Is(err, rpcfleet.ErrOutcomeUnknown), "%v", err)
			err = client.Endpoints.Pause(t.Context(), "ep1")
			assert.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, "an idempotent call can be repeated")
		})
	}
}

func TestErrOutcomeUnknown_notIfNothingWasSent(t *testing.T) {
	_, server := scripted(t, respondJSON(200, record))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	err := createEndpoint(ended, server.client(t))
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, "the context had ended before")

	spent := errors.New("the budget is spent")
	err = createEndpoint(t.Context(), server.client(t, rpcfleet.WithPacer(pacing(func() error { return spent }))))
	require.ErrorIs(t, err, spent)
	require.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, "the pacer ended it")
	assert.Empty(t, server.Requests())

	synctest.Test(t, func(t *testing.T) {
		client, asked := clocked(t, later(429, "30"))
		waiting, stop := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Second, stop)
		err := createEndpoint(waiting, client, rpcfleet.WithRetryPolicy(rpcfleet.DefaultRetryPolicy()))
		require.ErrorIs(t, err, context.Canceled)
		require.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, "the only attempt was refused")
		assert.Len(t, asked.Requests(), 1)
	})

	server.Close()
	err = createEndpoint(t.Context(), server.client(t))
	require.ErrorIs(t, err, rpcfleet.ErrConnection)
	require.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, "no connection was made")
}
