package acceptance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
	"github.com/rpcfleet/rpcfleet-go/keyvalue"
	"github.com/rpcfleet/rpcfleet-go/streams"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// TestDo_agreesWithMethods executes every operation of the OpenAPI files with its method and with Do, against the
// emulator's responses and failures of every kind, and compares the two: the requests, the result or the error, and the
// events of an observer.
func TestDo_agreesWithMethods(t *testing.T) {
	f := startSampleAccount(t)
	reached := map[string]bool{}
	for _, q := range slices.Concat(adminQueries, securityQueries, alertsQueries, platformQueries, platformDeletes) {
		recorded := record(t, f, q)
		if len(recorded) != 1 || reached[recorded[0].op.ID] {
			continue // Several pages, or an operation that another method has brought.
		}
		twice := recorded[0]
		reached[twice.op.ID] = true
		t.Run(twice.op.ID, func(t *testing.T) {
			t.Parallel()
			twice.compare(t, f, q)
		})
	}
	operations(func(_ *area, _, _ string, op *openapi3.Operation) {
		assert.True(t, reached[op.OperationID], "%s is not executed by Do", op.OperationID)
	})
	for id := range payloads {
		assert.True(t, reached[id], "%s is no operation", id)
	}
}

// twice is a request of a method to be made again by Do, and the response to it.
type twice struct {
	op       rpcfleet.Operation
	request  rpcfleet.Request
	response http.HandlerFunc
}

// record executes a query against the emulator.
func record(t *testing.T, f *sampleAccount, q query) (all []twice) {
	t.Helper()
	m := mutate(t, validated(t, f.Emulator))
	client := f.client(t, rpcfleet.WithBaseURL(m.URL), rpcfleet.WithHeader(mutatedHeader, m.URL))
	require.NoError(t, second(q.run(t.Context(), client, f)), q.method)
	for _, answer := range m.answers {
		request, op := requestOf(t, &answer)
		all = append(all, twice{op, request, func(w http.ResponseWriter, _ *http.Request) {
			answer.give(w, mutated{status: answer.status, body: answer.body})
		}})
	}
	return all
}

// requestOf returns the request as it is on the wire: everything in it comes from the request and the contract's
// templates.
func requestOf(t *testing.T, answer *response) (rpcfleet.Request, rpcfleet.Operation) {
	method, address, _ := strings.Cut(answer.request, " ")
	r := httptest.NewRequest(method, address, nil)
	area, route, parameters, err := routeOf(r)
	require.NoError(t, err)
	request := rpcfleet.Request{
		Method: method, Path: route.Path, PathParams: parameters, Query: r.URL.Query(), Area: area.name,
	}
	if len(answer.sent) > 0 {
		request.Body = json.RawMessage(answer.sent)
	}
	at := slices.IndexFunc(area.table, func(op rpcfleet.Operation) bool { return op.ID == route.Operation.OperationID })
	return request, area.table[at]
}

// scenario contains the responses of the service, attempt by attempt. The last line repeats.
type scenario map[string][]http.HandlerFunc

// scenarios are the documented response, each documented failure, and the errors that may happen on the way.
func (w *twice) scenarios() scenario {
	failure := func(status int) http.HandlerFunc {
		return scriptnet.JSON(status, `{"data":null,"error":"made-up reason"}`)
	}
	all := scenario{
		"the response":              {w.response},
		"unavailable, then not":     {failure(503), w.response},
		"unavailable":               {failure(503)},
		"too many requests":         {failure(429), w.response},
		"too many for good":         {failure(429)},
		"later than can be waited":  {after("3600", failure(429)), w.response},
		"a lost connection":         {scriptnet.HangUp, w.response},
		"lost connections":          {scriptnet.HangUp},
		"a lost connection, a 404":  {scriptnet.HangUp, failure(404)},
		"half a response":           {scriptnet.CutShort, w.response},
		"a refusal with a success":  {failure(200)},
		"a page of HTML":            {scriptnet.Typed("text/html", 200, "<html>in maintenance</html>")},
		"text that is no JSON":      {scriptnet.Typed("application/json", 200, `{"data":`)},
		"a failure without words":   {scriptnet.Typed("text/plain", 500, "")},
		"a status that is not used": {failure(418)},
	}
	for _, status := range w.op.Statuses {
		if status >= 400 {
			all[fmt.Sprint("status ", status)] = []http.HandlerFunc{failure(status)}
		}
	}
	if w.op.Response == "data" || w.op.Response == "record" || w.op.Response == "list" || w.op.Response == "page" {
		all["nothing"] = []http.HandlerFunc{scriptnet.JSON(200, "")}
		all["nulls"] = []http.HandlerFunc{scriptnet.JSON(200, `{"data":null,"error":null}`)}
		all["an empty object"] = []http.HandlerFunc{scriptnet.JSON(200, `{}`)}
		all["another shape"] = []http.HandlerFunc{scriptnet.JSON(200, `{"data":"a text"}`)}
	}
	return all
}

