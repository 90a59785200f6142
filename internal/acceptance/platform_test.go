package acceptance

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/keyvalue"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/streams"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// TestPlatform_failureBodiesAreRead reads the forms of failures that were seen. The code in a body of the key-value
// area does not depend on the status.
func TestPlatform_failureBodiesAreRead(t *testing.T) {
	b, ctx := emulator.Start(), t.Context()
	defer b.Close()
	client := must(rpcfleet.New(rpcfleet.WithBaseURL(b.URL), rpcfleet.WithAPIKey(b.APIKey)))(t)
	for body, message := range map[string]string{
		`{"statusCode":400,"message":"network is wrong","error":"Bad Request"}`:                 "network is wrong",
		`{"statusCode":400,"message":["one","two"],"error":"Bad Request"}`:                      "one; two",
		`{"statusCode":400,"message":{"message":["inside"],"error":"x"},"error":"Bad Request"}`: "inside",
		`{"code":400,"msg":"key is wrong","data":null,"cursor":""}`:                             "key is wrong",
		`{"code":400,"message":"too many items","data":null}`:                                   "too many items",
	} {
		statuses := []int{400, 200}
		if strings.HasPrefix(body, `{"statusCode"`) {
			statuses = statuses[:1]
		}
		for _, status := range statuses {
			must(b.Inject(emulator.Fault{Status: status, Body: body}))(t)
			for _, err := range []error{second(client.KeyValue.Get(ctx, "tip")), client.KeyValue.Put(ctx, "tip", "1")} {
				var failure *rpcfleet.Error
				require.ErrorAs(t, err, &failure, body)
				assert.Equal(t, message, failure.Message)
			}
			b.RemoveFaults()
		}
	}
}

// TestPlatform_emptyIDsDeleteNothing checks that an id that is empty, or leads elsewhere, never reaches the route that
// deletes all.
func TestPlatform_emptyIDsDeleteNothing(t *testing.T) {
	b, ctx := start(t), t.Context()
	require.NoError(t, second(b.Webhooks.Create(ctx, aWebhook("https://hooks.example/"))))
	require.NoError(t, second(b.Streams.Create(ctx, aStream("https://hooks.example/"))))
	b.ResetCalls()
	for _, id := range []string{"", ".", "..", "enabled_count"} {
		require.ErrorIs(t, b.Webhooks.Delete(ctx, id, rpcfleet.WithoutValidation()), rpcfleet.ErrInvalidRequest, id)
		require.ErrorIs(t, b.Streams.Delete(ctx, id, rpcfleet.WithoutValidation()), rpcfleet.ErrInvalidRequest, id)
	}
	assert.Empty(t, b.Calls())
	require.NoError(t, b.Webhooks.DeleteAll(ctx))
	require.NoError(t, b.Streams.DeleteAll(ctx))
	assert.Empty(t, must(all(b.Webhooks.All(ctx, webhooks.ListWebhooksParams{})))(t))
	assert.Empty(t, must(all(b.Streams.All(ctx, streams.ListStreamsParams{})))(t))
}

