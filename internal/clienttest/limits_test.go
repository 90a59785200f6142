package clienttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	genqlient "github.com/Khan/genqlient/graphql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/hostile"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestRetry_budgetLimitsReadsWhileServiceIsDown counts the requests of 64 goroutines with 20 calls each.
func TestRetry_budgetLimitsReadsWhileServiceIsDown(t *testing.T) {
	const goroutines, calls = 64, 20
	for name, line := range map[string]responder{"503": respondJSON(503, ``), "lost connections": hangUp} {
		var exhausted atomic.Int64
		script := scriptnet.New(line)
		client := piped(t, script, rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 4}))
		var callers sync.WaitGroup
		for range goroutines {
			callers.Go(func() {
				for range calls {
					var failure *rpcfleet.Error
					if assert.ErrorAs(t, errOf(get(client)), &failure) && failure.RetryBudgetExhausted {
						exhausted.Add(1)
					}
				}
			})
		}
		callers.Wait()
		requests := len(script.Requests())
		assert.LessOrEqual(t, float64(requests), 1.2*goroutines*calls, name)
		assert.Greater(t, requests, goroutines*calls, "there are retries at first")
		assert.Greater(t, exhausted.Load(), int64(goroutines), "later errors report why there is none")
	}
}

// TestClient_concurrentCallsGetOwnResponses while keys rotate and the service drops the connection of every 50th
// request. The end of the bubble shows that no goroutine is left.
func TestClient_concurrentCallsGetOwnResponses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var open, requests, keys atomic.Int64
		connections := pipenet.Start(t, &http.Server{
			Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if requests.Add(1)%50 == 0 {
					panic(http.ErrAbortHandler)
				}
				id, key := strings.Split(r.URL.Path, "/")[3], r.Header.Get("X-Api-Key")
				ok(fmt.Sprintf(`{"data":{"http_url":"https://a.example.com/%s/%s"},"error":null}`, id, key))(w, r)
			}),
			ConnState: func(_ net.Conn, state http.ConnState) {
				switch state {
				case http.StateNew:
					open.Add(1)
				case http.StateClosed:
					open.Add(-1)
				}
			},
		})
		client := clientOf(t, "http://localhost", nil, rpcfleet.WithHTTPClient(connections),
			rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 9, Budget: -1}),
			rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
				return rpcfleet.Credentials{APIKey: scalar.NewSecret(fmt.Sprint("made-up-key-", keys.Add(1)/100))}, nil
			})))
		var callers sync.WaitGroup
		for caller := range 1000 {
			callers.Go(func() {
				for call := range 5 {
					id := fmt.Sprintf("ep-%d-%d", caller, call)
					urls, err := client.Endpoints.URLs(t.Context(), id)
					if assert.NoError(t, err) {
						assert.Contains(t, urls.HTTPURL.Reveal(), "https://a.example.com/"+id+"/made-up-key-")
					}
				}
			})
		}
		callers.Wait()
		client.CloseIdleConnections()
		synctest.Wait()
		assert.Zero(t, open.Load(), "connections left open")
	})
}

// TestFollow_keepsWithinPlan follows 300 endpoints, which asks for 200 requests a second at first.
func TestFollow_keepsWithinPlan(t *testing.T) {
	plan := rpcfleet.PlanBuild
	for name, test := range map[string]struct {
		endpoints int
		options   with
		within    bool
		warnings  int
	}{
		"paced":     {300, with{rpcfleet.WithPacer(plan.NewPacer())}, true, 0},
		"not paced": {300, nil, false, 1},
		"few":       {30, nil, true, 0},
	} {
		bubble(t, name, func(t *testing.T) {
			service, log := &slow{pages: nothingNew, delay: evenly(0)}, &bytes.Buffer{}
			client := piped(t, service, append(test.options, logInto(log))...)
			options := rpcfleet.FollowOptions{From: time.Now(), Parallel: 64}
			_, ended := followAll(timeout(t, 10*time.Second), t, client, numbered("ep", 0, test.endpoints), options)
			require.ErrorIs(t, ended, context.DeadlineExceeded)
			_, _, seen := service.counts()
			assert.Equal(t, test.within, seen <= 10*int(plan.PerSecond)+plan.Burst, "%d requests", seen)
			assert.Equal(t, test.warnings, bytes.Count(log.Bytes(), []byte("rpcfleet follows logs without a pacer")))
			assert.True(t, name != "paced" || seen >= 10*int(plan.PerSecond), "the limit is used")
		})
	}
}

