package clienttest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/streams"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

var (
	onEthereum   = admin.CreateEndpointRequest{Chain: "eth", Network: "mainnet"}
	aDestination = alerts.CreateDestinationRequest{
		Name: "Watch", ToURL: scalar.NewSecretURL("https://hooks.example/1"), WebhookType: alerts.WebhookTypePOST,
		Service: alerts.DestinationServiceWebhook, PayloadType: alerts.PayloadTypeLayout1,
	}
	aNotification = alerts.CreateNotificationRequest{
		Name: "Transfers", Expression: "tx_to == '0x1'", Network: alerts.AlertNetworkEthereumMainnet,
		DestinationIDs: []string{},
	}
	aMethodLimit = admin.CreateMethodRateLimitRequest{
		Interval: admin.RateLimitIntervalDay, Methods: []string{"eth_call", "eth_getLogs"}, Rate: 7,
	}
	anInvitation = admin.InviteTeamMemberRequest{Email: "new@example.com", FullName: new("New User"),
		Role: new(admin.TeamRoleViewer)}
	toHooks  = webhooks.Destination{URL: scalar.NewSecretURL("https://hooks.example/1"), Compression: "none"}
	aWebhook = webhooks.CreateWebhookRequest{
		Name: "Mine", Network: "ethereum-mainnet", FilterFunction: "main", Status: "active", Destination: toHooks}
	aTemplate  = webhooks.EVMWalletFilter{WalletsListName: "treasury"}
	ofTemplate = webhooks.CreateFromTemplateRequest{Name: "Mine", Network: "ethereum-mainnet", Destination: toHooks}
	aStream    = streams.CreateStreamRequest{
		Name: "Blocks", Network: streams.NetworkEthereumMainnet, Dataset: streams.DatasetBlock, Region: "usa_east",
		Status: "active", DatasetBatchSize: 1, Target: streams.To(streams.Webhook{
			URL: toHooks.URL, Compression: "none", MaxRetry: 1, RetryIntervalSec: 1, PostTimeoutSec: 1})}
	someMethods = []string{"eth_call", "eth_getLogs"}
	aJWT        = admin.AddJWTRequest{PublicKey: "made-up-public-key", Kid: "k1", Name: "Gate"}
)

// account is an account with one of each thing that others hang on, behind a stage.
type account struct {
	*rpcfleet.Client
	*stage
	endpoint string
	team     int64
}

// creation is a create, and the listing of its objects, perhaps in a field of a record. Values may identify an object.
type creation struct {
	create, list method
	field        string
	values       bool
}

// idOf returns the id in a record, or "" if it has none.
func idOf(record reflect.Value) string {
	record = reflect.Indirect(record)
	if record.Kind() != reflect.Struct || !record.FieldByName("ID").IsValid() {
		return ""
	}
	return fmt.Sprint(record.FieldByName("ID"))
}

// ids returns the ids in the listing, or the texts of records without one.
func (c creation) ids(t *testing.T) (ids []string) {
	t.Helper()
	list := must(c.list(t.Context()))(t)
	if c.field != "" {
		list = list.Elem().FieldByName(c.field)
	}
	for key, value := range list.Seq2() { // An iterator has the record first.
		if list.Kind() == reflect.Slice {
			key = value
		}
		ids = append(ids, cmp.Or(idOf(key), fmt.Sprint(key)))
	}
	return ids
}

// creations are the creates of an account that WithCreateOnce is for.
func creations(a *account) map[string]creation {
	f, on, s := methodOf, a.endpoint, a.Security
	endpoints := f(a.Endpoints.All, admin.ListEndpointsParams{})
	destinations := f(a.Destinations.All, alerts.ListDestinationsParams{})
	notifications := f(a.Notifications.All, alerts.ListNotificationsParams{})
	limits := f(a.RateLimits.ListMethodLimits, on)
	hooks, all := f(a.Webhooks.All, webhooks.ListWebhooksParams{}), f(a.Streams.All, streams.ListStreamsParams{})
	return map[string]creation{
		"Endpoints.Create":             {f(a.Endpoints.Create, onEthereum), endpoints, "", false},
		"Endpoints.AddTag":             {f(a.Endpoints.AddTag, on, "idle"), f(a.Endpoints.Get, on), "Tags", true},
		"Teams.Create":                 {f(a.Teams.Create, "Core"), f(a.Teams.List), "", false},
		"Teams.Invite":                 {f(a.Teams.Invite, a.team, anInvitation), f(a.Teams.Get, a.team), "Users", true},
		"RateLimits.CreateMethodLimit": {f(a.RateLimits.CreateMethodLimit, on, aMethodLimit), limits, "", false},
		"Destinations.Create":          {f(a.Destinations.Create, aDestination), destinations, "", false},
		"Notifications.Create":         {f(a.Notifications.Create, aNotification), notifications, "", false},
		"Webhooks.Create":              {f(a.Webhooks.Create, aWebhook), hooks, "", false},
		"Webhooks.CreateFromTemplate":  {f(a.Webhooks.CreateFromTemplate, aTemplate, ofTemplate), hooks, "", false},
		"Streams.Create":               {f(a.Streams.Create, aStream), all, "", false},
		"Security.CreateToken":         {f(s.CreateToken, on), f(s.Tokens, on), "", false},
		"Security.AddJWT":              {f(s.AddJWT, on, aJWT), f(s.JWTs, on), "", true},
		"Security.AddReferrer":         {f(s.AddReferrer, on, "example.com"), f(s.Referrers, on), "", true},
		"Security.AddIP":               {f(s.AddIP, on, "2001:db8::1"), f(s.IPs, on), "", true},
		"Security.AddDomainMask":       {f(s.AddDomainMask, on, "rpc.example.com"), f(s.DomainMasks, on), "", true},
		"Security.AddRequestFilter":    {f(s.AddRequestFilter, on, someMethods), f(s.RequestFilters, on), "", false},
	}
}