func TestWebhooks_createUpdateDelete(t *testing.T) {
	b, ctx := start(t), t.Context()
	for _, status := range webhooks.Status("").Values() {
		for _, compression := range webhooks.Compression("").Values() {
			request := aWebhook("https://hooks.example/1")
			request.Status, request.Destination.Compression, request.Destination.SecurityToken = status, compression,
				scalar.Secret{}
			created, err := b.Webhooks.Create(ctx, request)
			if status == webhooks.StatusTerminated {
				require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
				continue
			}
			require.NoError(t, err)
			assert.True(t, strings.HasPrefix(created.Destination.SecurityToken.Reveal(), "qnsec_"), "the service makes one")
			request.Destination.SecurityToken = created.Destination.SecurityToken
			assert.Equal(t, request.Destination, created.Destination)
			assert.Equal(t, created, must(b.Webhooks.Get(ctx, created.ID))(t))
			assert.Nil(t, created.Template())
			if status == webhooks.StatusActive {
				continue
			}
			for _, next := range webhooks.Status("").Values() { // The last one is terminated, not active.
				change := webhooks.UpdateWebhookRequest{
					Name: new("Renamed"), NotificationEmail: new(""), FilterFunction: new(webhooks.Filter("return null")),
					Destination: &webhooks.Destination{URL: scalar.NewSecretURL("https://hooks.example/2"), Compression: compression},
					Status:      &next,
				}
				changed := must(b.Webhooks.Change(ctx, created.ID, change))(t)
				assert.Equal(t, "Renamed", changed.Name)
				assert.Equal(t, next, changed.Status)
				assert.Equal(t, webhooks.Filter("return null"), changed.FilterFunction)
				assert.Equal(t, created.Destination.SecurityToken, changed.Destination.SecurityToken)
			}
		}
	}
	assert.Equal(t, 2, must(b.Webhooks.CountEnabled(ctx))(t))
	list := must(b.Webhooks.List(ctx, webhooks.ListWebhooksParams{Limit: new(3), Offset: new(1)}))(t)
	assert.Equal(t, 4, list.Total)
	assert.Len(t, list.Items, 3)
	assert.Empty(t, list.Items[0].FilterFunction, "a list leaves it out")
	id := list.Items[0].ID
	require.NoError(t, b.Webhooks.Delete(ctx, id))
	for _, err := range []error{
		b.Webhooks.Delete(ctx, id), b.Webhooks.Pause(ctx, id), b.Webhooks.Activate(ctx, id, webhooks.StartFromLatest),
		second(b.Webhooks.Change(ctx, id, webhooks.UpdateWebhookRequest{})),
	} {
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	}
	bad := aWebhook("https://hooks.example/1")
	bad.Network = "no-such-network"
	require.ErrorContains(t, second(b.Webhooks.Create(ctx, bad)), "must be one of the following values")
	bad.Destination.URL = scalar.NewSecretURL("ftp://hooks.example/1")
	var invalid *rpcfleet.ValidationError
	require.ErrorAs(t, second(b.Webhooks.Create(ctx, bad)), &invalid)
	assert.Equal(t, "destination_attributes.url", invalid.Field)
	require.NoError(t, b.Webhooks.DeleteAll(ctx))
	assert.Zero(t, must(b.Webhooks.CountEnabled(ctx))(t))
}

// everyTemplate has each template, with its arguments in place and by a list.
var everyTemplate = []webhooks.Template{
	webhooks.EVMWalletFilter{Wallets: []string{aTreasury}}, webhooks.EVMWalletFilter{WalletsListName: "treasury"},
	webhooks.EVMContractEvents{Contracts: []string{aTreasury}, EventHashes: []string{"0x1"}},
	webhooks.EVMContractEvents{ContractsListName: "treasury", EventHashesListName: "hashes"},
	webhooks.EVMABIFilter{ABI: "[]", Contracts: []string{aTreasury}},
	webhooks.EVMABIFilter{ABIJSON: "[]", ContractsListName: "treasury"},
	webhooks.SolanaWalletFilter{Accounts: []string{"a"}}, webhooks.SolanaWalletFilter{AccountsListName: "treasury"},
	webhooks.BitcoinWalletFilter{Wallets: []string{"a"}}, webhooks.BitcoinWalletFilter{WalletsListName: "treasury"},
	webhooks.XRPLWalletFilter{Wallets: []string{"a"}}, webhooks.XRPLWalletFilter{WalletsListName: "treasury"},
	webhooks.HyperliquidWalletEventsFilter{Wallets: []string{"a"}},
	webhooks.StellarSourceAccountFilter{WalletsListName: "treasury"},
	webhooks.OtherTemplate{ID: "xrplWalletFilter", Args: attributes(`{"walletsListName":"treasury"}`)},
}

