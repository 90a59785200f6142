package acceptance

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
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

func TestKeyValue_valuesAndLists(t *testing.T) {
	b, ctx := start(t), t.Context()
	wanted := []keyvalue.Entry{}
	for i := range 7 {
		wanted = append(wanted, keyvalue.Entry{Key: fmt.Sprintf("key.%d", i), Value: fmt.Sprint(i)})
		require.NoError(t, b.KeyValue.Put(ctx, wanted[i].Key, "before"))
		require.NoError(t, b.KeyValue.Put(ctx, wanted[i].Key, wanted[i].Value))
	}
	empty, got := 0, []keyvalue.Entry{}
	for cursor := ""; ; { // Page by page, as some of them are empty.
		page := must(b.KeyValue.List(ctx, keyvalue.ListValuesParams{Limit: new(3), Cursor: &cursor}))(t)
		got = append(got, page.Items...)
		if len(page.Items) == 0 {
			empty++
		}
		if cursor = page.NextCursor; page.Last() {
			break
		}
	}
	assert.Equal(t, 2, empty)
	assert.Equal(t, wanted, got)
	for _, ahead := range []int{0, 1} {
		read := must(all(b.KeyValue.All(ctx, keyvalue.ListValuesParams{Limit: new(2)}, rpcfleet.WithPrefetch(ahead))))(t)
		assert.Len(t, read, 7)
	}
	assert.Equal(t, "3", must(b.KeyValue.Get(ctx, "key.3"))(t))
	require.NoError(t, b.KeyValue.Bulk(ctx, keyvalue.BulkRequest{
		AddSets: map[string]string{"$new": "1"}, DeleteSets: []string{"key.3", "key.4"}}))
	require.ErrorIs(t, second(b.KeyValue.Get(ctx, "key.3")), rpcfleet.ErrNotFound)
	require.NoError(t, b.KeyValue.Delete(ctx, "$new"))
	require.ErrorIs(t, b.KeyValue.Delete(ctx, "$new"), rpcfleet.ErrNotFound)

	require.NoError(t, b.KeyValue.CreateList(ctx, "l", []string{"b", "a", "b"}))
	require.NoError(t, b.KeyValue.CreateList(ctx, "l", []string{"c"}), "it adds")
	require.NoError(t, b.KeyValue.AddItem(ctx, "l", "d/e"))
	require.NoError(t, b.KeyValue.ChangeList(ctx, "l", keyvalue.ListChange{AddItems: []string{"f"},
		RemoveItems: []string{"a"}}))
	assert.Equal(t, delivered{"b", "c", "d/e", "f"}, must(all(b.KeyValue.AllItems(ctx, "l",
		keyvalue.ListValuesParams{Limit: new(1)})))(t))
	assert.True(t, must(b.KeyValue.Contains(ctx, "l", "d/e"))(t))
	require.NoError(t, b.KeyValue.RemoveItem(ctx, "l", "d/e"))
	assert.False(t, must(b.KeyValue.Contains(ctx, "l", "d/e"))(t))
	require.NoError(t, b.KeyValue.CreateList(ctx, "m", nil))
	assert.Equal(t, delivered{"l", "m"}, must(all(b.KeyValue.AllLists(ctx, keyvalue.ListValuesParams{Limit: new(1)})))(t))
	require.NoError(t, b.KeyValue.DeleteList(ctx, "m"))

	assert.Empty(t, must(b.KeyValue.Items(ctx, "no such list", keyvalue.ListValuesParams{}))(t).Items,
		"an unknown list is empty")
	assert.False(t, must(b.KeyValue.Contains(ctx, "no such list", "a"))(t))
	for _, err := range []error{
		b.KeyValue.DeleteList(ctx, "m"), b.KeyValue.AddItem(ctx, "m", "a"), b.KeyValue.RemoveItem(ctx, "m", "a"),
		b.KeyValue.ChangeList(ctx, "m", keyvalue.ListChange{AddItems: []string{"a"}}),
	} {
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	}
	long := strings.Repeat("x", 800_001)
	for _, err := range []error{
		b.KeyValue.Put(ctx, "a/b", "1"), b.KeyValue.Put(ctx, long[:256], "1"), b.KeyValue.Put(ctx, "a", long),
		b.KeyValue.CreateList(ctx, "a", make([]string, 1501)), b.KeyValue.CreateList(ctx, "", nil),
		second(b.KeyValue.List(ctx, keyvalue.ListValuesParams{Cursor: new("of another listing")})),
		second(b.KeyValue.Items(ctx, "l", keyvalue.ListValuesParams{Limit: new(0)})),
		second(b.KeyValue.Lists(ctx, keyvalue.ListValuesParams{}, rpcfleet.WithQueryParam("cursor", "at-1"))),
	} {
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
	}
}