func after(seconds string, line http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", seconds)
		line(w, r)
	}
}

// compare plays every scenario to the method and to Do.
func (w *twice) compare(t *testing.T, f *sampleAccount, q query) {
	do := payloads[w.op.ID]
	if do == nil {
		require.Contains(t, []string{"confirm", "none", "empty"}, w.op.Response, "what does its method return?")
		do = happened
	}
	for name, lines := range w.scenarios() {
		one := play(t, lines, func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			got, err := q.run(ctx, c, f)
			if page := reflect.Indirect(reflect.ValueOf(got)); page.IsValid() && err == nil && strings.HasPrefix(page.Type().Name(), "Page[") {
				got = page.FieldByName("Items").Interface()
			}
			return got, err
		})
		other := play(t, lines, func(ctx context.Context, c *rpcfleet.Client) (any, error) { return do(ctx, c, w.request) })
		require.NotEmpty(t, one.requests, name)
		assert.Equal(t, one, other, name)
		assert.True(t, one.failure != nil || !strings.HasPrefix(name, "status "), "%s is no failure", name)
	}
}

// played is the outcome of a call.
type played struct {
	requests []scriptnet.Request
	result   any
	failure  any
	op       rpcfleet.Operation
	response string
}

// play executes a call against a server with a script.
func play(t *testing.T, lines []http.HandlerFunc, call func(context.Context, *rpcfleet.Client) (any, error)) (
	p played) {
	t.Helper()
	server := scriptnet.Serve(t, lines...)
	client := must(rpcfleet.New(
		rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey("made-up-key-0001"),
		rpcfleet.WithBearerToken("made-up-token-0001"),
		rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 3, Budget: -1}),
		rpcfleet.WithCallHook(func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
			p.op = op
			return ctx, func(r rpcfleet.CallResult) {
				p.response = fmt.Sprint(r.Response.StatusCode, r.Response.Attempts, len(r.Response.Body()), r.Response.NoRecord,
					r.Response.RequestID, r.Response.RateLimit)
			}
		}),
	))(t)
	result, err := call(t.Context(), client)
	if err == nil {
		p.result = result
	}
	p.failure = described(t, err)
	for _, r := range server.Requests() {
		query := must(url.ParseQuery(r.Query))(t)
		r.At, r.Query = time.Time{}, query.Encode() // The order of a query means nothing.
		p.requests = append(p.requests, r)
	}
	return p
}

// described is the content of an error except its cause, which contains addresses.
func described(t *testing.T, err error) any {
	t.Helper()
	var failure *rpcfleet.Error
	var unreadable *rpcfleet.DecodeError
	executed := errors.Is(err, rpcfleet.ErrNoRecord)
	switch {
	case errors.As(err, &failure):
		return []any{
			failure.Operation, failure.Method, failure.Path, failure.StatusCode, failure.Message, failure.RequestID,
			failure.RetryAfter, failure.Attempts, errors.Is(err, rpcfleet.ErrConnection), errors.Is(err, rpcfleet.ErrNotFound),
			errors.Is(err, rpcfleet.ErrRejected), errors.As(err, &unreadable),
		}
	case errors.As(err, &unreadable):
		return []any{
			unreadable.Operation, unreadable.Method, unreadable.Path, unreadable.StatusCode, unreadable.Reason,
			unreadable.ContentType, unreadable.RequestID, unreadable.Attempts, executed,
		}
	}
	require.NoError(t, err, "an error of an undocumented type")
	return nil
}

