package pacer_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/contrib/pacer"
)

// The limits in a response may be nonsense. No attempt waits for longer than a window because of them.
func TestAdaptive_absurdLimitsWaitAtMostAWindow(t *testing.T) {
	for _, test := range []struct {
		headers string        // A number of seconds with a sign is a time from now on.
		longest time.Duration // Of ten calls.
	}{
		{"", 0},
		{"rpslimit 5 rpsremaining 0", 0},
		{"rpslimit 5 rpsreset +1", 0},
		{"rpmlimit 0 rpmremaining 0 rpmreset +60", 0},
		{"rpmlimit - rpmremaining - rpmreset +60", 0},
		{"rpmlimit 9e99 rpmremaining 0 rpmreset +60", 0},
		{"rpslimit 5 rpsremaining 0 rpsreset +3600", 0},
		{"rpmlimit 5 rpmremaining 0 rpmreset 253402300799", 0}, // The year 9999.
		{"rpslimit 5 rpsremaining 0 rpsreset 946684801000", 0}, // Milliseconds; a bubble begins in 2000.
		{"rpmlimit 5 rpmremaining 0 rpmreset 0", 0},
		{"rpslimit 5 rpsremaining 0 rpsreset +1", 10 * time.Second},
		{"rpmlimit 5 rpmremaining 0 rpmreset +60", 10 * time.Minute},
		{"rpslimit 5 rpsremaining 0 rpsreset +4", 10 * time.Second},
		{"rpslimit 5 rpsremaining 0 rpsreset -60", 10 * time.Second},
	} {
		t.Run(test.headers, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := piped(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					headers := strings.Fields(test.headers)
					for i, value := range headers {
						if after, err := time.ParseDuration(value + "s"); err == nil && strings.ContainsAny(value[:1], "+-") {
							headers[i] = strconv.FormatInt(time.Now().Add(after).Unix(), 10)
						} else if value == "-" {
							headers[i] = "-1"
						}
					}
					says(w, 200, record, headers...)
				}), new(pacer.Adaptive).ClientOptions()...)
				start := time.Now()
				for range 10 {
					_, err := get(t, client)
					require.NoError(t, err)
				}
				assert.LessOrEqual(t, time.Since(start), test.longest)
			})
		})
	}
}

// FuzzObserve gives a pacer any values: no attempt waits for longer than a window, or than a refusal may demand.
func FuzzObserve(f *testing.F) {
	f.Add(50, 49, int64(946684801), int64(946684800), int64(3e9))
	f.Add(50, 0, int64(946684860), int64(0), int64(0))
	f.Add(5, 0, int64(253402300799), int64(-62135596800), int64(-1))
	f.Add(5, -7, int64(1), int64(253402300799), int64(1<<62))
	f.Fuzz(func(t *testing.T, allowed, remaining int, reset, date, retryAfter int64) {
		if min(reset, date) < -62135596800 || max(reset, date) > 253402300799 || allowed <= 0 || remaining > allowed {
			t.Skip("not what a state can hold")
		}
		synctest.Test(t, func(t *testing.T) {
			limit := new(pacer.Adaptive)
			for range 5 {
				start := time.Now()
				require.NoError(t, limit.Wait(t.Context()))
				assert.LessOrEqual(t, time.Since(start), time.Minute)
				told := window(allowed, remaining, reset)
				observe(limit, rpcfleet.RateLimitState{
					PerSecond: told, PerMinute: told, Date: time.Unix(date, 0), RetryAfter: time.Duration(retryAfter),
				})
			}
		})
	})
}