// TestKeyValue_setListMakesItEqual sets a list step by step, and again after a write of it has failed.
func TestKeyValue_setListMakesItEqual(t *testing.T) {
	b, ctx := start(t), t.Context()
	numbers := func(from, to int) (items []string) {
		for i := from; i < to; i++ {
			items = append(items, fmt.Sprintf("0x%040d", i))
		}
		return items
	}
	for _, step := range []struct{ from, to, added, removed, writes int }{
		{0, 0, 0, 0, 0}, {0, 10, 10, 0, 1}, {0, 10, 0, 0, 0}, {5, 12, 2, 5, 1}, {0, 4000, 3993, 0, 3},
		{3000, 5000, 1000, 3000, 3}, {0, 0, 0, 2000, 2},
	} {
		b.ResetCalls()
		twice := slices.Concat(numbers(step.from, step.to), numbers(step.from, step.to))
		done := must(b.KeyValue.SetList(ctx, "treasury", slices.Values(twice)))(t)
		assert.Len(t, done.AddItems, step.added)
		assert.Len(t, done.RemoveItems, step.removed)
		assert.Len(t, b.Calls("putList", "changeList"), step.writes)
		assert.Len(t, must(all(b.KeyValue.AllItems(ctx, "treasury", keyvalue.ListValuesParams{})))(t), step.to-step.from)
	}
	must(b.Inject(emulator.Fault{Operation: "changeList", Times: 1, Effect: emulator.EffectLoseResponse}))(t)
	done, err := b.KeyValue.SetList(ctx, "treasury", slices.Values(numbers(0, 4000)))
	require.ErrorIs(t, err, rpcfleet.ErrConnection)
	assert.Len(t, done.AddItems, 1500, "the second write may have been executed")
	done = must(b.KeyValue.SetList(ctx, "treasury", slices.Values(numbers(0, 4000))))(t)
	assert.Len(t, done.AddItems, 1000)
	b.ResetCalls()
	for _, items := range [][]string{{"a", ""}} {
		require.ErrorIs(t, second(b.KeyValue.SetList(ctx, "treasury", slices.Values(items))), rpcfleet.ErrInvalidRequest)
	}
	require.ErrorIs(t, second(b.KeyValue.SetList(ctx, "treasury", nil)), rpcfleet.ErrInvalidRequest)
	require.ErrorIs(t, second(b.KeyValue.SetList(ctx, "", slices.Values([]string{"a"}))), rpcfleet.ErrInvalidRequest)
	assert.Empty(t, b.Calls())
}

// everyDestination has each kind of destination, and one that this library does not know.
var everyDestination = []streams.Destination{
	aTarget("https://hooks.example/1"),
	streams.S3{Endpoint: "s3.example", AccessKey: scalar.NewSecret("made-up-id"),
		SecretKey: scalar.NewSecret("made-up-secret"),
		Bucket:    "b", ObjectPrefix: "p", FileCompression: streams.CompressionGzip, FileType: streams.FileTypeParquet,
		UseSSL:   true,
		MaxRetry: 1, RetryIntervalSec: 1},
	streams.Azure{StorageAccount: "a", Container: "c", BlobPrefix: "p", SASToken: scalar.NewSecret("made-up-secret"),
		FileCompressionType: streams.CompressionNone, FileType: streams.FileTypeJSON},
	streams.Postgres{Host: "h", Port: 5432, Database: "d", Username: "u", Password: scalar.NewSecret("made-up-secret"),
		TableName: "t", SSLMode: streams.SSLModeRequire},
	streams.Kafka{BootstrapServers: "h:9092", TopicName: "t", CompressionType: streams.KafkaCompressionZstd, BatchSize: 1,
		LingerMs: 1, MaxMessageBytes: 1, TimeoutSec: 1, KeyPEM: scalar.NewSecret("made-up-secret")},
	streams.Other{Name: "snowflake", Attributes: attributes(`{"deep":[{"a":1}],"password":"made-up-secret"}`)},
}

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
		shown := fmt.Sprintf("%v %+v %#v", created, created.Target, created.Destination())
		text := must(json.Marshal([]any{created, created.Destination()}))(t)
		assert.NotContains(t, shown+string(text), "made-up", "secrets are not shown")

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

