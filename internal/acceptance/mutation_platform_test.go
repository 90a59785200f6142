package acceptance

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/keyvalue"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/streams"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

const (
	aFilter   = "function main(stream) { console.log(1); return stream }"
	aTreasury = "0x0000000000000000000000000000000000000007"
	anOther   = "0x0000000000000000000000000000000000000009"
)

// attributes decodes an object with any fields.
func attributes(object string) (all scalar.Extra) {
	if err := json.Unmarshal([]byte(object), &all); err != nil {
		panic(err)
	}
	return all
}

// aWebhook is the request of a webhook.
func aWebhook(url string) webhooks.CreateWebhookRequest {
	return webhooks.CreateWebhookRequest{
		Name: "Transfers", Network: "ethereum-mainnet", FilterFunction: aFilter, Status: webhooks.StatusActive,
		NotificationEmail: "ops@example.com", Destination: webhooks.Destination{
			URL: scalar.NewSecretURL(url), Compression: webhooks.CompressionNone,
			SecurityToken: scalar.NewSecret("qnsec_made-up-webhook-token"),
		},
	}
}

// aTarget is a webhook of a stream.
func aTarget(url string) streams.Webhook {
	return streams.Webhook{
		URL: scalar.NewSecretURL(url), Compression: streams.CompressionGzip, MaxRetry: 2, RetryIntervalSec: 1,
		PostTimeoutSec: 10, SecurityToken: scalar.NewSecret("qnsec_made-up-stream-token"),
		Headers: map[string]scalar.Secret{"X-Receiver-Token": scalar.NewSecret("made-up-header-secret")},
	}
}

// everyDestination has each kind of destination, and one that this library does not know.
var everyDestination = []streams.Destination{
	aTarget("https://hooks.example/a-secret-path"),
	streams.S3{Endpoint: "s3.example", AccessKey: scalar.NewSecret("made-up-id"), Bucket: "b", ObjectPrefix: "p",
		SecretKey: scalar.NewSecret("made-up-s3-secret"), FileCompression: streams.CompressionGzip,
		FileType: streams.FileTypeParquet, UseSSL: true, MaxRetry: 1, RetryIntervalSec: 1},
	streams.Azure{StorageAccount: "a", Container: "c", BlobPrefix: "p", SASToken: scalar.NewSecret("made-up-sas-token"),
		FileCompressionType: streams.CompressionNone, FileType: streams.FileTypeJSON},
	streams.Postgres{Host: "h", Port: 5432, Database: "d", Username: "u", Password: scalar.NewSecret("made-up-password"),
		TableName: "t", SSLMode: streams.SSLModeRequire},
	streams.Kafka{BootstrapServers: "h:9092", TopicName: "t", CompressionType: streams.KafkaCompressionZstd, BatchSize: 1,
		LingerMs: 1, MaxMessageBytes: 1, TimeoutSec: 1, KeyPEM: scalar.NewSecret("made-up-key-pem")},
	streams.Other{Name: "snowflake", Attributes: attributes(`{"deep":{"a":[1]},"password":"made-up-other-password"}`)},
}

// everyTarget are the requests of these destinations.
func everyTarget() (all []streams.Target) {
	for _, destination := range everyDestination {
		all = append(all, streams.To(destination))
	}
	return all
}

// aStream is the request of a stream.
func aStream(url string) streams.CreateStreamRequest {
	return streams.CreateStreamRequest{
		Name: "Blocks", Network: streams.NetworkEthereumMainnet, Dataset: streams.DatasetBlock, Region: streams.RegionUsaEast,
		Status: streams.StatusPaused, FilterFunction: aFilter, FilterLanguage: streams.LanguageJavascript,
		StartRange: new(int64(10)), EndRange: new(int64(24)), DatasetBatchSize: 5, Target: streams.To(aTarget(url)),
		ExtraDestinations: everyTarget(),
		AddressBookConfig: streams.AddressBook{AddressBookID: "book", ElementsFilterPaths: []string{"to"},
			ObjectsFilterPath: "transactions"},
		IncludeStreamMetadata: streams.MetadataHeader, NotificationEmail: "ops@example.com", KeepDistanceFromTip: 1,
		FixBlockReorgs: 1, RestreamBatchOnReorg: true,
	}
}