// doing executes a request with Do and returns the result that the method of its operation returns.
type doing func(context.Context, *rpcfleet.Client, rpcfleet.Request, ...rpcfleet.CallOption) (any, error)

// as makes the result of the method from the response, unchanged.
func as[T any](ctx context.Context, c *rpcfleet.Client, r rpcfleet.Request, opts ...rpcfleet.CallOption) (any, error) {
	made, err := rpcfleet.Do[T](ctx, c, r, opts...)
	return made, err
}

// of makes the result of the method from the record in the response.
func of[T any](turn func(T) any) doing {
	return func(ctx context.Context, c *rpcfleet.Client, r rpcfleet.Request, opts ...rpcfleet.CallOption) (any, error) {
		made, err := rpcfleet.Do[T](ctx, c, r, opts...)
		if err != nil {
			return nil, err
		}
		return turn(made), nil
	}
}

// happened is for the operations that only report success, which are all that payloads does not contain.
func happened(ctx context.Context, c *rpcfleet.Client, r rpcfleet.Request, opts ...rpcfleet.CallOption) (any, error) {
	return nil, second(rpcfleet.Do[struct{}](ctx, c, r, opts...))
}

func securityOptions(rows []api.SecurityOption) any {
	options := map[admin.SecurityOptionName]bool{}
	for _, row := range rows {
		options[row.Option] = row.Status == admin.SwitchEnabled
	}
	return options
}