func TestPlan_paces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pacer, begin := rpcfleet.PlanLimit{PerSecond: 10, Burst: 5}.NewPacer(), time.Now()
		ended, cancel := context.WithCancel(t.Context())
		var passed []time.Duration
		for range 5 {
			require.NoError(t, pacer.Wait(t.Context()))
		}
		assert.Equal(t, begin, time.Now(), "a burst goes at once")
		var group sync.WaitGroup
		group.Go(func() { assert.ErrorIs(t, pacer.Wait(ended), context.Canceled) })
		synctest.Wait()
		cancel()
		group.Wait()
		for range 3 { // The token of the call that ended is there again.
			require.NoError(t, pacer.Wait(t.Context()))
			passed = append(passed, time.Since(begin))
		}
		assert.Equal(t, "[100ms 200ms 300ms]", fmt.Sprint(passed))
		time.Sleep(time.Hour)
		begin = time.Now()
		for range 6 {
			require.NoError(t, pacer.Wait(t.Context()))
		}
		assert.Equal(t, 100*time.Millisecond, time.Since(begin), "a pause fills the bucket, and no more")
		for limit, wait := range map[rpcfleet.PlanLimit]time.Duration{
			{}: time.Second, {PerSecond: 1e-300, Burst: -1}: time.Hour,
			{PerSecond: 1e300, Burst: math.MaxInt}: 0, {PerSecond: 1e-300, Burst: math.MaxInt}: 0,
		} {
			pacer, begin := limit.NewPacer(), time.Now()
			require.NoError(t, pacer.Wait(t.Context()))
			assert.Equal(t, begin, time.Now())
			require.NoError(t, pacer.Wait(t.Context()))
			assert.Equal(t, wait, time.Since(begin), "%+v", limit)
		}
	})
}

// reading is a call and the body that it reads, around the items of a list.
type reading struct {
	before, after string
	call          func(t *testing.T, client *rpcfleet.Client) error
}

// readings are calls with a list in the response.
var readings = map[string]reading{
	"a page": {`{"data":[`, `],"pagination":{"total":9}}`, func(t *testing.T, client *rpcfleet.Client) error {
		return errOf(client.Endpoints.List(t.Context(), admin.ListEndpointsParams{Limit: new(10)}))
	}},
	"a bare list": {`[`, `]`, func(t *testing.T, client *rpcfleet.Client) error {
		return errOf(client.Notifications.List(t.Context(), alerts.ListNotificationsParams{}))
	}},
	"a list in a record": {`{"data":{"invoices":[`, `]}}`, func(t *testing.T, client *rpcfleet.Client) error {
		return errOf(client.Billing.Invoices(t.Context()))
	}},
	"edges": {`{"data":{"chain":{"transactions":{"edges":[`, `],"pageInfo":{"hasNextPage":false}}}}}`,
		func(t *testing.T, client *rpcfleet.Client) error {
			return errOf(transactions(client).Page(t.Context()))
		}},
	"failures": {`{"data":null,"errors":[`, `]}`, func(t *testing.T, client *rpcfleet.Client) error {
		return client.Graph.MakeRequest(t.Context(), &genqlient.Request{Query: "{ a }"}, &genqlient.Response{Data: new(any)})
	}},
}

// TestDecoding_hostileListsTakeBoundedMemory responds with lists of nulls and of empty records. They are
// refused, and the call takes a bounded multiple of the memory of the JSON, which does not grow with it.
func TestDecoding_hostileListsTakeBoundedMemory(t *testing.T) {
	race.Skip(t)
	for name, way := range readings {
		for _, item := range []string{`null`, `{}`, `{"":0}`} {
			taken := func(size int) float64 {
				client, _ := scripted(t, ok(hostile.Padded(way.before, item, way.after, size)))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				err := way.call(t, client)
				runtime.ReadMemStats(&after)
				if unread := (*rpcfleet.DecodeError)(nil); errors.As(err, &unread) {
					assert.Contains(t, []string{rpcfleet.ReasonTooLarge, rpcfleet.ReasonUnexpectedType}, unread.Reason)
				} else {
					assert.Equal(t, "failures", name)
				}
				return float64(after.TotalAlloc-before.TotalAlloc) / float64(size)
			}
			small, large := taken(1<<19), taken(1<<20)
			assert.Less(t, large, 64.0, "%s: %s", name, item)
			assert.Less(t, large, 1.2*small+8, "%s: %s", name, item)
		}
	}
}