// TestPlatform_createsOnce loses the responses of creates, and finds the result of each.
func TestPlatform_createsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New()
		defer e.Close()
		client := must(rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithAPIKey(e.APIKey),
			rpcfleet.WithHTTPClient(e.Client())))(t)
		ctx, once := t.Context(), rpcfleet.WithCreateOnce()
		must(e.Inject(emulator.Fault{Operation: "createWebhook", Effect: emulator.EffectLoseResponse}))(t)
		must(e.Inject(emulator.Fault{Operation: "createWebhookFromTemplate", Effect: emulator.EffectLoseResponse}))(t)
		must(e.Inject(emulator.Fault{Operation: "createStream", Effect: emulator.EffectLoseResponse}))(t)
		hook := must(client.Webhooks.Create(ctx, aWebhook("https://hooks.example/1"), once))(t)
		assert.Equal(t, webhooks.Filter(aFilter), hook.FilterFunction, "the whole record")
		named := must(client.Webhooks.CreateFromTemplate(ctx, webhooks.EVMWalletFilter{WalletsListName: "l"},
			webhooks.CreateFromTemplateRequest{Name: "Transfers", Network: "ethereum-mainnet",
				Destination: aWebhook("https://hooks.example/1").Destination}, once))(t)
		assert.Equal(t, webhooks.EVMWalletFilter{WalletsListName: "l"}, named.Template())
		stream := must(client.Streams.Create(ctx, aStream("https://hooks.example/1"), once))(t)
		assert.Equal(t, "Blocks", stream.Name)
		assert.Len(t, e.Calls("createWebhook", "createWebhookFromTemplate", "createStream"), 3)
		require.NoError(t, client.KeyValue.CreateList(ctx, "l", nil, once), "it is safe to repeat anyway")
	})
}

// receiver is a server that checks and keeps deliveries. It responds with its statuses in turn, and then with 200.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	statuses []int
	payloads []string
	batches  []*webhooks.Batch
	headers  []http.Header
}

func receive(t *testing.T, token string, statuses ...int) *receiver {
	t.Helper()
	r := &receiver{statuses: statuses}
	verifier := must(webhooks.NewVerifier([]scalar.Secret{scalar.NewSecret(token)}))(t)
	verified := must(webhooks.NewReceiver(verifier, func(_ context.Context, delivery *webhooks.Delivery) error {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.payloads, r.batches = append(r.payloads, string(delivery.Payload)), append(r.batches, delivery.Batch)
		return nil
	}))(t)
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		r.headers = append(r.headers, req.Header)
		status := http.StatusOK
		if len(r.statuses) > 0 {
			status, r.statuses = r.statuses[0], r.statuses[1:]
		}
		r.mu.Unlock()
		if status != http.StatusOK {
			w.WriteHeader(status)
			return
		}
		verified.ServeHTTP(w, req)
	}))
	t.Cleanup(r.Close)
	return r
}

// TestWebhooks_deliverSignedBlocks delivers to a receiver of this library, plain and compressed, with pauses and
// failures in between.
func TestWebhooks_deliverSignedBlocks(t *testing.T) {
	for _, compression := range webhooks.Compression("").Values() {
		b, ctx := start(t), t.Context()
		r := receive(t, "qnsec_made-up-webhook-token", 503, 503)
		request := aWebhook(r.URL)
		request.Destination.Compression = compression
		hook := must(b.Webhooks.Create(ctx, request))(t)
		deliver := func(head int64) []emulator.BlockDelivery {
			return must(b.DeliverBlocks(ctx, "ethereum-mainnet", head))(t)
		}
		assert.Len(t, deliver(2), 4, "two attempts more")
		require.NoError(t, b.Webhooks.Pause(ctx, hook.ID))
		assert.Empty(t, deliver(4))
		require.NoError(t, b.Webhooks.Activate(ctx, hook.ID, webhooks.StartFromLast))
		assert.Len(t, deliver(5), 3, "with those that were missed")
		require.NoError(t, b.Webhooks.Pause(ctx, hook.ID))
		assert.Empty(t, deliver(7))
		require.NoError(t, b.Webhooks.Activate(ctx, hook.ID, webhooks.StartFromLatest))
		assert.Len(t, deliver(8), 1, "without those that were missed")
		assert.Equal(t, new(int64(8)), must(b.Webhooks.Get(ctx, hook.ID))(t).Sequence)
		require.Len(t, r.payloads, 6)
		for i, number := range []int{1, 2, 3, 4, 5, 8} {
			assert.Contains(t, r.payloads[i], fmt.Sprintf(`"number":%d,`, number))
		}
		r.statuses = []int{500, 500, 500, 500, 500}
		assert.Len(t, deliver(9), 5)
		assert.Equal(t, webhooks.StatusTerminated, must(b.Webhooks.Get(ctx, hook.ID))(t).Status)
	}
}

