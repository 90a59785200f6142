package pacer_test

import (
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/contrib/pacer"
)

// The limits in a response may be nonsense. No attempt waits for longer than a window because of them.
func TestAbsurdLimitsDoNotHangAPacer(t *testing.T) {
	seconds := func(after time.Duration) string { return strconv.FormatInt(time.Now().Add(after).Unix(), 10) }
	for name, test := range map[string]struct {
		tell    func() []string
		longest time.Duration // Of ten calls.
	}{
		"nothing":      {func() []string { return nil }, 0},
		"no reset":     {func() []string { return []string{"rpslimit", "5", "rpsremaining", "0"} }, 0},
		"no remainder": {func() []string { return []string{"rpslimit", "5", "rpsreset", seconds(time.Second)} }, 0},
		"a limit of zero": {func() []string {
			return []string{"rpmlimit", "0", "rpmremaining", "0", "rpmreset", seconds(time.Minute)}
		}, 0},
		"a negative limit": {func() []string {
			return []string{"rpmlimit", "-1", "rpmremaining", "-1", "rpmreset", seconds(time.Minute)}
		}, 0},
		"a huge limit": {func() []string {
			return []string{"rpmlimit", "9e99", "rpmremaining", "0", "rpmreset", seconds(time.Minute)}
		}, 0},
		"far in the future": {
			func() []string { return []string{"rpslimit", "5", "rpsremaining", "0", "rpsreset", seconds(time.Hour)} }, 0},
		"in the year 9999": {
			func() []string { return []string{"rpmlimit", "5", "rpmremaining", "0", "rpmreset", "253402300799"} }, 0},
		"in milliseconds": {func() []string {
			return []string{"rpslimit", "5", "rpsremaining", "0", "rpsreset", seconds(time.Second) + "000"}
		}, 0},
		"in 1970": {func() []string { return []string{"rpmlimit", "5", "rpmremaining", "0", "rpmreset", "0"} }, 0},
		"never any left": {func() []string {
			return []string{"rpslimit", "5", "rpsremaining", "0", "rpsreset", seconds(time.Second)}
		}, 10 * time.Second},
		"never any left today": {func() []string {
			return []string{"rpmlimit", "5", "rpmremaining", "0", "rpmreset", seconds(time.Minute)}
		}, 10 * time.Minute},
		"a bit too far away": {
			func() []string {
				return []string{"rpslimit", "5", "rpsremaining", "0", "rpsreset", seconds(4 * time.Second)}
			}, 10 * time.Second,
		},
		"long over": {
			func() []string {
				return []string{"rpslimit", "5", "rpsremaining", "0", "rpsreset", seconds(-time.Minute)}
			}, 10 * time.Second,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := piped(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					says(w, 200, record, test.tell()...)
				}), rpcfleet.WithPacer(new(pacer.Adaptive)))
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
				limit.ObserveRateLimit(rpcfleet.RateLimitState{
					PerSecond: told, PerMinute: told, Date: time.Unix(date, 0), RetryAfter: time.Duration(retryAfter),
				})
			}
		})
	})
}
