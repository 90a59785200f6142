package clienttest

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// ask calls a method with the arguments of the test.
type ask func(a callArgs) error

// callArgs is the context, the client and the options of a call.
type callArgs struct {
	context.Context
	*rpcfleet.Client
	opts []rpcfleet.CallOption
}

// rule is a rule of the contract about an argument of an operation.
type rule struct {
	operation, field string
	// rule is part of the error's text.
	rule string
	// breaks breaks this rule and no other; keeps is as near to it as the rule allows.
	breaks, keeps ask
}

// TestRules_ofSeveralArguments checks the rules that are not generated, and one of the generated rules: package api
// tests them all. A value that breaks a rule is refused with its name, and nothing is sent, unless WithoutValidation
// leaves it to the service. A value on the rule's boundary is sent.
func TestRules_ofSeveralArguments(t *testing.T) {
	list := func(params admin.ListEndpointsParams) ask {
		return func(a callArgs) error { return errOf(a.Endpoints.List(a, params, a.opts...)) }
	}
	team := func(name string) ask {
		return func(a callArgs) error { return errOf(a.Teams.Create(a, name, a.opts...)) }
	}
	log := func(from, to time.Time) ask {
		return func(a callArgs) error {
			return errOf(
				a.Logs.List(a, "ep1", admin.ListLogsParams{From: from, To: to}, a.opts...))
		}
	}
	destination := func(url string) ask {
		return func(a callArgs) error {
			return errOf(a.Destinations.Create(a, alerts.CreateDestinationRequest{
				Name: "n", ToURL: scalar.NewSecretURL(url), WebhookType: "POST", Service: "webhook", PayloadType: 1,
			}, a.opts...))
		}
	}
	const isRequired, isDocumented = "is required", "must be one of the documented values"
	const isAbsolute, excludes = "must be an absolute http or https URL", "and tag_labels exclude each other"
	rules := []rule{
		{"createTeam", "name", "must have at least 4 characters", team("üüü"), team("üüüü")},
		{"listEndpoints", "tag_ids", excludes, list(admin.ListEndpointsParams{TagIDs: []int64{1}, TagLabels: []string{"a"}}),
			list(admin.ListEndpointsParams{TagIDs: []int64{1}, TagLabels: []string{}})},
		{"listLogs", "from", isRequired, log(time.Time{}, logStart), log(logStart, logStart.Add(1))},
		{"listLogs", "from", "must not be after to", log(logStart, logStart.Add(-1)), log(logStart, logStart)},
		{"createDestination", "to_url", isRequired, destination(""), destination("http://h")},
		{"createDestination", "to_url", isAbsolute, destination("/a"), destination("http://h/a")},
		{"createDestination", "to_url", isAbsolute, destination("ftp://hooks.example"), destination("https://hooks.example")},
		{"createDestination", "to_url", isAbsolute, destination("https://:80/a"), destination("https://h:80/a")},
		{"createDestination", "to_url", isAbsolute, destination("https://a b/%"), destination("https://a/%25")},
	}
	idle, unused := scripted(t)
	for _, opts := range [][]rpcfleet.CallOption{nil, {rpcfleet.WithoutValidation()}} { // No option turns it off.
		err := destination("https://hooks.example/[redacted]")(callArgs{t.Context(), idle, opts})
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
		require.ErrorContains(t, err, "to_url")
		require.ErrorContains(t, err, "was redacted; encode with scalar.WithSecrets")
	}
	require.Empty(t, unused.Requests())
	for operation, naming := range naming {
		missing := isRequired
		if operation == "updateNotification" { // An empty network is given there.
			missing = isDocumented
		}
		rules = append(rules,
			rule{operation, "network", missing, naming(""), naming("doge-mainnet")},
			rule{operation, "network", isDocumented, naming("etherium-mainnet"), naming("ethereum-mainnet")})
	}
	for operation, usage := range usages {
		within := func(end int64) ask {
			return func(a callArgs) error {
				return usage(a, admin.GetUsageParams{StartTime: time.Unix(7, 0), EndTime: time.Unix(end, 0)})
			}
		}
		rules = append(rules, rule{operation, "start_time", "must not be after end_time", within(6), within(7)})
	}
	for _, want := range rules {
		t.Run(want.operation+" "+want.field+" "+want.rule, func(t *testing.T) {
			client, server := scripted(t, respondJSON(200, `{"data":{}}`))
			invalid := errorAs[*rpcfleet.ValidationError](t, want.breaks(callArgs{t.Context(), client, nil}))
			assert.Equal(t, want.operation, invalid.Operation)
			assert.Equal(t, want.field, invalid.Field)
			assert.Contains(t, invalid.Rule, want.rule)
			assert.Contains(t, invalid.Error(), want.field)
			require.Empty(t, server.Requests(), "nothing is sent")
			for i, call := range []ask{want.keeps, want.breaks} {
				opts := []rpcfleet.CallOption{rpcfleet.WithoutValidation()}[:i]
				err := call(callArgs{t.Context(), client, opts})
				require.False(t, errors.As(err, &invalid), "refused: %v", err)
				require.Len(t, server.Requests(), i+1, "%v", err)
			}
		})
	}
	client, server := scripted(t, respondJSON(200, `{"data":[]}`))
	ids, err := walk(t, client, admin.ListEndpointsParams{SortBy: new(admin.EndpointSort("beauty"))})
	require.ErrorAs(t, err, new(*rpcfleet.ValidationError), "an iteration reports it once")
	assert.Empty(t, ids)
	assert.Empty(t, server.Requests())
}

