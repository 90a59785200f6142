package acceptance

import (
	"context"
	"encoding/json"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/streams"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

func TestStreams_createUpdateDelete(t *testing.T) {
	b, ctx := start(t), t.Context()
	const far = int64(math.MaxInt64)
	for i, destination := range everyDestination {
		request := aStream("https://hooks.example/1")
		request.Target, request.Region = streams.To(destination), streams.Region("").Values()[i%3]
		request.StartRange, request.EndRange = new(far-10), new(far)
		created := must(b.Streams.Create(ctx, request))(t)
		assert.Equal(t, destination, created.Destination())
		assert.Equal(t, new(far-10), created.StartRange, "to the last digit")
		assert.Equal(t, request.AddressBookConfig, created.AddressBookConfig)
		assert.Equal(t, request.ExtraDestinations, created.ExtraDestinations)
		assert.Equal(t, created, must(b.Streams.Get(ctx, created.ID))(t))

		changed := must(b.Streams.Update(ctx, created.ID, streams.UpdateStreamRequest{Target: created.Target}))(t)
		assert.Equal(t, created.Target, changed.Target, "it is written back unchanged")
		changed = must(b.Streams.Update(ctx, created.ID, streams.UpdateStreamRequest{
			Name: new("Renamed"), FilterFunction: new(streams.Filter("return null")), FilterLanguage: new(streams.LanguageGo),
			AddressBookConfig: &request.AddressBookConfig, StartRange: new(int64(1)), EndRange: new(int64(-1)),
			DatasetBatchSize: new(2), ElasticBatchEnabled: new(true), RestreamBatchOnReorg: new(false), FixBlockReorgs: new(0),
			KeepDistanceFromTip: new(0), IncludeStreamMetadata: new(streams.MetadataNone), NotificationEmail: new(""),
			Status: new(streams.StatusPaused), ExtraDestinations: []streams.Target{},
		}))(t)
		assert.Equal(t, "Renamed", changed.Name)
		assert.True(t, changed.ElasticBatchEnabled)
		assert.False(t, changed.RestreamBatchOnReorg)
		assert.Empty(t, changed.ExtraDestinations)
		assert.Equal(t, new(int64(-1)), changed.EndRange)
		assert.Equal(t, destination, changed.Destination(), "nil changes nothing")
	}
	odd := streams.Target{Kind: "postgres", Attributes: attributes(`{"port":"5432"}`)}
	assert.Equal(t, streams.Other{Name: "postgres", Attributes: odd.Attributes}, odd.Destination(), "of another type")
	assert.Nil(t, streams.Target{}.Destination())
	var redacted streams.Target
	require.NoError(t, json.Unmarshal(must(json.Marshal(streams.To(everyDestination[1])))(t), &redacted))
	err := second(b.Streams.Update(ctx, "s-1", streams.UpdateStreamRequest{Target: redacted}, rpcfleet.WithoutValidation()))
	require.ErrorContains(t, err, "was redacted", "the placeholders are never sent")
	for _, status := range []streams.Status{streams.StatusCompleted, streams.StatusTerminated, streams.StatusBlocked,
		streams.StatusActive} {
		request := aStream("https://hooks.example/1")
		request.Status = status
		err := second(b.Streams.Create(ctx, request))
		assert.Equal(t, status == streams.StatusActive, err == nil, "%v", err)
	}
	assert.Equal(t, 1, must(b.Streams.CountEnabled(ctx, streams.CountEnabledStreamsParams{Type: new("any")}))(t))
	list := must(b.Streams.List(ctx, streams.ListStreamsParams{
		Limit: new(3), Offset: new(1), Type: new("any"), OrderBy: new("created_at"), OrderDirection: new("desc")}))(t)
	assert.Equal(t, 7, list.Total)
	assert.Equal(t, "Renamed", list.Items[0].Name)
	id := list.Items[0].ID
	require.NoError(t, b.Streams.Activate(ctx, id))
	require.NoError(t, b.Streams.Pause(ctx, id))
	require.NoError(t, b.Streams.Delete(ctx, id))
	for _, err := range []error{
		b.Streams.Delete(ctx, id), b.Streams.Activate(ctx, id), second(b.Streams.Get(ctx, id)),
		second(b.Streams.WaitFor(ctx, id, streams.StatusActive, nil)),
	} {
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	}
	for field, change := range map[string]func(*streams.CreateStreamRequest){
		"network":     func(r *streams.CreateStreamRequest) { r.Network = "" },
		"destination": func(r *streams.CreateStreamRequest) { r.Target = streams.Target{} },
		"destination_attributes": func(r *streams.CreateStreamRequest) {
			r.Target = streams.To(streams.Other{Name: "newer"})
		},
		"destination_attributes.url": func(r *streams.CreateStreamRequest) {
			r.Target = streams.To(aTarget("hooks.example"))
		},
		"extra_destinations[0].destination_attributes.password": func(r *streams.CreateStreamRequest) {
			r.ExtraDestinations[0] = streams.To(streams.Postgres{Host: "h", Database: "d"})
		},
	} {
		request := aStream("https://hooks.example/1")
		change(&request)
		var invalid *rpcfleet.ValidationError
		require.ErrorAs(t, second(b.Streams.Create(ctx, request)), &invalid, field)
		assert.Equal(t, field, invalid.Field)
		if field != "network" && field != "destination" {
			update := streams.UpdateStreamRequest{Target: request.Target, ExtraDestinations: request.ExtraDestinations}
			require.ErrorAs(t, second(b.Streams.Update(ctx, id, update)), &invalid)
			assert.Equal(t, field, invalid.Field)
		}
	}
}

// TestSecurityToken_staysUnlessAsked updates destinations without their security token.
func TestSecurityToken_staysUnlessAsked(t *testing.T) {
	b, ctx := start(t), t.Context()
	hook := must(b.Webhooks.Create(ctx, aWebhook("https://hooks.example/1")))(t)
	require.NoError(t, b.Webhooks.Pause(ctx, hook.ID))
	stream := must(b.Streams.Create(ctx, aStream("https://hooks.example/1")))(t)
	before := stream.Destination().(streams.Webhook)
	moved := before
	moved.URL, moved.SecurityToken = scalar.NewSecretURL("https://hooks.example/2"), scalar.Secret{}
	target := streams.To(moved)
	target.Attributes.Add("newer", `{"a":1}`)
	bare := webhooks.Destination{URL: moved.URL, Compression: webhooks.CompressionNone}
	update := func(opts ...rpcfleet.CallOption) (*webhooks.Webhook, streams.Webhook) {
		of := must(b.Webhooks.Update(ctx, hook.ID, webhooks.UpdateWebhookRequest{Destination: &bare}, opts...))(t)
		changed := must(b.Streams.Update(ctx, stream.ID, streams.UpdateStreamRequest{Target: target}, opts...))(t)
		newer, _ := changed.Attributes.Get("newer")
		assert.JSONEq(t, `{"a":1}`, string(newer), "an unknown attribute is sent too")
		return of, changed.Destination().(streams.Webhook)
	}
	of, to := update()
	assert.Equal(t, hook.Destination.SecurityToken, of.Destination.SecurityToken)
	assert.Equal(t, before.SecurityToken, to.SecurityToken)
	assert.Equal(t, moved.URL, to.URL)
	assert.True(t, bare.SecurityToken.IsZero(), "the caller's record is not changed")
	_, shown := target.Attributes.Get("security_token")
	assert.False(t, shown)
	of, to = update(rpcfleet.WithNewSecurityToken())
	assert.NotEqual(t, hook.Destination.SecurityToken, of.Destination.SecurityToken)
	assert.NotEqual(t, before.SecurityToken, to.SecurityToken)

	for operation, pointer := range map[string]string{
		"getWebhook": "/destination_attributes/security_token", "getStream": "/destination_attributes/security_token"} {
		must(b.Inject(emulator.Fault{Operation: operation, Effect: emulator.EffectRemoveField, Pointer: pointer}))(t)
	}
	b.ResetCalls()
	for _, err := range []error{
		second(b.Webhooks.Update(ctx, hook.ID, webhooks.UpdateWebhookRequest{Destination: &bare})),
		second(b.Streams.Update(ctx, stream.ID, streams.UpdateStreamRequest{Target: target})),
	} {
		var invalid *rpcfleet.ValidationError
		require.ErrorAs(t, err, &invalid)
		assert.Equal(t, "destination_attributes.security_token", invalid.Field)
	}
	assert.Empty(t, b.Calls("updateWebhook", "updateStream"), "an update would replace the token")
}

func TestTestFilter_returnsResultAndLog(t *testing.T) {
	b, ctx := start(t), t.Context()
	for filter, want := range map[string]string{aFilter: `{"network":`, "console.log(7); return null": "null",
		"throw 1": ""} {
		hook, err := b.Webhooks.TestFilter(ctx,
			webhooks.FilterTest{Network: "ethereum-mainnet", Block: "7", FilterFunction: webhooks.Filter(filter)})
		stream, second := b.Streams.TestFilter(ctx, streams.FilterTest{
			Network: streams.NetworkEthereumMainnet, Dataset: streams.DatasetLogs, Block: "7",
			FilterLanguage: streams.LanguageJavascript,
			FilterFunction: streams.Filter(filter), AddressBookConfig: aStream("https://h.example").AddressBookConfig,
		})
		if want == "" {
			require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
			require.ErrorIs(t, second, rpcfleet.ErrInvalidRequest)
			continue
		}
		require.NoError(t, err)
		require.NoError(t, second)
		assert.JSONEq(t, `{"level":"info","message":7}`, string(hook.Logs[0]))
		assert.Equal(t, hook.Logs, stream.Logs)
		assert.Equal(t, hook.Result, stream.Result)
		if want != "null" {
			assert.Contains(t, string(hook.Result), want)
		}
	}
	must(b.Inject(emulator.Fault{Operation: "testWebhookFilter", Status: 201,
		Body: `{"filtered_data":{"a":1},"block":"7","network":"ethereum-mainnet"}`}))(t)
	other := must(b.plainClient(t).Webhooks.TestFilter(ctx,
		webhooks.FilterTest{Network: "ethereum-mainnet", Block: "7", FilterFunction: aFilter}))(t)
	assert.JSONEq(t, `{"a":1}`, string(other.Result), "by its other name")
	assert.Nil(t, other.FilteredData)
}

// TestPlatform_createsOnce loses the response of a create. The tests of the client have every other create.
func TestPlatform_createsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, client := inMemory(t)
		must(e.Inject(emulator.Fault{Operation: "createWebhook", Effect: emulator.EffectLoseResponse}))(t)
		hook := must(client.Webhooks.Create(t.Context(), aWebhook("https://hooks.example/1"), rpcfleet.WithCreateOnce()))(t)
		assert.Equal(t, webhooks.Filter(aFilter), hook.FilterFunction, "the whole record, which no list has")
		assert.Len(t, e.Calls("createWebhook"), 1)
		require.NoError(t, client.KeyValue.CreateList(t.Context(), "l", nil, rpcfleet.WithCreateOnce()))
	})
}