func TestWebhooks_templatesRoundTrip(t *testing.T) {
	b, ctx := start(t), t.Context()
	request := webhooks.CreateFromTemplateRequest{
		Name: "Wallets", Network: "ethereum-mainnet", NotificationEmail: "ops@example.com",
		Destination: webhooks.Destination{URL: scalar.NewSecretURL("https://hooks.example/1"), Compression: "none"},
	}
	for _, template := range everyTemplate {
		created := must(b.Webhooks.CreateFromTemplate(ctx, template, request))(t)
		id, args := webhooks.Arguments(template)
		assert.Equal(t, id, created.TemplateID)
		lists := 0
		for name, value := range created.TemplateArgs.All() {
			if given, same := args.Get(name); same {
				assert.JSONEq(t, string(given), string(value))
				continue
			}
			var key string // What was given in place has become a list.
			require.NoError(t, json.Unmarshal(value, &key))
			items := must(all(b.KeyValue.AllItems(ctx, key, keyvalue.ListValuesParams{})))(t)
			assert.Len(t, items, 1, "%s: %s", id, name)
			lists++
		}
		if lists == 0 && id != "xrplWalletFilter" {
			assert.Equal(t, template, created.Template())
		}
		require.NoError(t, b.Webhooks.Pause(ctx, created.ID))
		for _, status := range webhooks.Status("").Values() {
			changed := must(b.Webhooks.UpdateTemplate(ctx, created.ID, webhooks.EVMWalletFilter{WalletsListName: "others"},
				webhooks.UpdateTemplateRequest{
					Name: new("Renamed"), NotificationEmail: new("b@example.com"), Status: new(status),
					Destination: &webhooks.Destination{URL: request.Destination.URL, Compression: "gzip"},
				}))(t)
			assert.Equal(t, webhooks.EVMWalletFilter{WalletsListName: "others"}, changed.Template())
			assert.Equal(t, created.Destination.SecurityToken, changed.Destination.SecurityToken)
			if status == webhooks.StatusActive {
				require.NoError(t, b.Webhooks.Pause(ctx, created.ID))
			}
		}
		changed := must(b.Webhooks.ChangeTemplate(ctx, created.ID, webhooks.EVMWalletFilter{WalletsListName: "last"},
			webhooks.UpdateTemplateRequest{Status: new(webhooks.StatusActive)}))(t)
		assert.Equal(t, webhooks.EVMWalletFilter{WalletsListName: "last"}, changed.Template())
	}
	for _, bad := range []struct {
		template webhooks.Template
		invalid  bool
	}{
		{webhooks.OtherTemplate{ID: "noSuchTemplate", Args: attributes(`{"a":"b"}`)}, false},
		{webhooks.OtherTemplate{ID: "evmWalletFilter", Args: attributes(`{"event_hashes":"b"}`)}, false},
		{webhooks.OtherTemplate{ID: "evmWalletFilter"}, true}, {webhooks.EVMWalletFilter{}, true}, {nil, true},
	} {
		for _, err := range []error{
			second(b.Webhooks.CreateFromTemplate(ctx, bad.template, request)),
			second(b.Webhooks.ChangeTemplate(ctx, "w-1", bad.template, webhooks.UpdateTemplateRequest{})),
		} {
			require.Error(t, err)
			assert.Equal(t, bad.invalid, errors.As(err, new(*rpcfleet.ValidationError)), "%v: %v", bad.template, err)
		}
	}
	unknown := webhooks.Webhook{TemplateID: "evmWalletFilter"}
	require.NoError(t, json.Unmarshal([]byte(`{"wallets":7}`), &unknown.TemplateArgs))
	assert.Equal(t, webhooks.OtherTemplate{ID: "evmWalletFilter", Args: attributes(`{"wallets":7}`)}, unknown.Template())
}