// stage stands before an emulator and decides about the next create.
type stage struct {
	*emulator.Emulator
	next act
	mu   sync.Mutex
	sent int    // Requests of creates since the last act.
	own  string // The id in the last response of the service that was not another creator's.
}

// act describes the end of a create.
type act struct {
	rivals  int           // The number of equal objects that another creator makes at the same time.
	execute bool          // The request is executed,
	late    time.Duration // after that time, also if its client is gone.
	status  int           // 200 for the response of the service, 206 for a part of it, or 0 if it is lost.
	cancel  func()        // Called before the response.
}

// ownID matches the id in a response.
var ownID = regexp.MustCompile(`"id":"?[^",}]+`)

func (s *stage) plan(next act) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next, s.sent = next, 0
}

func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		s.Emulator.ServeHTTP(w, r)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent++
	act, text := s.next, ""
	body, _ := io.ReadAll(r.Body)
	serve := func() {
		again, response := r.Clone(context.WithoutCancel(r.Context())), httptest.NewRecorder()
		again.Body = io.NopCloser(bytes.NewReader(body))
		s.Emulator.ServeHTTP(response, again)
		text = response.Body.String()
		s.own = ownID.FindString(text)
	}
	for range act.rivals {
		serve()
	}
	switch {
	case act.execute && act.late > 0:
		time.AfterFunc(act.late, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			serve()
		})
	case act.execute:
		serve()
	}
	if act.cancel != nil {
		act.cancel()
	}
	w.Header().Set("Content-Type", "application/json")
	switch act.status {
	case 0:
		panic(http.ErrAbortHandler)
	case 200:
		_, _ = io.WriteString(w, text)
	case 206:
		_, _ = io.WriteString(w, text[:len(text)/2])
	default:
		http.Error(w, `{"error":"made up"}`, act.status)
	}
}

// startAccount starts an account behind a stage, inside a bubble.
func startAccount(t *testing.T, options ...rpcfleet.ClientOption) *account {
	t.Helper()
	a := &account{stage: &stage{Emulator: emulator.New(), next: act{execute: true, status: 200}}}
	options = append(options, rpcfleet.WithAPIKey(a.Emulator.APIKey))
	a.Client = clientOf(t, "http://localhost", pipenet.Serve(t, a.stage).Transport, options...)
	onPolygon := admin.CreateEndpointRequest{Chain: "base", Network: "base-mainnet"}
	a.endpoint = must(a.Endpoints.Create(t.Context(), onPolygon))(t).ID
	a.team = must(a.Teams.Create(t.Context(), "Others"))(t).ID
	return a
}