// TestDecoding_largeResponsesAreRead reads more records than any page has, with unknown and duplicate fields.
func TestDecoding_largeResponsesAreRead(t *testing.T) {
	rows := func(before, row, after string, count int) responder {
		return ok(before + strings.Repeat(row+",", count-1) + row + after)
	}
	client, server := scripted(t, rows(`{"data":[`, `{"id":"","id":"a","new":1}`, `]}`, 2000),
		rows(`{"data":{"methods":[`, `{"method_name":"eth_call","credits_used":20,"new":1,"newer":null}`, `]}}`, 100_000),
		rows(`{"data":[`, `{"id":"","id":"a"}`, `]}`, 100_000))
	assert.Len(t, must(client.Endpoints.List(t.Context(), admin.ListEndpointsParams{}))(t).Items, 2000)
	usage := must(client.Usage.ByMethod(t.Context(), admin.GetUsageParams{}))(t)
	assert.Len(t, usage.Methods, 100_000)
	type small struct {
		ID string `json:"id"`
	}
	assert.Len(t, must(rpcfleet.Do[[]small](t.Context(), client, ask{Method: "GET", Path: "/v0/small"}))(t), 100_000)
	assert.Len(t, server.Requests(), 3)
}

// TestDecoding_nestingLimitIsExact nests values of every kind 9,000 levels deep, counting their own, and one deeper.
func TestDecoding_nestingLimitIsExact(t *testing.T) {
	for body, call := range map[string]func(client *rpcfleet.Client) (any, error){
		`{"data":{"id":"a","x":%s}}`: func(client *rpcfleet.Client) (any, error) {
			record, err := client.Endpoints.Get(t.Context(), "a")
			value, is := record.Extra.Get("x")
			if !is {
				return nil, &rpcfleet.DecodeError{Reason: rpcfleet.ReasonTooDeep}
			}
			return value, err
		},
		`{"data":{"x":%s}}`: func(client *rpcfleet.Client) (any, error) {
			got, err := rpcfleet.Do[map[string]json.RawMessage](t.Context(), client, ask{Method: "GET", Path: "/v0/a"})
			return got["x"], err
		},
		`{"data":{"x":{"y":%s}}}`: func(client *rpcfleet.Client) (any, error) {
			got, err := graph.Query[map[string]map[string]any](t.Context(), client.Graph, "{ x { y } }", nil)
			return got["x"]["y"], err
		},
		`{"data":{"chain":{"nft":{"__typename":"ERC721NFT","metadata":%s}}}}`: func(client *rpcfleet.Client) (any, error) {
			got, err := client.Graph.NFT(t.Context(), graph.ChainEthereum, "0xa1", one)
			if err != nil {
				return nil, err
			}
			return got.(*graph.NFTERC721NFT).Metadata, nil
		},
	} {
		for _, inner := range []string{`1`, `"a"`, `[]`, `{}`, `[1]`, `{"a":1}`} {
			for levels, reason := range map[int]string{8999: "", 9000: "", 9001: rpcfleet.ReasonTooDeep} {
				around := strings.Count(body[:strings.Index(body, "%s")], "{") + strings.Count(inner[:1], "{") +
					strings.Count(inner[:1], "[")
				deep := hostile.Nested(`[`, inner, `]`, levels-around)
				client, _ := scripted(t, ok(fmt.Sprintf(body, deep)))
				got, err := call(client)
				if reason != "" {
					assert.Equal(t, reason, errorAs[*rpcfleet.DecodeError](t, err, body, inner).Reason)
					continue
				}
				text, unwritten := json.Marshal(got)
				require.NoError(t, errors.Join(err, unwritten), "%s: %s in %d levels", body, inner, levels)
				assert.True(t, deep == string(text), "%s: %s in %d levels", body, inner, levels)
			}
		}
	}
}
