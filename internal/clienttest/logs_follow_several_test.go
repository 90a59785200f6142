package clienttest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// unhurried is a service that takes its time, and counts the requests that are under way.
type unhurried struct {
	http.Handler
	takes time.Duration

	mu        sync.Mutex
	now, most int
	total     int
}

func (u *unhurried) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	u.count(1)
	defer u.count(-1)
	time.Sleep(u.takes)
	u.Handler.ServeHTTP(w, r)
}

func (u *unhurried) count(step int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.now += step
	u.most = max(u.most, u.now)
	u.total += max(step, 0)
}

// counts returns how many requests are under way, how many were at most, and how many there were.
func (u *unhurried) counts() (now, most, total int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.now, u.most, u.total
}

// numbered are the ids of endpoints.
func numbered(n int) (ids []string) {
	for i := range n {
		ids = append(ids, fmt.Sprint("ep", i))
	}
	return ids
}

// TestFollowTakesTurns: an endpoint with a page that follows every page does not hold up the others.
func TestFollowTakesTurns(t *testing.T) {
	for i, parallel := range []int{2, 1, 5} {
		if race.Thin(i, 0) {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			noisy, page := steady(time.Millisecond), 100*time.Millisecond // 1,000 a second, and read slower than that.
			service := &unhurried{takes: page, Handler: logsOf{
				"ep0": noisy, "ep1": noisy, "ep2": steady(time.Second), "ep3": steady(time.Second), "ep4": steady(time.Second),
			}}
			client := piped(t, service)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			worst, counts := time.Duration(0), map[string]int{}
			for followed, err := range client.Logs.Follow(ctx, numbered(5), rpcfleet.FollowOptions{
				From: began.Add(-10 * time.Minute), LateWindow: time.Second, Parallel: parallel, PageLimit: 20,
				MinInterval: time.Second, MaxInterval: time.Second,
			}) {
				if err != nil {
					require.ErrorIs(t, err, context.DeadlineExceeded)
					break
				}
				counts[followed.EndpointID]++
				if quiet := followed.EndpointID > "ep1"; quiet && followed.Entry.Timestamp.After(began.Add(30*time.Second)) { // Behind the backlog.
					worst = max(worst, time.Since(followed.Entry.Timestamp.Time))
				}
			}
			// It waits for the interval, for a turn, and twice for the others' pages before that.
			assert.LessOrEqual(t, worst, 2*time.Second+10*page)
			for id, count := range counts {
				assert.Greater(t, count, 600, "%s of %v", id, counts)
			}
			assert.InDelta(t, 1, float64(counts["ep0"])/float64(counts["ep1"]), 0.5, "%v", counts)
			assert.Len(t, counts, 5)
			time.Sleep(time.Second) // The service finishes the pages that it was about to send.
		})
	}
}

func TestFollowAsksForSoManyAtATime(t *testing.T) {
	for name, test := range map[string]struct {
		parallel, want int
		opts           []rpcfleet.CallOption
	}{
		"by default":              {0, 4, nil},
		"one":                     {1, 1, nil},
		"seven":                   {7, 7, nil},
		"more than there are":     {50, 20, nil},
		"with responses captured": {7, 1, []rpcfleet.CallOption{rpcfleet.CaptureResponse(new(rpcfleet.Response))}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &unhurried{takes: time.Second, Handler: steady(time.Minute)}
				client := piped(t, service)
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
				defer cancel()
				options := rpcfleet.FollowOptions{From: time.Now().Add(-10 * time.Minute), Parallel: test.parallel}
				for _, err := range client.Logs.Follow(ctx, numbered(20), options, test.opts...) {
					if err == nil && test.want == 1 {
						synctest.Wait()
						now, _, _ := service.counts()
						assert.Zero(t, now, "nothing is under way while the loop works")
					}
				}
				_, most, total := service.counts()
				assert.Equal(t, test.want, most)
				assert.Greater(t, total, 20*5)
				time.Sleep(time.Minute) // The service finishes the pages that it was about to send.
			})
		})
	}
}

// TestFollowKeepsSoManyPages while the loop does not ask for more.
func TestFollowKeepsSoManyPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &unhurried{takes: time.Second, Handler: steady(time.Minute)}
		client := piped(t, service)
		for _, err := range client.Logs.Follow(t.Context(), numbered(20), rpcfleet.FollowOptions{From: time.Now().Add(-time.Hour)}) {
			require.NoError(t, err)
			time.Sleep(time.Hour)
			_, _, total := service.counts()
			assert.Equal(t, 4, total)
			break
		}
	})
}

func TestFollowEndsWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{}, 2)
		waits := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			ended <- struct{}{}
		})
		client := piped(t, logsOf{"ep0": steady(time.Minute), "ep1": waits, "ep2": waits}, rpcfleet.WithTimeout(0))
		for _, err := range client.Logs.Follow(t.Context(), numbered(3), rpcfleet.FollowOptions{From: time.Now().Add(-time.Hour)}) {
			require.NoError(t, err)
			synctest.Wait() // The others are asked for.
			break
		}
		<-ended
		<-ended
	})
}

// TestFollowGoesOnWithout an endpoint that is deleted after two minutes.
func TestFollowGoesOnWithout(t *testing.T) {
	deleted := func(began time.Time) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if time.Since(began) > 2*time.Minute {
				says(404, "{}")(w, r)
				return
			}
			steady(time.Minute)(w, r)
		})
	}
	run := func(t *testing.T, handlers logsOf, goOn func(*rpcfleet.FollowError) bool) (map[string]int, *rpcfleet.FollowError) {
		client := piped(t, handlers)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		counts, ended := map[string]int{}, (*rpcfleet.FollowError)(nil)
		for followed, err := range client.Logs.Follow(ctx, []string{"ep0", "ep1"}, rpcfleet.FollowOptions{
			From: time.Now().Add(-time.Minute), GoOnWithout: goOn,
		}) {
			if err != nil {
				require.ErrorAs(t, err, &ended)
				continue
			}
			counts[followed.EndpointID]++
		}
		require.NotNil(t, ended)
		return counts, ended
	}
	var told []string
	yes := func(failure *rpcfleet.FollowError) bool {
		told = append(told, failure.EndpointID)
		return true
	}
	for name, test := range map[string]struct {
		goOn func(*rpcfleet.FollowError) bool
		both bool
		told []string
		err  error
	}{
		"nobody is asked":   {nil, false, nil, rpcfleet.ErrNotFound},
		"no":                {func(*rpcfleet.FollowError) bool { return false }, false, nil, rpcfleet.ErrNotFound},
		"yes":               {yes, false, []string{"ep1"}, context.DeadlineExceeded},
		"yes, and the last": {yes, true, []string{"ep0", "ep1"}, rpcfleet.ErrNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				told = nil
				began := time.Now()
				handlers := logsOf{"ep0": steady(time.Minute), "ep1": deleted(began)}
				if test.both {
					handlers["ep0"] = deleted(began)
				}
				counts, ended := run(t, handlers, test.goOn)
				require.ErrorIs(t, ended, test.err)
				slices.Sort(told)
				assert.Equal(t, test.told, told)
				assert.InDelta(t, 3, counts["ep1"], 1)
				assert.Equal(t, test.err == context.DeadlineExceeded, counts["ep0"] > 8, "%v", counts)
				assert.Equal(t, test.err == context.DeadlineExceeded, ended.EndpointID == "")
				assert.NotContains(t, ended.Error(), "404 Not Found, after", "what it went on without is told already")

				// The endpoint is there again, and goes on from its place.
				handlers["ep1"] = steady(time.Minute)
				client := piped(t, handlers)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				missed := map[string]int{}
				for followed, err := range client.Logs.Follow(ctx, []string{"ep1"}, rpcfleet.FollowOptions{Checkpoint: ended.Checkpoint}) {
					if err == nil {
						missed[followed.Entry.RequestID]++
					}
				}
				for id, times := range missed {
					assert.Equal(t, 1, times, id)
				}
				assert.InDelta(t, time.Since(began).Minutes()+1, counts["ep1"]+len(missed), 1)
			})
		})
	}
}

// TestFollowFailuresAreCountedByEndpoint, so that one that works does not hide that another does not.
func TestFollowFailuresAreCountedByEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := piped(t, logsOf{"ep0": steady(time.Second), "ep1": says(503, "x")})
		for _, err := range client.Logs.Follow(t.Context(), numbered(2), rpcfleet.FollowOptions{From: time.Now()}) {
			if err != nil {
				var ended *rpcfleet.FollowError
				require.ErrorAs(t, err, &ended)
				require.ErrorIs(t, err, rpcfleet.ErrServer)
				assert.Equal(t, "ep1", ended.EndpointID)
				assert.True(t, strings.HasPrefix(err.Error(), `rpcfleet: following the log of endpoint "ep1" ended`), err.Error())
			}
		}
	})
}

// TestFollowPanicsWhereItCanBeRecovered, as other calls do: on the goroutine of the loop.
func TestFollowPanicsWhereItCanBeRecovered(t *testing.T) {
	client := piped(t, nothingNew, rpcfleet.WithHTTPClient(&http.Client{
		Transport: tripper(func(*http.Request) (*http.Response, error) { panic("a transport at fault") }),
	}))
	assert.PanicsWithValue(t, "a transport at fault", func() {
		for range client.Logs.Follow(t.Context(), numbered(2), rpcfleet.FollowOptions{From: time.Now().Add(-time.Hour)}) {
			t.Error("nothing comes")
		}
	})
}