// TestCreateOnce_1000Rounds plays creates whose requests and responses are lost, refused, late or canceled, while
// another creator makes the same thing. There are never two, and never is another creator's object returned. There is
// one round that nothing can decide, which is left out: the request is lost, and the only new object is another's.
func TestCreateOnce_1000Rounds(t *testing.T) {
	rounds := 1000
	if testing.Short() || race.Enabled {
		rounds = 100
	}
	outcomes := map[string]int{}
	bubble(t, "rounds", func(t *testing.T) {
		a := startAccount(t)
		names := slices.Sorted(maps.Keys(creations(a)))
		for round := range rounds {
			if round%39 == 0 {
				a = startAccount(t)
			}
			name := names[round%len(names)]
			test := creations(a)[name]
			ctx, cancel := context.WithCancel(t.Context())
			next := act{execute: rand.IntN(3) > 0, status: []int{0, 0, 200, 206, 500, 502, 503}[rand.IntN(7)]}
			next.execute = next.execute || next.status/100 == 2
			if rand.IntN(4) == 0 {
				next.cancel = cancel
			}
			if next.execute && next.status/100 != 2 && rand.IntN(3) == 0 {
				next.late = rand.N(5 * time.Second)
			}
			if next.execute || test.values {
				next.rivals = max(rand.IntN(5)-2, 0)
			}
			before := test.ids(t)
			a.plan(next)
			record, err := test.create(ctx, rpcfleet.WithCreateOnce())
			cancel()
			time.Sleep(5 * time.Second) // A late request is executed.
			synctest.Wait()
			id, after := idOf(record), test.ids(t)
			fresh := slices.DeleteFunc(slices.Clone(after), func(id string) bool { return slices.Contains(before, id) })
			what := fmt.Sprintf("%s: %+v: %q of %q, %v", name, next, id, fresh, err)
			require.Equal(t, 1, a.sent, what)
			several, _ := errors.AsType[*rpcfleet.CreateError](err)
			switch {
			case test.values:
				outcomes["by values"]++
				require.True(t, err != nil || len(after) > 0, what)
				require.True(t, err == nil || len(after) == 0 || errors.Is(err, rpcfleet.ErrRejected), what)
			case err == nil:
				outcomes["returned"]++
				require.Contains(t, fresh, id, what)
				require.True(t, len(fresh) == 1 || strings.HasSuffix(a.own, id), what)
			case several != nil:
				outcomes["several"]++
				require.ElementsMatch(t, fresh, several.IDs, what)
				require.Positive(t, next.rivals, what)
			default:
				outcomes["open"]++
				require.ErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, what)
				require.Empty(t, fresh, what)
			}
		}
	})
	assert.Len(t, outcomes, 4, outcomes)
}

// TestCreateOnce_isForCreates, all of them except creates of things that no operation lists.
func TestCreateOnce_isForCreates(t *testing.T) {
	bubble(t, "all", func(t *testing.T) {
		created := map[string]bool{"bulkAddEndpointTag": true, "createToolingToken": true, "resendTeamInvite": true}
		a := startAccount(t, onResult(func(op rpcfleet.Operation, r rpcfleet.CallResult) {
			created[op.ID] = created[op.ID] || !op.Idempotent
		}))
		store := rpcfleet.FileCheckpointStore{Dir: t.TempDir()}
		for name, test := range creations(a) {
			once := must(test.create(t.Context(), rpcfleet.WithCreateJournal(store, name)))(t)
			again := must(test.create(t.Context(), rpcfleet.WithCreateJournal(store, name)))(t)
			assert.Equal(t, idOf(once), idOf(again), "%s: the journal knows it", name)
		}
		for _, op := range rpcfleet.Operations() {
			assert.True(t, op.Idempotent || created[op.ID], op.ID)
		}
		ctx, journal, once := t.Context(), rpcfleet.WithCreateJournal, rpcfleet.WithCreateOnce()
		for field, errs := range map[string][]error{
			"journal name": {errOf(a.Teams.Create(ctx, "Core", journal(store, "")))},
			"journal":      {errOf(a.Teams.Create(ctx, "Core", journal(nil, "a")))},
			"name":         {errOf(a.Teams.Create(ctx, "x", once))},
			"WithCreateOnce": {errOf(a.Endpoints.Get(ctx, a.endpoint, once)), errOf(a.Tooling.CreateToken(ctx, once)),
				errOf(a.Endpoints.List(ctx, admin.ListEndpointsParams{}, once)),
				errOf(a.Endpoints.BulkAddTag(ctx, []string{"1"}, "a", once))},
		} {
			for _, err := range errs {
				assert.Equal(t, field, errorAs[*rpcfleet.ValidationError](t, err, field).Field)
			}
		}
	})
}