// naming are the operations that name a network.
var naming = map[string]func(alerts.AlertNetwork) ask{
	"createNotification": func(network alerts.AlertNetwork) ask {
		return func(a callArgs) error {
			return errOf(a.Notifications.Create(a, alerts.CreateNotificationRequest{
				Name: "n", Expression: "e", Network: network, DestinationIDs: []string{},
			}, a.opts...))
		}
	},
	"updateNotification": func(network alerts.AlertNetwork) ask {
		return func(a callArgs) error {
			return errOf(a.Notifications.Update(a, "n1", alerts.UpdateNotificationRequest{Network: &network}, a.opts...))
		}
	},
	"validateExpression": func(network alerts.AlertNetwork) ask {
		return func(a callArgs) error {
			return a.Expressions.Validate(a, alerts.ValidateExpressionRequest{Expression: "e", Network: network}, a.opts...)
		}
	},
	"backtestExpression": func(network alerts.AlertNetwork) ask {
		return func(a callArgs) error {
			trial := alerts.BacktestExpressionRequest{Expression: "e", Network: network, BacktestCount: 1}
			return errOf(a.Expressions.Backtest(a, trial, a.opts...))
		}
	},
}

// usages are the five operations of usage.
var usages = map[string]func(callArgs, admin.GetUsageParams) error{
	"getUsage": func(a callArgs, within admin.GetUsageParams) error { return errOf(a.Usage.Total(a, within, a.opts...)) },
	"getUsageByTag": func(a callArgs, within admin.GetUsageParams) error {
		return errOf(a.Usage.ByTag(a, within, a.opts...))
	},
	"getUsageByEndpoint": func(a callArgs, within admin.GetUsageParams) error {
		return errOf(a.Usage.ByEndpoint(a, within, a.opts...))
	},
	"getUsageByMethod": func(a callArgs, within admin.GetUsageParams) error {
		return errOf(a.Usage.ByMethod(a, within, a.opts...))
	},
	"getUsageByChain": func(a callArgs, within admin.GetUsageParams) error {
		return errOf(a.Usage.ByChain(a, within, a.opts...))
	},
}

func TestCall_refusesIDOfFixedPath(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{"data":{}}`))
	_, err := client.Endpoints.Get(t.Context(), "tags")
	require.EqualError(t, err, `rpcfleet: getEndpoint: id must not be a fixed part of another path, not "tags"`)
	err = client.Endpoints.AddTag(t.Context(), "bulk", "prod")
	require.EqualError(t, err,
		`rpcfleet: addEndpointTag: id must not be a fixed part of another path, not "bulk"`)
	assert.Empty(t, server.Requests())
}

// TestCall_refusesIDsThatChangePath gives every method texts that no escaping keeps in their place in a path.
// Nothing is sent with one of them there, with any options.
func TestCall_refusesIDsThatChangePath(t *testing.T) {
	_, server := scripted(t, respondJSON(404, `{"data":null,"error":"no"}`))
	client := server.client(t,
		rpcfleet.WithHTTPClient(&http.Client{Transport: tripper(func(r *http.Request) (*http.Response, error) {
			for part := range strings.SplitSeq(r.URL.EscapedPath()[1:], "/") {
				assert.NotContains(t, []string{"", ".", ".."}, part, r.URL)
			}
			return http.DefaultTransport.RoundTrip(r)
		})}))
	refused := 0
	services := reflect.ValueOf(client).Elem()
	for field := range services.Type().Fields() {
		if !field.IsExported() {
			continue
		}
		for _, method := range services.FieldByIndex(field.Index).Methods() {
			if !slices.Contains(slices.Collect(method.Type().Ins()), reflect.TypeFor[string]()) {
				continue
			}
			for _, word := range []string{"", ".", ".."} {
				err := callWithAnything(t, method, word, rpcfleet.WithoutValidation())
				var invalid *rpcfleet.ValidationError
				if errors.As(err, &invalid) && strings.HasPrefix(invalid.Rule, "must not be") {
					refused++
				}
			}
		}
	}
	assert.Greater(t, refused, 120)
}