// fillPlatform makes webhooks, streams, values and lists.
func (f *sampleAccount) fillPlatform(t *testing.T, client *rpcfleet.Client, url string) {
	t.Helper()
	ctx := t.Context()
	template := webhooks.CreateFromTemplateRequest{
		Name: "Wallets", Network: "ethereum-mainnet", Destination: aWebhook(url).Destination,
		NotificationEmail: "a@example.com",
	}
	f.webhook = must(client.Webhooks.Create(ctx, aWebhook(url)))(t).ID
	f.template = must(client.Webhooks.CreateFromTemplate(ctx, webhooks.EVMWalletFilter{Wallets: []string{aTreasury}},
		template))(t).ID
	require.NoError(t, client.Webhooks.Pause(ctx, f.template))
	f.stream = must(client.Streams.Create(ctx, aStream(url)))(t).ID
	require.NoError(t, second(client.Streams.Create(ctx, aStream(url))))
	for _, key := range []string{"tip", "before"} {
		require.NoError(t, client.KeyValue.Put(ctx, key, "19000001"))
	}
	require.NoError(t, client.KeyValue.CreateList(ctx, "treasury", []string{anOther, aTreasury}))
	require.NoError(t, client.KeyValue.CreateList(ctx, "others", nil))
}

// platformQueries call every method of the webhooks, key-value and streams areas, in the way of adminQueries.
var platformQueries = []query{
	{"Webhooks.List", func(q *call) { q.got, q.err = q.Webhooks.List(q.ctx, webhooks.ListWebhooksParams{}) }},
	{"Webhooks.Pages", func(q *call) {
		q.got, q.err = all(q.Webhooks.Pages(q.ctx, webhooks.ListWebhooksParams{}, rpcfleet.WithPageSize(2)))
	}},
	{"Webhooks.All", func(q *call) { q.got, q.err = all(q.Webhooks.All(q.ctx, webhooks.ListWebhooksParams{})) }},
	{"Webhooks.Get", func(q *call) { q.got, q.err = q.Webhooks.Get(q.ctx, q.webhook) }},
	{"Webhooks.Create", func(q *call) {
		q.got, q.err = q.Webhooks.Create(q.ctx, aWebhook("https://hooks.example/a-secret-path"))
	}},
	{"Webhooks.CreateFromTemplate", func(q *call) {
		q.got, q.err = q.Webhooks.CreateFromTemplate(q.ctx, webhooks.SolanaWalletFilter{AccountsListName: "treasury"},
			webhooks.CreateFromTemplateRequest{Name: "Accounts", Network: "solana-mainnet",
				Destination: aWebhook("https://hooks.example/a-secret-path").Destination})
	}},
	{"Webhooks.Update", func(q *call) {
		q.got, q.err = q.Webhooks.Update(q.ctx, q.template, webhooks.UpdateWebhookRequest{Name: new("Renamed")})
	}},
	{"Webhooks.UpdateTemplate", func(q *call) {
		q.got, q.err = q.Webhooks.UpdateTemplate(q.ctx, q.template, webhooks.EVMWalletFilter{WalletsListName: "treasury"},
			webhooks.UpdateTemplateRequest{})
	}},
	{"Webhooks.Pause", func(q *call) { q.err = q.Webhooks.Pause(q.ctx, q.webhook) }},
	{"Webhooks.Activate", func(q *call) { q.err = q.Webhooks.Activate(q.ctx, q.webhook, webhooks.StartFromLast) }},
	{"Webhooks.CountEnabled", func(q *call) { q.got, q.err = q.Webhooks.CountEnabled(q.ctx) }},
	{"Webhooks.TestFilter", func(q *call) {
		q.got, q.err = q.Webhooks.TestFilter(q.ctx,
			webhooks.FilterTest{Network: "ethereum-mainnet", Block: "14", FilterFunction: aFilter})
	}},

	{"KeyValue.Put", func(q *call) { q.err = q.KeyValue.Put(q.ctx, "tip", "19000002") }},
	{"KeyValue.Get", func(q *call) { q.got, q.err = q.KeyValue.Get(q.ctx, "tip") }},
	{"KeyValue.List", func(q *call) { q.got, q.err = q.KeyValue.List(q.ctx, keyvalue.ListValuesParams{}) }},
	{"KeyValue.Pages", func(q *call) {
		q.got, q.err = all(q.KeyValue.Pages(q.ctx, keyvalue.ListValuesParams{}, rpcfleet.WithPageSize(1)))
	}},
	{"KeyValue.All", func(q *call) { q.got, q.err = all(q.KeyValue.All(q.ctx, keyvalue.ListValuesParams{})) }},
	{"KeyValue.Bulk", func(q *call) {
		q.err = q.KeyValue.Bulk(q.ctx, keyvalue.BulkRequest{AddSets: map[string]string{"a": "1"},
			DeleteSets: []string{"before"}})
	}},
	{"KeyValue.Delete", func(q *call) { q.err = q.KeyValue.Delete(q.ctx, "tip") }},
	{"KeyValue.CreateList", func(q *call) { q.err = q.KeyValue.CreateList(q.ctx, "treasury", []string{aTreasury}) }},
	{"KeyValue.Lists", func(q *call) { q.got, q.err = q.KeyValue.Lists(q.ctx, keyvalue.ListValuesParams{}) }},
	{"KeyValue.AllLists", func(q *call) { q.got, q.err = all(q.KeyValue.AllLists(q.ctx, keyvalue.ListValuesParams{})) }},
	{"KeyValue.Items", func(q *call) { q.got, q.err = q.KeyValue.Items(q.ctx, "treasury", keyvalue.ListValuesParams{}) }},
	{"KeyValue.AllItems", func(q *call) {
		q.got, q.err = all(q.KeyValue.AllItems(q.ctx, "treasury", keyvalue.ListValuesParams{}, rpcfleet.WithPageSize(1)))
	}},
	{"KeyValue.ChangeList", func(q *call) {
		q.err = q.KeyValue.ChangeList(q.ctx, "others", keyvalue.ListChange{AddItems: []string{"a", "b"},
			RemoveItems: []string{"c"}})
	}},
	{"KeyValue.AddItem", func(q *call) { q.err = q.KeyValue.AddItem(q.ctx, "others", "d") }},
	{"KeyValue.Contains", func(q *call) { q.got, q.err = q.KeyValue.Contains(q.ctx, "others", "d") }},
	{"KeyValue.RemoveItem", func(q *call) { q.err = q.KeyValue.RemoveItem(q.ctx, "others", "d") }},
	{"KeyValue.SetList", func(q *call) { // It is so already, and nothing is written.
		q.got, q.err = q.KeyValue.SetList(q.ctx, "treasury", slices.Values([]string{aTreasury, anOther}))
	}},
	{"KeyValue.DeleteList", func(q *call) { q.err = q.KeyValue.DeleteList(q.ctx, "others") }},

	{"Streams.List", func(q *call) { q.got, q.err = q.Streams.List(q.ctx, streams.ListStreamsParams{}) }},
	{"Streams.Pages", func(q *call) {
		q.got, q.err = all(q.Streams.Pages(q.ctx, streams.ListStreamsParams{}, rpcfleet.WithPageSize(2)))
	}},
	{"Streams.All", func(q *call) { q.got, q.err = all(q.Streams.All(q.ctx, streams.ListStreamsParams{})) }},
	{"Streams.Get", func(q *call) { q.got, q.err = q.Streams.Get(q.ctx, q.stream) }},
	{"Streams.Create", func(q *call) {
		q.got, q.err = q.Streams.Create(q.ctx,
			aStream("https://hooks.example/a-secret-path"))
	}},
	{"Streams.Update", func(q *call) {
		q.got, q.err = q.Streams.Update(q.ctx, q.stream, streams.UpdateStreamRequest{Name: new("Renamed")})
	}},
	{"Streams.Activate", func(q *call) { q.err = q.Streams.Activate(q.ctx, q.stream) }},
	{"Streams.Pause", func(q *call) { q.err = q.Streams.Pause(q.ctx, q.stream) }},
	{"Streams.CountEnabled", func(q *call) {
		q.got, q.err = q.Streams.CountEnabled(q.ctx, streams.CountEnabledStreamsParams{})
	}},
	{"Streams.TestFilter", func(q *call) {
		q.got, q.err = q.Streams.TestFilter(q.ctx, streams.FilterTest{
			Network: streams.NetworkEthereumMainnet, Dataset: streams.DatasetBlock, Block: "14", FilterFunction: aFilter})
	}},
}

// platformDeletes read like Pause, and are executed after all others.
var platformDeletes = []query{
	{"Webhooks.Delete", func(q *call) { q.err = q.Webhooks.Delete(q.ctx, q.webhook) }},
	{"Webhooks.DeleteAll", func(q *call) { q.err = q.Webhooks.DeleteAll(q.ctx) }},
	{"Streams.Delete", func(q *call) { q.err = q.Streams.Delete(q.ctx, q.stream) }},
	{"Streams.DeleteAll", func(q *call) { q.err = q.Streams.DeleteAll(q.ctx) }},
}
