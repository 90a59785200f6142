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
