package rpcfleet_test

import (
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// What a service says of its limits may be nonsense. No attempt waits for longer than a window because of it.
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
		"far in the future": {func() []string { return []string{"rpslimit", "5", "rpsremaining", "0", "rpsreset", seconds(time.Hour)} }, 0},
		"in the year 9999":  {func() []string { return []string{"rpmlimit", "5", "rpmremaining", "0", "rpmreset", "253402300799"} }, 0},
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
					tells(says(200, record), test.tell()...)(w, r)
				}), rpcfleet.WithPacer(rpcfleet.NewAdaptivePacer()))
				start := time.Now()
				for range 10 {
					_, err := get(client)
					require.NoError(t, err)
				}
				assert.LessOrEqual(t, time.Since(start), test.longest)
			})
		})
	}
}

// FuzzRateLimitHeaders holds what is read of headers against what a state promises, and a pacer against a window.
func FuzzRateLimitHeaders(f *testing.F) {
	f.Add("50", "49", "946684801", "Sat, 01 Jan 2000 00:00:00 GMT", "3", 429)
	f.Add("50", "0", "946684860", "", "", 200)
	f.Add("-1", "99999999999999999999", "1e9", "yesterday", "Sat, 01 Jan 2000 00:01:00 GMT", 429)
	f.Add("5", "0", "0", "Fri, 31 Dec 9999 23:59:59 GMT", "99999999999999999999", 429)
	f.Add("5", "0", "253402300799", "Mon, 01 Jan 0001 00:00:00 GMT", "-1", 429)
	f.Fuzz(func(t *testing.T, limit, remaining, reset, date, retryAfter string, status int) {
		if status < 200 || status > 999 {
			t.Skip("no final response")
		}
		synctest.Test(t, func(t *testing.T) {
			header := http.Header{
				"Content-Type": {"application/json"}, "Date": {date}, "Retry-After": {retryAfter},
				"X-Ratelimit-Rpslimit": {limit}, "X-Ratelimit-Rpsremaining": {remaining}, "X-Ratelimit-Rpsreset": {reset},
				"X-Ratelimit-Rpmlimit": {limit}, "X-Ratelimit-Rpmremaining": {remaining}, "X-Ratelimit-Rpmreset": {reset},
			}
			client, err := rpcfleet.New(
				rpcfleet.WithBaseURL("http://127.0.0.1"), rpcfleet.WithAPIKey(testKey), rpcfleet.WithoutRetries(),
				rpcfleet.WithPacer(rpcfleet.NewAdaptivePacer()), rpcfleet.WithHTTPClient(&http.Client{Transport: tripper(
					func(*http.Request) (*http.Response, error) {
						return &http.Response{StatusCode: status, Header: header, Body: http.NoBody}, nil
					},
				)}),
			)
			require.NoError(t, err)
			for range 5 {
				start := time.Now()
				_, _ = get(client)
				assert.LessOrEqual(t, time.Since(start), time.Minute)
				state := client.RateLimit()
				assert.Equal(t, state.PerSecond, state.PerMinute)
				assert.GreaterOrEqual(t, state.RetryAfter, time.Duration(0))
				if w := state.PerSecond; w != nil {
					assert.Positive(t, w.Limit)
					assert.GreaterOrEqual(t, w.Remaining, 0)
					assert.LessOrEqual(t, w.Remaining, w.Limit)
					assert.GreaterOrEqual(t, w.Reset.Year(), 1)
					assert.LessOrEqual(t, w.Reset.UTC().Year(), 9999)
				}
			}
		})
	})
}