// TestWebhooks_addressesChangeWithList delivers the transactions of the wallets of a list, which changes meanwhile.
func TestWebhooks_addressesChangeWithList(t *testing.T) {
	b, ctx := start(t), t.Context()
	r := receive(t, "qnsec_made-up-webhook-token")
	require.NoError(t, b.KeyValue.CreateList(ctx, "treasury", []string{aTreasury}))
	request := webhooks.CreateFromTemplateRequest{Name: "Wallets", Network: "ethereum-mainnet",
		Destination: aWebhook(r.URL).Destination}
	require.NoError(t, second(b.Webhooks.CreateFromTemplate(ctx, webhooks.EVMWalletFilter{WalletsListName: "treasury"},
		request)))
	must(b.DeliverBlocks(ctx, "ethereum-mainnet", 8))(t)
	assert.Len(t, r.payloads, 4, "of the blocks 4 to 7")
	require.NoError(t, second(b.KeyValue.SetList(ctx, "treasury", maps.Keys(map[string]int{anOther: 1}))))
	must(b.DeliverBlocks(ctx, "ethereum-mainnet", 17))(t)
	require.Len(t, r.payloads, 7)
	assert.Contains(t, r.payloads[4], `"number":9`)
}

// TestStreams_deliverRangeInBatches delivers a range to its end, over a failure and a pause.
func TestStreams_deliverRangeInBatches(t *testing.T) {
	b, ctx := start(t), t.Context()
	r := receive(t, "qnsec_made-up-stream-token", 503)
	request := aStream(r.URL)
	request.Status, request.EndRange = streams.StatusActive, new(int64(21))
	stream := must(b.Streams.Create(ctx, request))(t)
	deliver := func(head int64) []emulator.BlockDelivery {
		return must(b.DeliverBlocks(ctx, "ethereum-mainnet", head))(t)
	}
	assert.Len(t, deliver(16), 2, "a whole batch only, and the newest block is kept back")
	r.statuses = []int{500, 500, 500}
	assert.Len(t, deliver(30), 3, "the first attempt and two retries")
	now := must(b.Streams.Get(ctx, stream.ID))(t)
	assert.Equal(t, streams.StatusTerminated, now.Status)
	done, total, ok := now.Progress()
	assert.Equal(t, []any{int64(5), int64(12), true}, []any{done, total, ok})
	var stopped *rpcfleet.StreamStatusError
	require.ErrorAs(t, second(b.Streams.WaitFor(ctx, stream.ID, streams.StatusActive, nil)), &stopped)
	assert.Equal(t, streams.StatusActive, stopped.Wanted)
	require.NoError(t, b.Streams.Activate(ctx, stream.ID))
	assert.Len(t, deliver(30), 2)
	now = must(b.Streams.WaitFor(ctx, stream.ID, streams.StatusCompleted, nil))(t)
	done, total, _ = now.Progress()
	assert.Equal(t, total, done)
	require.Len(t, r.batches, 3)
	for i, span := range [][2]int64{{10, 14}, {15, 19}, {20, 21}} {
		batch := r.batches[i]
		require.NotNil(t, batch)
		assert.Equal(t, [2]int64{*batch.Start, *batch.End}, span)
		assert.Equal(t, stream.ID, batch.StreamID)
	}
	assert.Equal(t, "made-up-header-secret", r.headers[0].Get("X-Receiver"))
	for _, err := range []error{b.Streams.Activate(ctx, stream.ID), b.Streams.Pause(ctx, stream.ID)} {
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest, "a completed one stays so")
	}
}

// TestStreams_waitForReportsProgress waits in a bubble, in which five seconds pass when nothing else happens.
func TestStreams_waitForReportsProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New()
		defer e.Close()
		client := must(rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithAPIKey(e.APIKey),
			rpcfleet.WithHTTPClient(e.Client())))(t)
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
		{number(-1), number(9), nil, 0, 0, false}, {number(0), number(-1), nil, 0, 0, false}, {number(0), nil, nil, 0, 0,
			false},
	} {
		done, total, ok := streams.Stream{StartRange: test.start, EndRange: test.end, Sequence: test.at}.Progress()
		assert.Equal(t, []any{test.done, test.total, test.ok}, []any{done, total, ok})
	}
}