// TestWebhooks_changeActivatesAgain changes an active webhook while something goes wrong.
func TestWebhooks_changeActivatesAgain(t *testing.T) {
	name := webhooks.UpdateWebhookRequest{Name: new("Changed")}
	moved := webhooks.UpdateWebhookRequest{Destination: &webhooks.Destination{
		URL: scalar.NewSecretURL("https://hooks.example/2"), Compression: webhooks.CompressionGzip}}
	stop := webhooks.UpdateWebhookRequest{Name: new("Changed"), Status: new(webhooks.StatusPaused)}
	for title, test := range map[string]struct {
		change webhooks.UpdateWebhookRequest
		fault  *emulator.Fault
		want   []error
		status webhooks.Status
		calls  string
	}{
		"nothing":       {name, nil, nil, "active", "get pause update activate"},
		"a new address": {moved, nil, nil, "active", "get pause get update activate"},
		"to be paused":  {stop, nil, nil, "paused", "get pause update"},
		"the update fails": {name, &emulator.Fault{Operation: "updateWebhook", Status: 400},
			[]error{rpcfleet.ErrInvalidRequest}, "active", "get pause update activate"},
		"the update's response is lost": {name, &emulator.Fault{Operation: "updateWebhook",
			Effect: emulator.EffectLoseResponse},
			[]error{rpcfleet.ErrConnection}, "active", "get pause update activate"},
		"the pause's response is lost": {name, &emulator.Fault{Operation: "pauseWebhook",
			Effect: emulator.EffectLoseResponse},
			[]error{rpcfleet.ErrConnection}, "active", "get pause activate"},
		"the pause is refused": {name, &emulator.Fault{Operation: "pauseWebhook", Status: 403},
			[]error{rpcfleet.ErrForbidden}, "active", "get pause"},
		"the activation fails": {name, &emulator.Fault{Operation: "activateWebhook", Status: 403},
			[]error{rpcfleet.ErrStaysPaused, rpcfleet.ErrForbidden}, "paused", "get pause update activate"},
		"both fail": {stop, &emulator.Fault{Operation: "", After: 2, Status: 403},
			[]error{rpcfleet.ErrStaysPaused, rpcfleet.ErrForbidden}, "paused", "get pause update activate"},
		"the context ends": {name, &emulator.Fault{Operation: "updateWebhook", Latency: time.Hour},
			[]error{context.DeadlineExceeded}, "active", ""}, // The update may come last.
		"it is not there": {name, &emulator.Fault{Operation: "getWebhook", Status: 404}, []error{rpcfleet.ErrNotFound},
			"active", "get"},
	} {
		t.Run(title, func(t *testing.T) {
			b, ctx := start(t), t.Context()
			created := must(b.Webhooks.Create(ctx, aWebhook("https://hooks.example/1")))(t)
			b.ResetCalls()
			if test.fault != nil {
				must(b.Inject(*test.fault))(t)
			}
			ending, cancel := ctx, func() {}
			if test.want != nil && test.want[0] == context.DeadlineExceeded {
				ending, cancel = context.WithTimeout(ctx, 200*time.Millisecond)
			}
			defer cancel()
			changed, err := b.Webhooks.Change(ending, created.ID, test.change)
			var calls []string
			for _, called := range b.Calls() {
				calls = append(calls, strings.TrimSuffix(called.Operation, "Webhook"))
			}
			if test.calls != "" {
				assert.Equal(t, test.calls, strings.Join(calls, " "))
			}
			for _, want := range test.want {
				require.ErrorIs(t, err, want)
			}
			b.RemoveFaults()
			now := must(b.Webhooks.Get(ctx, created.ID))(t)
			assert.Equal(t, test.status, now.Status)
			assert.Equal(t, created.Destination.SecurityToken, now.Destination.SecurityToken)
			if test.want == nil {
				require.NoError(t, err)
				assert.Equal(t, now, changed)
			}
		})
	}
}
