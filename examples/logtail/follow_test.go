package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func TestFilters(t *testing.T) {
	inVirtualTime(t, func(t *testing.T, s *service) {
		id := s.CreateEndpoints(1)[0]
		s.log(t, id,
			emulator.LoggedCall{Method: "eth_call"},
			emulator.LoggedCall{Method: "eth_getLogs", Status: 429},
			emulator.LoggedCall{Method: "eth_getBalance", ErrorCode: new(-32000)},
			emulator.LoggedCall{Method: "debug_trace", Status: 503, Network: "polygon-mainnet"},
		)
		for args, want := range map[string]string{
			"":                             "eth_call eth_getLogs eth_getBalance debug_trace",
			"-methods eth_call,debug_*":    "eth_call debug_trace",
			"-methods eth_get*":            "eth_getLogs eth_getBalance",
			"-status 429":                  "eth_getLogs",
			"-status 429,5xx":              "eth_getLogs debug_trace",
			"-networks polygon-mainnet":    "debug_trace",
			"-errors":                      "eth_getLogs eth_getBalance debug_trace",
			"-errors -methods eth_*":       "eth_getLogs eth_getBalance",
			"-errors -status 2xx":          "eth_getBalance",
			"-networks ethereum-mainnet,x": "eth_call eth_getLogs eth_getBalance",
		} {
			out, _ := s.tail(t, time.Second, strings.Fields(args)...)
			assert.ElementsMatch(t, strings.Fields(want), column(out, 4), args)
		}
	})
}

func TestLines(t *testing.T) {
	inVirtualTime(t, func(t *testing.T, s *service) {
		id := s.CreateEndpoints(1)[0]
		at := time.Now().Add(-2 * time.Second)
		request := "00dc6e3a-2b4b-11b2-8000-000000000001"
		s.log(t, id, emulator.LoggedCall{
			Method: "a b\x1b[31m\n", Timestamp: at, ErrorCode: new(-7), HTTPMethod: "GET", RequestID: request, Request: `{"made":"up"}`,
		})
		out, _ := s.tail(t, time.Second)
		assert.Equal(t, "1999-12-31T23:59:58.000000Z "+id+" ethereum-mainnet GET a\ufffdb\ufffd[31m\ufffd 200 -7 "+request+"\n", out)

		for _, details := range []bool{false, true} {
			args := []string{"-o", "json"}
			if details {
				args = append(args, "-details")
			}
			out, _ = s.tail(t, time.Second, args...)
			assert.Equal(t, 1, strings.Count(out, "\n"))
			var followed rpcfleet.FollowedEntry
			require.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(out, `"url"`, `"address"`)), &followed))
			assert.Equal(t, id, followed.EndpointID)
			assert.Equal(t, "a b\x1b[31m\n", followed.Entry.Method)
			assert.Equal(t, details, followed.Entry.Details != nil)
			assert.Equal(t, details, strings.Contains(out, `made`), "%s", out)
		}
	})
}

func TestWhoseLogs(t *testing.T) {
	inVirtualTime(t, func(t *testing.T, s *service) {
		ids := s.CreateEndpoints(2)
		tagged, err := s.AddEndpoint(emulator.EndpointSpec{Chain: "ethereum", Network: "ethereum-mainnet", Tags: []string{"production"}})
		require.NoError(t, err)
		ids = append(ids, tagged)
		for _, id := range ids {
			s.log(t, id, emulator.LoggedCall{Method: "eth_call"})
		}
		for args, want := range map[string][]string{
			"":                                    ids,
			"-tags production,other":              ids[2:],
			"-endpoints " + ids[0] + "," + ids[1]: ids[:2],
			"-endpoints " + ids[0] + ",never-existed": ids[:1],
		} {
			out, errs := s.tail(t, time.Second, strings.Fields(args)...)
			assert.ElementsMatch(t, want, column(out, 1), args)
			if strings.Contains(args, "never") {
				assert.Contains(t, errs, `going on without endpoint "never-existed"`)
			} else {
				assert.Empty(t, errs)
			}
		}
	})
}

// TestTimes are those of -since, -late and -every.
func TestTimes(t *testing.T) {
	inVirtualTime(t, func(t *testing.T, s *service) {
		id := s.CreateEndpoints(1)[0]
		began := time.Now()
		s.log(t, id, emulator.LoggedCall{Method: "old", Timestamp: began.Add(-90 * time.Second)}, emulator.LoggedCall{Method: "new"})
		turnUp := func(late, later string) {
			time.Sleep(100 * time.Second)
			s.log(t, id, emulator.LoggedCall{Method: late, Timestamp: time.Now().Add(-20 * time.Second)})
			s.log(t, id, emulator.LoggedCall{Method: later, Timestamp: time.Now().Add(-70 * time.Second)})
		}
		go turnUp("late", "later")
		out, _ := s.tail(t, 200*time.Second)
		assert.Equal(t, []string{"new", "late"}, column(out, 4))
		calls := s.Calls("listLogs")
		assert.WithinRange(t, calls[1].Time, began.Add(time.Second), began.Add(3*time.Second))
		assert.Less(t, len(calls), 30, "it grows")

		s.ResetCalls()
		began = time.Now()
		go turnUp("late again", "later again")
		out, _ = s.tail(t, 200*time.Second, "-since", "1h", "-late", "90s", "-every", "1s")
		assert.ElementsMatch(t, []string{"old", "new", "late", "later", "late\ufffdagain", "later\ufffdagain"}, column(out, 4))
		assert.WithinRange(t, s.Calls("listLogs")[1].Time, began.Add(time.Second/2), began.Add(time.Second))
	})
}