// inMemory starts an emulator without a socket, for a bubble.
func inMemory(t *testing.T) (*emulator.Emulator, *rpcfleet.Client) {
	e := emulator.New()
	t.Cleanup(e.Close)
	return e, must(rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithAPIKey(e.APIKey),
		rpcfleet.WithHTTPClient(e.Client())))(t)
}

// TestStreams_waitForReportsProgress waits in a bubble, in which five seconds pass when nothing else happens.
func TestStreams_waitForReportsProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, client := inMemory(t)
		request := aStream("https://hooks.example/1")
		request.Target = streams.To(streams.Other{Name: "newer", Attributes: attributes(`{"a":1}`)}) // It needs no receiver.
		request.Status = streams.StatusActive
		stream := must(client.Streams.Create(t.Context(), request))(t)
		var seen []int64
		began := time.Now()
		got, err := client.Streams.WaitFor(t.Context(), stream.ID, streams.StatusCompleted, func(now *streams.Stream) {
			done, _, _ := now.Progress()
			seen = append(seen, done)
			must(e.DeliverBlocks(t.Context(), "ethereum-mainnet", 15+done))(t)
		})
		require.NoError(t, err)
		assert.Equal(t, streams.StatusCompleted, got.Status)
		assert.Equal(t, []int64{0, 5, 10, 15}, seen)
		assert.Equal(t, 15*time.Second, time.Since(began).Truncate(time.Second))
		ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
		defer cancel()
		request.Status = streams.StatusPaused
		paused := must(client.Streams.Create(t.Context(), request))(t)
		last, err := client.Streams.WaitFor(ctx, paused.ID, streams.StatusActive, nil)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, streams.StatusPaused, last.Status)
	})
}

func TestStreams_progressIsKnownOfWholeRanges(t *testing.T) {
	number := func(n int64) *int64 { return &n }
	for _, test := range []struct {
		start, end, at *int64
		done, total    int64
		ok             bool
	}{
		{number(0), number(9), nil, 0, 10, true}, {number(0), number(9), number(0), 1, 10, true},
		{number(5), number(9), number(4), 0, 5, true}, {number(5), number(9), number(99), 5, 5, true},
		{number(1), number(math.MaxInt64), number(math.MaxInt64), math.MaxInt64, math.MaxInt64, true},
		{number(0), number(math.MaxInt64), number(7), 0, 0, false}, {nil, number(9), number(7), 0, 0, false},
		{number(-1), number(9), nil, 0, 0, false}, {number(0), number(-1), nil, 0, 0, false},
		{number(0), nil, nil, 0, 0, false},
	} {
		done, total, ok := streams.Stream{StartRange: test.start, EndRange: test.end, Sequence: test.at}.Progress()
		assert.Equal(t, []any{test.done, test.total, test.ok}, []any{done, total, ok})
	}
}
