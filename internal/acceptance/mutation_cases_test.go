package acceptance

import (
	"context"
	"iter"
	"slices"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// query is a call of one method of the facade.
type query struct {
	method string
	call   func(q *call)
}

// call is the client of a call, the account with which it is used, and its result.
type call struct {
	ctx context.Context
	*rpcfleet.Client
	*sampleAccount
	got any
	err error
}

// run calls the method.
func (q query) run(ctx context.Context, client *rpcfleet.Client, account *sampleAccount) (any, error) {
	c := &call{ctx: ctx, Client: client, sampleAccount: account}
	q.call(c)
	return c.got, c.err
}

// page reads the first page of a connection.
func page[T any](q *call, connection *rpcfleet.Connection[T]) { q.got, q.err = connection.Page(q.ctx) }

// delivered contains the items of an iteration.
type delivered []any

// all runs an iteration.
func all[T any](items iter.Seq2[T, error]) (delivered, error) {
	var list delivered
	for item, err := range items {
		if err != nil {
			return list, err
		}
		list = append(list, item)
	}
	return list, nil
}

// allQueries call every method of the facade that reads a response.
func allQueries() []query {
	return slices.Concat(readQueries(), platformDeletes)
}

// readQueries are all but the deletes of the platform, after which nothing would be left for the other methods.
func readQueries() []query {
	return slices.Concat(adminQueries, securityQueries, alertsQueries, platformQueries, graphQueries)
}

// adminQueries call every method of the admin area. They are executed once, in this order: if one of them removes a
// thing, none after it needs that thing.
var adminQueries = []query{
	{"Account.Info", func(q *call) { q.got, q.err = q.Account.Info(q.ctx) }},
	{"Billing.Invoices", func(q *call) { q.got, q.err = q.Billing.Invoices(q.ctx) }},
	{"Billing.Payments", func(q *call) { q.got, q.err = q.Billing.Payments(q.ctx) }},
	{"Chains.List", func(q *call) { q.got, q.err = q.Chains.List(q.ctx) }},
	{"Chains.Networks", func(q *call) { q.got, q.err = q.Chains.Networks(q.ctx) }},
	{"Chains.APICredits", func(q *call) { q.got, q.err = q.Chains.APICredits(q.ctx, "eth") }},

	{"Endpoints.List", func(q *call) { q.got, q.err = q.Endpoints.List(q.ctx, q.tagged()) }},
	{"Endpoints.Pages", func(q *call) { q.got, q.err = all(q.Endpoints.Pages(q.ctx, q.tagged())) }},
	{"Endpoints.All", func(q *call) { q.got, q.err = all(q.Endpoints.All(q.ctx, q.tagged())) }},
	{"Endpoints.Get", func(q *call) { q.got, q.err = q.Endpoints.Get(q.ctx, q.id) }},
	{"Endpoints.URLs", func(q *call) { q.got, q.err = q.Endpoints.URLs(q.ctx, q.id) }},
	{"Endpoints.Create", func(q *call) {
		q.got, q.err = q.Endpoints.Create(q.ctx, admin.CreateEndpointRequest{Chain: "eth", Network: "mainnet"})
	}},
	{"Endpoints.Update", func(q *call) {
		q.err = q.Endpoints.Update(q.ctx, q.spare, admin.UpdateEndpointRequest{Label: new("Spare")})
	}},
	{"Endpoints.SetStatus", func(q *call) { q.err = q.Endpoints.SetStatus(q.ctx, q.spare, admin.EndpointStatusPaused) }},
	{"Endpoints.Activate", func(q *call) { q.err = q.Endpoints.Activate(q.ctx, q.spare) }},
	{"Endpoints.Pause", func(q *call) { q.err = q.Endpoints.Pause(q.ctx, q.spare) }},
	{"Endpoints.EnableMultichain", func(q *call) { q.err = q.Endpoints.EnableMultichain(q.ctx, q.spare) }},
	{"Endpoints.DisableMultichain", func(q *call) { q.err = q.Endpoints.DisableMultichain(q.ctx, q.spare) }},
	{"Endpoints.BulkSetStatus", func(q *call) {
		q.got, q.err = q.Endpoints.BulkSetStatus(q.ctx, []string{q.spare, "no-such"}, admin.EndpointStatusActive)
	}},
	{"Endpoints.BulkAddTag", func(q *call) {
		q.got, q.err = q.Endpoints.BulkAddTag(q.ctx, []string{q.spare, "no-such"}, "bulk")
	}},
	{"Endpoints.BulkRemoveTag", func(q *call) {
		q.got, q.err = q.Endpoints.BulkRemoveTag(q.ctx, []string{q.spare, "no-such"}, q.spareTag)
	}},
	{"Endpoints.AddTag", func(q *call) { q.err = q.Endpoints.AddTag(q.ctx, q.spare, "spare") }},
	{"Endpoints.RemoveTag", func(q *call) { q.err = q.Endpoints.RemoveTag(q.ctx, q.spare, q.spareTag) }},
	{"Tags.List", func(q *call) { q.got, q.err = q.Tags.List(q.ctx) }},
	{"Tags.Rename", func(q *call) { q.got, q.err = q.Tags.Rename(q.ctx, q.spareTag, "idle") }},
	{"Tags.Delete", func(q *call) { q.err = q.Tags.Delete(q.ctx, q.spareTag) }},

	{"RateLimits.Get", func(q *call) { q.got, q.err = q.RateLimits.Get(q.ctx, q.id) }},
	{"RateLimits.Update", func(q *call) {
		q.got, q.err = q.RateLimits.Update(q.ctx, q.id, map[admin.RateLimitBucket]int{"rps": 6})
	}},
	{"RateLimits.Replace", func(q *call) {
		//nolint:staticcheck // The deprecated alias reads a response as well.
		q.got, q.err = q.RateLimits.Replace(q.ctx, q.id, map[admin.RateLimitBucket]int{"rps": 7})
	}},
	{"RateLimits.RemoveOverride", func(q *call) { q.err = q.RateLimits.RemoveOverride(q.ctx, q.id, q.override) }},
	{"RateLimits.ListMethodLimits", func(q *call) { q.got, q.err = q.RateLimits.ListMethodLimits(q.ctx, q.id) }},
	{"RateLimits.CreateMethodLimit", func(q *call) {
		q.got, q.err = q.RateLimits.CreateMethodLimit(q.ctx, q.id, admin.CreateMethodRateLimitRequest{
			Interval: admin.RateLimitIntervalDay, Methods: []string{"eth_getLogs"}, Rate: 10,
		})
	}},
	{"RateLimits.UpdateMethodLimit", func(q *call) {
		q.got, q.err = q.RateLimits.UpdateMethodLimit(q.ctx, q.id, q.limit, admin.UpdateMethodRateLimitRequest{Rate: new(11)})
	}},
	{"RateLimits.DeleteMethodLimit", func(q *call) { q.err = q.RateLimits.DeleteMethodLimit(q.ctx, q.id, q.limit) }},

	{"Logs.List", func(q *call) { q.got, q.err = q.Logs.List(q.ctx, q.id, q.logRange()) }},
	{"Logs.Pages", func(q *call) { q.got, q.err = all(q.Logs.Pages(q.ctx, q.id, q.logRange())) }},
	{"Logs.All", func(q *call) { q.got, q.err = all(q.Logs.All(q.ctx, q.id, q.logRange())) }},
	{"Logs.Details", func(q *call) { q.got, q.err = q.Logs.Details(q.ctx, q.id, q.log[0]) }},
	{"Metrics.Endpoint", func(q *call) {
		q.got, q.err = q.Metrics.Endpoint(q.ctx, q.id,
			admin.GetEndpointMetricsParams{Period: "hour", Metric: "credits_over_time"})
	}},
	{"Metrics.Prometheus", func(q *call) { q.got, q.err = q.Metrics.Prometheus(q.ctx) }},
	{"Metrics.Account", func(q *call) {
		q.got, q.err = q.Metrics.Account(q.ctx,
			admin.GetAccountMetricsParams{Period: "hour", Metric: "credits_over_time"})
	}},
	{"Usage.Total", func(q *call) { q.got, q.err = q.Usage.Total(q.ctx, admin.GetUsageParams{}) }},
	{"Usage.ByTag", func(q *call) { q.got, q.err = q.Usage.ByTag(q.ctx, q.usageRange()) }},
	{"Usage.ByEndpoint", func(q *call) { q.got, q.err = q.Usage.ByEndpoint(q.ctx, q.usageRange()) }},
	{"Usage.ByMethod", func(q *call) { q.got, q.err = q.Usage.ByMethod(q.ctx, q.usageRange()) }},
	{"Usage.ByChain", func(q *call) { q.got, q.err = q.Usage.ByChain(q.ctx, q.usageRange()) }},

	{"Teams.List", func(q *call) { q.got, q.err = q.Teams.List(q.ctx) }},
	{"Teams.Create", func(q *call) { q.got, q.err = q.Teams.Create(q.ctx, "Infra") }},
	{"Teams.Get", func(q *call) { q.got, q.err = q.Teams.Get(q.ctx, q.team) }},
	{"Teams.AccessibleEndpoints", func(q *call) { q.got, q.err = q.Teams.AccessibleEndpoints(q.ctx, q.team) }},
	{"Teams.SetEndpoints", func(q *call) { q.err = q.Teams.SetEndpoints(q.ctx, q.team, nil) }},
	{"Teams.Invite", func(q *call) {
		q.got, q.err = q.Teams.Invite(q.ctx, q.team, admin.InviteTeamMemberRequest{
			Email: "second@example.com", FullName: new("Second User"), Role: new(admin.TeamRoleBilling),
		})
	}},
	{"Teams.ResendInvite", func(q *call) { q.err = q.Teams.ResendInvite(q.ctx, q.team, q.member) }},
	{"Teams.RemoveMember", func(q *call) {
		q.err = q.Teams.RemoveMember(q.ctx, q.team, q.member, admin.RemoveTeamMemberRequest{})
	}},
	{"Teams.Delete", func(q *call) { q.err = q.Teams.Delete(q.ctx, q.empty) }},
	{"Tooling.Status", func(q *call) { q.got, q.err = q.Tooling.Status(q.ctx) }},
	{"Tooling.CreateToken", func(q *call) { q.got, q.err = q.Tooling.CreateToken(q.ctx) }},
	{"Tooling.TokenSource", func(q *call) { q.got, q.err = q.Tooling.TokenSource().Token(q.ctx) }},
	{"Tooling.Disable", func(q *call) { q.got, q.err = q.Tooling.Disable(q.ctx) }},
	{"Tooling.Enable", func(q *call) { q.got, q.err = q.Tooling.Enable(q.ctx) }},
}

// alertsQueries call every method of the alerts area, in the same way.
var alertsQueries = []query{
	{"Destinations.List", func(q *call) { q.got, q.err = q.Destinations.List(q.ctx, alerts.ListDestinationsParams{}) }},
	{"Destinations.Pages", func(q *call) {
		q.got, q.err = all(q.Destinations.Pages(q.ctx, alerts.ListDestinationsParams{}, rpcfleet.WithPageSize(1)))
	}},
	{"Destinations.All", func(q *call) { q.got, q.err = all(q.Destinations.All(q.ctx, alerts.ListDestinationsParams{})) }},
	{"Destinations.Get", func(q *call) { q.got, q.err = q.Destinations.Get(q.ctx, q.destination) }},
	{"Destinations.Create", func(q *call) {
		q.got, q.err = q.Destinations.Create(q.ctx, alerts.CreateDestinationRequest{
			Name: "Watch", ToURL: scalar.NewSecretURL("https://hooks.example/another-webhook-secret"),
			WebhookType: alerts.WebhookTypePOST,
			Service:     alerts.DestinationServiceWebhook, PayloadType: alerts.PayloadTypeLayout1,
		})
	}},
	{"Notifications.List", func(q *call) { q.got, q.err = q.Notifications.List(q.ctx, alerts.ListNotificationsParams{}) }},
	{"Notifications.Pages", func(q *call) {
		q.got, q.err = all(q.Notifications.Pages(q.ctx, alerts.ListNotificationsParams{}, rpcfleet.WithPageSize(1)))
	}},
	{"Notifications.All", func(q *call) {
		q.got, q.err = all(q.Notifications.All(q.ctx, alerts.ListNotificationsParams{}))
	}},
	{"Notifications.Get", func(q *call) { q.got, q.err = q.Notifications.Get(q.ctx, q.notification) }},
	{"Notifications.Events", func(q *call) {
		q.got, q.err = q.Notifications.Events(q.ctx, q.notification, alerts.ListNotificationEventsParams{})
	}},
	{"Notifications.AllEvents", func(q *call) {
		q.got, q.err = all(q.Notifications.AllEvents(q.ctx, q.notification, alerts.ListNotificationEventsParams{},
			rpcfleet.WithPageSize(1)))
	}},
	{"Notifications.Create", func(q *call) {
		q.got, q.err = q.Notifications.Create(q.ctx, alerts.CreateNotificationRequest{
			Name: "Transfers", Expression: everyBlock, Network: alerts.AlertNetworkDogeMainnet,
			DestinationIDs: []string{q.destination},
		})
	}},
	{"Notifications.Update", func(q *call) {
		q.got, q.err = q.Notifications.Update(q.ctx, q.notification, alerts.UpdateNotificationRequest{Name: new("Renamed")})
	}},
	{"Notifications.Disable", func(q *call) { q.err = q.Notifications.Disable(q.ctx, q.notification) }},
	{"Notifications.Enable", func(q *call) { q.err = q.Notifications.Enable(q.ctx, q.notification) }},
	{"Notifications.Delete", func(q *call) { q.err = q.Notifications.Delete(q.ctx, q.notification) }},
	{"Destinations.Delete", func(q *call) { q.err = q.Destinations.Delete(q.ctx, q.destination) }},
	{"Expressions.Validate", func(q *call) {
		q.err = q.Expressions.Validate(q.ctx, alerts.ValidateExpressionRequest{
			Expression: everyBlock, Network: alerts.AlertNetworkEthereumMainnet,
		})
	}},
	{"Expressions.Backtest", func(q *call) {
		q.got, q.err = q.Expressions.Backtest(q.ctx, alerts.BacktestExpressionRequest{
			Expression: everyBlock, Network: alerts.AlertNetworkEthereumMainnet, BlockNumber: 14, BacktestCount: 2,
		})
	}},
}

// securityQueries call every method about the security of endpoints, in the way of adminQueries.
var securityQueries = []query{
	{"Security.Get", func(q *call) { q.got, q.err = q.Security.Get(q.ctx, q.id) }},
	{"Security.Options", func(q *call) { q.got, q.err = q.Security.Options(q.ctx, q.id) }},
	{"Security.SetOptions", func(q *call) {
		q.got, q.err = q.Security.SetOptions(q.ctx, q.id, map[admin.SecurityOptionName]bool{"cors": true})
	}},
	{"Security.AddReferrer", func(q *call) { q.got, q.err = q.Security.AddReferrer(q.ctx, q.id, "other.example.com") }},
	{"Security.AddIP", func(q *call) { q.got, q.err = q.Security.AddIP(q.ctx, q.id, "192.0.2.11") }},
	{"Security.AddDomainMask", func(q *call) {
		q.got, q.err = q.Security.AddDomainMask(q.ctx, q.id, "other.example.com")
	}},
	{"Security.AddJWT", func(q *call) {
		q.got, q.err = q.Security.AddJWT(q.ctx, q.id,
			admin.AddJWTRequest{PublicKey: "made-up-key", Kid: "key-2", Name: "Frontend"})
	}},
	{"Security.CreateToken", func(q *call) { q.got, q.err = q.Security.CreateToken(q.ctx, q.id) }},
	{"Security.AddRequestFilter", func(q *call) {
		q.got, q.err = q.Security.AddRequestFilter(q.ctx, q.id, []string{"eth_getLogs"})
	}},
	{"Security.UpdateRequestFilter", func(q *call) {
		q.err = q.Security.UpdateRequestFilter(q.ctx, q.id, q.filter, []string{"eth_call", "eth_getLogs"})
	}},
	{"Security.SetIPCustomHeader", func(q *call) {
		q.got, q.err = q.Security.SetIPCustomHeader(q.ctx, q.id, "X-Client-IP")
	}},
	{"Security.RemoveReferrer", func(q *call) { q.err = q.Security.RemoveReferrer(q.ctx, q.id, q.referrer) }},
	{"Security.RemoveIP", func(q *call) { q.err = q.Security.RemoveIP(q.ctx, q.id, q.ip) }},
	{"Security.RemoveDomainMask", func(q *call) { q.err = q.Security.RemoveDomainMask(q.ctx, q.id, q.mask) }},
	{"Security.RemoveJWT", func(q *call) { q.err = q.Security.RemoveJWT(q.ctx, q.id, q.jwt) }},
	{"Security.DeleteToken", func(q *call) { q.err = q.Security.DeleteToken(q.ctx, q.id, q.token) }},
	{"Security.RemoveRequestFilter", func(q *call) { q.err = q.Security.RemoveRequestFilter(q.ctx, q.id, q.filter) }},
	{"Security.RemoveIPCustomHeader", func(q *call) { q.err = q.Security.RemoveIPCustomHeader(q.ctx, q.id) }},
	{"Endpoints.Archive", func(q *call) { q.err = q.Endpoints.Archive(q.ctx, q.spare) }},
}

// two is the page size of the graph queries: more items would not add anything.
var two = rpcfleet.WithPageSize(2)

// graphQueries call every method of the graph area.
var graphQueries = []query{
	{"Graph.Collection", func(q *call) { q.got, q.err = q.Graph.Collection(q.ctx, q.chain, q.harbors) }},
	{"Graph.Collection", func(q *call) { q.got, q.err = q.Graph.Collection(q.ctx, q.chain, q.notes) }},
	{"Graph.Collections", func(q *call) { page(q, q.Graph.Collections(q.chain, graph.CollectionsFilterInput{}, two)) }},
	{"Graph.TrendingCollections", func(q *call) {
		page(q, q.Graph.TrendingCollections(q.chain, graph.TrendingParams{}, two))
	}},
	{"Graph.OHLCVChart", func(q *call) {
		q.got, q.err = q.Graph.OHLCVChart(q.ctx, q.chain, q.harbors, graph.CollectionOHLCVChartInput{Limit: new(2.0)})
	}},
	{"Graph.NFT", func(q *call) { q.got, q.err = q.Graph.NFT(q.ctx, q.chain, q.harbors, scalar.BigIntFrom(42)) }},
	{"Graph.NFT", func(q *call) { q.got, q.err = q.Graph.NFT(q.ctx, q.chain, q.notes, scalar.BigIntFrom(1)) }},
	{"Graph.CollectionNFTs", func(q *call) { page(q, q.Graph.CollectionNFTs(q.chain, q.harbors, two)) }},
	{"Graph.CollectionNFTs", func(q *call) { page(q, q.Graph.CollectionNFTs(q.chain, q.notes, two)) }},
	{"Graph.Contract", func(q *call) { q.got, q.err = q.Graph.Contract(q.ctx, q.chain, q.coin) }},
	{"Graph.Contract", func(q *call) { q.got, q.err = q.Graph.Contract(q.ctx, q.chain, q.notes) }},
	{"Graph.Transaction", func(q *call) { q.got, q.err = q.Graph.Transaction(q.ctx, q.chain, q.transaction) }},
	{"Graph.Transactions", func(q *call) { page(q, q.Graph.Transactions(q.chain, graph.TransactionsParams{}, two)) }},
	{"Graph.WalletTransactions", func(q *call) {
		page(q, q.Graph.WalletTransactions(q.chain, q.wallet, graph.TransactionsParams{}, two))
	}},
	{"Graph.GasPrices", func(q *call) {
		q.got, q.err = q.Graph.GasPrices(q.ctx, q.chain, graph.GasPricesParams{
			Filter: &graph.GasPriceFilterInput{BlockNumber: &graph.IntegerInput{Gt: &q.block}},
		})
	}},
	{"Graph.WalletNFTs", func(q *call) { page(q, q.Graph.WalletNFTs(q.chain, q.wallet, graph.WalletNFTsParams{}, two)) }},
	{"Graph.Ownership", func(q *call) {
		q.got, q.err = q.Graph.Ownership(q.ctx, q.chain, q.wallet, q.notes, scalar.BigIntFrom(1))
	}},
	{"Graph.WalletCollections", func(q *call) {
		page(q, q.Graph.WalletCollections(q.chain, q.wallet, graph.WalletCollectionsParams{}, two))
	}},
	{"Graph.TokenBalances", func(q *call) {
		page(q, q.Graph.TokenBalances(q.chain, q.wallet, graph.TokenBalancesParams{}, two))
	}},
	{"Graph.Events", func(q *call) {
		page(q, q.Graph.Events(q.chain, graph.TokenEventsFilterInput{}, rpcfleet.WithPageSize(6)))
	}},
	{"Graph.ContractEvents", func(q *call) {
		page(q, q.Graph.ContractEvents(q.chain, q.notes, graph.TokenEventsFilterInput{}, two))
	}},
	{"Graph.NFTEvents", func(q *call) {
		page(q, q.Graph.NFTEvents(q.chain, q.notes, scalar.BigIntFrom(2), graph.TokenEventsFilterInput{}, two))
	}},
	{"Graph.WalletEvents", func(q *call) {
		page(q, q.Graph.WalletEvents(q.chain, q.wallet, graph.TokenEventsFilterInput{}, two))
	}},
	{"Graph.CollectionStats", func(q *call) {
		q.got, q.err = q.Graph.CollectionStats(q.ctx, q.chain, q.harbors, graph.DateTimeInput{})
	}},
	{"Graph.CollectionSales", func(q *call) {
		page(q, q.Graph.CollectionSales(q.chain, q.harbors, graph.SalesParams{}, two))
	}},
	{"Graph.OrderHistory", func(q *call) { q.got, q.err = q.Graph.OrderHistory(q.ctx, q.chain, q.harbors, q.latest()) }},
	{"Graph.CollectionAttributes", func(q *call) { page(q, q.Graph.CollectionAttributes(q.chain, q.notes, two)) }},
	{"Graph.CollectionHolders", func(q *call) { page(q, q.Graph.CollectionHolders(q.chain, q.notes, two)) }},
	{"Graph.CollectionEvents", func(q *call) {
		page(q, q.Graph.CollectionEvents(q.chain, q.notes, graph.TokenEventsFilterInput{}, two))
	}},
	{"Graph.NFTOwners", func(q *call) { page(q, q.Graph.NFTOwners(q.chain, q.notes, scalar.BigIntFrom(1), two)) }},
	{"Graph.Contracts", func(q *call) { page(q, q.Graph.Contracts(q.chain, graph.ContractsFilterInput{}, two)) }},
	{"Graph.Wallet", func(q *call) { q.got, q.err = q.Graph.Wallet(q.ctx, q.chain, q.ens) }},
	{"Graph.WalletCollection", func(q *call) { q.got, q.err = q.Graph.WalletCollection(q.ctx, q.chain, q.ens, q.notes) }},
	{"Graph.MakeRequest", func(q *call) {
		q.got, q.err = graph.Query[counts](q.ctx, q.Graph, `query Counts { ethereum { collections(first: 2) { totalCount } } }`,
			nil)
	}},
}

// counts is the result of one of our own queries.
type counts struct {
	Ethereum struct {
		Collections struct {
			TotalCount *int `json:"totalCount"`
		} `json:"collections"`
	} `json:"ethereum"`
}