// payloads are the operations with methods that return a value.
var payloads = map[string]doing{
	"getAccountInfo": as[*admin.AccountInfo],
	"listInvoices":   of(func(l api.InvoiceList) any { return l.Invoices }),
	"listPayments":   of(func(l api.PaymentList) any { return l.Payments }),
	"listChains":     as[[]admin.ListedChain],
	"listAPICredits": as[[]admin.APICredit],

	"listEndpoints":         as[[]admin.Endpoint],
	"getEndpoint":           as[*admin.Endpoint],
	"getEndpointURLs":       as[*admin.EndpointURLs],
	"createEndpoint":        as[*admin.Endpoint],
	"bulkSetEndpointStatus": of(bulkOutcome),
	"bulkRemoveEndpointTag": of(bulkOutcome),
	"bulkAddEndpointTag": of(func(r api.BulkTagResult) any {
		return &rpcfleet.BulkOutcome{Results: r.Results, Total: r.Total, UpdatedCount: r.UpdatedCount,
			FailedCount: r.FailedCount, Tag: r.Tag}
	}),
	"listTags":  of(func(l api.TagList) any { return l.Tags }),
	"renameTag": as[*admin.Tag],

	"getRateLimits":         of(rateLimits),
	"updateRateLimits":      of(updatedRateLimits),
	"replaceRateLimits":     of(updatedRateLimits),
	"listMethodRateLimits":  of(func(l api.MethodRateLimitList) any { return l.RateLimiters }),
	"createMethodRateLimit": as[*admin.MethodRateLimit],
	"updateMethodRateLimit": as[*admin.MethodRateLimit],

	"listLogs":           as[[]admin.LogEntry],
	"getEndpointMetrics": as[[]admin.EndpointMetric],
	"getAccountMetrics":  as[[]admin.EndpointMetric],
	"getLogDetails":      as[*admin.LogDetails],
	"exportPrometheus":   as[[]byte],
	"getUsage":           as[*admin.UsageTotal],
	"getUsageByTag":      as[*admin.UsageByTag],
	"getUsageByEndpoint": as[*admin.UsageByEndpoint],
	"getUsageByMethod":   as[*admin.UsageByMethod],
	"getUsageByChain":    as[*admin.UsageByChain],

	"listTeams":           as[[]admin.Team],
	"createTeam":          as[*admin.Team],
	"getTeam":             as[*admin.Team],
	"listTeamEndpoints":   as[[]admin.TeamEndpoint],
	"inviteTeamMember":    as[*admin.TeamUser],
	"getToolingAccess":    as[*admin.ToolingAccess],
	"updateToolingAccess": as[*admin.ToolingAccess],
	"createToolingToken":  as[*admin.ToolingToken],

	"getEndpointSecurity":   as[*admin.EndpointSecurity],
	"getSecurityOptions":    of(securityOptions),
	"updateSecurityOptions": of(securityOptions),
	"addReferrer":           as[*admin.EndpointReferrer],
	"addIP":                 as[*admin.EndpointIP],
	"addDomainMask":         as[*admin.EndpointDomainMask],
	"addJWT":                as[*admin.EndpointJWT],
	"createToken":           as[*admin.EndpointToken],
	"addRequestFilter": of(func(f admin.RequestFilter) any {
		f.Methods = []string{"eth_getLogs"} // The sent ones.
		return &f
	}),
	"setIPCustomHeader": as[*admin.IPCustomHeaderSetting],

	"listDestinations":       as[[]alerts.Destination],
	"getDestination":         as[*alerts.Destination],
	"createDestination":      as[*alerts.Destination],
	"listNotifications":      as[[]alerts.Notification],
	"getNotification":        as[*alerts.Notification],
	"createNotification":     as[*alerts.Notification],
	"updateNotification":     as[*alerts.Notification],
	"listNotificationEvents": as[[]alerts.NotificationEvent],
	"backtestExpression":     of(func(r api.BacktestResult) any { return r.ExpressionResult }),

	"listWebhooks":              as[[]webhooks.Webhook],
	"getWebhook":                as[*webhooks.Webhook],
	"createWebhook":             as[*webhooks.Webhook],
	"createWebhookFromTemplate": as[*webhooks.Webhook],
	"updateWebhook":             as[*webhooks.Webhook],
	"updateWebhookTemplate":     as[*webhooks.Webhook],
	"countEnabledWebhooks":      of(func(c api.WebhookCount) any { return c.Total }),
	"testWebhookFilter":         as[*webhooks.FilterResult],
	"listValues":                as[[]keyvalue.Entry],
	"getValue":                  of(func(e keyvalue.Entry) any { return e.Value }),
	"listLists":                 of(func(l api.KeyList) any { return l.Keys }),
	"listItems":                 of(func(l api.ItemList) any { return l.Items }),
	"containsItem":              of(func(c api.ItemContained) any { return c.Exists }),
	"listStreams":               as[[]streams.Stream],
	"getStream":                 as[*streams.Stream],
	"createStream":              as[*streams.Stream],
	"updateStream":              as[*streams.Stream],
	"countEnabledStreams":       of(func(c api.StreamCount) any { return c.Total }),
	"testStreamFilter":          as[*streams.FilterResult],
}

func bulkOutcome(r api.BulkResult) any {
	return &rpcfleet.BulkOutcome{Results: r.Results, Total: r.Total, UpdatedCount: r.UpdatedCount,
		FailedCount: r.FailedCount}
}

func rateLimits(rows api.RateLimitRows) any {
	var limits rpcfleet.RateLimits
	for _, row := range rows.RateLimits {
		limit := rpcfleet.RateLimit{Bucket: row.Bucket, Requests: row.RateLimit, Source: row.Source}
		if *row.RateLimit == -1 {
			limit.Requests, limit.Unlimited = nil, true
		}
		if limit.Source == admin.RateLimitSourceUserOverride {
			limit.OverrideID = row.ID
		}
		limits = append(limits, limit)
	}
	return limits
}

func updatedRateLimits(updated api.UpdatedRateLimits) any {
	return rpcfleet.RateLimitsOf(&admin.EndpointRateLimits{
		RPS: updated.Limits.RPS, RPM: updated.Limits.RPM, RPD: updated.Limits.RPD,
	})
}