// TestCreateOnce_comparesWhatTheRequestStates: an endpoint that somebody uses, or a JWT with another key, is not ours.
func TestCreateOnce_comparesWhatTheRequestStates(t *testing.T) {
	for fields, found := range map[string]bool{
		`"chain":"ethereum","network":"ethereum-mainnet"`:                                   true,
		`"chain":"Ethereum","network":"Mainnet"`:                                            true,
		`"network":"ethereum-mainnet"`:                                                      true,
		`"chain":"eth","network":"mainnet"`:                                                 true,
		`"chain":"ethereum"`:                                                                true,
		`"chain":"ethereum","network":"ethereum-sepolia"`:                                   false,
		`"chain":"polygon","network":"polygon-mainnet"`:                                     false,
		`"chain":"ethereum","network":"ethereum-mainnet","label":"a"`:                       false,
		`"chain":"ethereum","network":"ethereum-mainnet","tags":[{"tag_id":1,"label":"a"}]`: false,
	} {
		synctest.Test(t, func(t *testing.T) {
			client, script := clocked(t, ok(page(nil, 0, 250, 0)), hangUp,
				ok(`{"data":[{"id":"a",`+fields+`}],"pagination":{"total":1,"limit":250,"offset":0}}`),
				ok(`{"data":{"id":"a","http_url":"https://made.up/1"}}`))
			created, err := client.Endpoints.Create(t.Context(), onEthereum, rpcfleet.WithCreateOnce())
			assert.Equal(t, found, err == nil, "%s: %v", fields, err)
			assert.Equal(t, found, created != nil && !created.HTTPURL.IsZero(), "the record is complete")
			assert.Contains(t, script.Requests()[0].Query, "limit=250&offset=0&sort_by=created_at&sort_direction=desc")
		})
	}
	synctest.Test(t, func(t *testing.T) {
		once, none := rpcfleet.WithCreateOnce(), ok(`{"data":{}}`)
		client, _ := clocked(t, none, none, ok(`{"data":{"ips":[{"id":"a","ip":"2001:DB8::1"}]}}`), none, hangUp,
			ok(`{"data":{"jwts":[{"id":"a","public_key":"other","kid":"k1","name":"Gate"}]}}`))
		assert.Equal(t, "a", must(client.Security.AddIP(t.Context(), "1", "2001:db8::1", once))(t).ID)
		require.ErrorIs(t, errOf(client.Security.AddJWT(t.Context(), "1", aJWT, once)), rpcfleet.ErrOutcomeUnknown)
	})
}

// TestCreateOnce_takesTurns: creates of one client do not take each other's endpoints for their own.
func TestCreateOnce_takesTurns(t *testing.T) {
	bubble(t, "ten", func(t *testing.T) {
		a := startAccount(t)
		ids := make([]string, 10)
		a.plan(act{execute: true})
		var group sync.WaitGroup
		for i := range ids {
			group.Go(func() {
				endpoint, err := a.Endpoints.Create(t.Context(), onEthereum, rpcfleet.WithCreateOnce())
				if assert.NoError(t, err) {
					ids[i] = endpoint.ID
				}
			})
		}
		group.Wait()
		slices.Sort(ids)
		assert.Len(t, slices.Compact(ids), 10)
	})
}

// TestCreateJournal_settlesAnOpenCreateFirst follows a create through failures of its request and of its store.
func TestCreateJournal_settlesAnOpenCreateFirst(t *testing.T) {
	bubble(t, "a name", func(t *testing.T) {
		a, store := startAccount(t), rpcfleet.FileCheckpointStore{Dir: t.TempDir()}
		create := func(next act) (string, time.Duration, error) {
			a.plan(next)
			began := time.Now()
			endpoint, err := a.Endpoints.Create(t.Context(), onEthereum, rpcfleet.WithCreateJournal(store, "a"))
			return idOf(reflect.ValueOf(endpoint)), time.Since(began), err
		}
		_, took, err := create(act{status: 503})
		require.ErrorIs(t, err, rpcfleet.ErrOutcomeUnknown)
		assert.Equal(t, 5*time.Second, took)
		id, took, err := create(act{execute: true, late: 4 * time.Second})
		require.NoError(t, err)
		assert.Equal(t, 1, a.sent)
		assert.Equal(t, 30*time.Second, took, "the first request may be late by 30 s, the second by 5 s")
		again, _, err := create(act{status: 500})
		require.NoError(t, err)
		assert.Equal(t, id, again)
		assert.Zero(t, a.sent)

		require.ErrorContains(t, errOf(a.Teams.Create(t.Context(), "Core", rpcfleet.WithCreateJournal(store, "a"))),
			"another create")
		require.NoError(t, a.Endpoints.Archive(t.Context(), id))
		_, _, err = create(act{})
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
		require.NoError(t, store.Save(t.Context(), "a", rpcfleet.Checkpoint{}))
		_, _, err = create(act{status: 400})
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
		other, took, err := create(act{execute: true, status: 200})
		require.NoError(t, err)
		assert.NotEqual(t, id, other)
		assert.Zero(t, took, "nothing was open")

		require.NoError(t, store.Save(t.Context(), "a", rpcfleet.Checkpoint{}))
		_, _, err = create(act{rivals: 1, execute: true})
		require.ErrorContains(t, err, `may be the new object`)
		several := errorAs[*rpcfleet.CreateError](t, err)
		require.Len(t, several.IDs, 2)
		require.NoError(t, a.Endpoints.Archive(t.Context(), several.IDs[0]))
		settled, _, err := create(act{})
		require.NoError(t, err, "the other one is the only one now")
		assert.Equal(t, several.IDs[1], settled)
	})
}
