package acceptance

import (
	"cmp"
	"fmt"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// soakFault is a fault of the soak, and the name of its kind in the report.
type soakFault struct {
	kind string
	emulator.Fault
}

// soakFaults are faults of every kind. Together they hit about a quarter of the requests. The rarer ones of an
// operation come first, since the first fault that a request meets decides.
func soakFaults() []soakFault {
	var all []soakFault
	add := func(kind string, probability float64, fault emulator.Fault, operations ...string) {
		if len(operations) == 0 {
			operations = []string{""}
		}
		fault.Probability = probability
		for _, operation := range operations {
			fault.Operation = operation
			all = append(all, soakFault{cmp.Or(kind, string(fault.Effect)), fault})
		}
	}
	add("latency", 0.05, emulator.Fault{Latency: 2 * time.Millisecond})

	// Slow ones are for operations with short responses, reads and writes.
	add("", 0.01, emulator.Fault{Effect: emulator.EffectSlowBody, Interval: time.Microsecond},
		"getEndpoint", "createEndpoint", "updateEndpoint", "addIP", "listTeams", "createDestination")

	// If a first page was lowered and comes again in full, no client can distinguish it from another page, unless it knows
	// the items. So only listings with items known by their ids have both.
	lists := []string{"listDestinations", "listNotifications", "listNotificationEvents"}
	add("", 0.05, emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 7}, append(lists, "listEndpoints")...)
	add("", 0.03, emulator.Fault{Effect: emulator.EffectRepeatPage}, append(lists, "listLogs", "graph")...)
	add("", 0.03, emulator.Fault{Effect: emulator.EffectRepeatCursor})

	// A program can recognize each change in a record: a new member, and no record or no id.
	add("", 0.01, emulator.Fault{Effect: emulator.EffectSetField, Pointer: "/data/mood", Value: "good"})
	add("", 0.01, emulator.Fault{Effect: emulator.EffectSetField, Pointer: "/mood", Value: "good"})
	add("", 0.008, emulator.Fault{Effect: emulator.EffectSetField, Pointer: "/data", Value: 7})
	add("", 0.02, emulator.Fault{Effect: emulator.EffectSetField, Pointer: "/data/0", Value: 7},
		"listTeams", "listChains", "listEndpoints", "listTeamEndpoints", "getSecurityOptions")
	add("", 0.008, emulator.Fault{Effect: emulator.EffectRemoveField, Pointer: "/data"})
	add("", 0.04, emulator.Fault{Effect: emulator.EffectRemoveField, Pointer: "/data/id"}, "createEndpoint", "createTeam",
		"inviteTeamMember", "createMethodRateLimit", "addIP", "addReferrer", "addJWT", "createToken", "addRequestFilter")
	add("", 0.04, emulator.Fault{Effect: emulator.EffectRemoveField, Pointer: "/id"}, "createDestination",
		"createNotification")

	for _, effect := range []emulator.Effect{
		emulator.EffectCloseConnection, emulator.EffectResetBeforeResponse, emulator.EffectLoseResponse,
		emulator.EffectResetDuringResponse, emulator.EffectResetAfterResponse,
		emulator.EffectTruncate, emulator.EffectWrongContentLength, emulator.EffectInvalidGzip,
	} {
		add("", 0.012, emulator.Fault{Effect: effect})
	}
	add("", 0.006, emulator.Fault{Effect: emulator.EffectWrongContentType})
	add("", 0.006, emulator.Fault{Effect: emulator.EffectWrongContentType, ContentType: "image/png"})
	add("", 0.008, emulator.Fault{Effect: emulator.EffectHTML})
	add("", 0.008, emulator.Fault{Effect: emulator.EffectHTML, Status: 502})
	add("", 0.008, emulator.Fault{Effect: emulator.EffectRedirect})
	add("", 0.002, emulator.Fault{Effect: emulator.EffectEndlessBody})

	for _, status := range []int{408, 425, 429, 500, 502, 503, 504} {
		add(fmt.Sprintf("status %d", status), 0.006, emulator.Fault{Status: status})
	}
	for _, retryAfter := range []string{"0", "-5", "soon", "99999999999999999999", "3600"} {
		add("status 429, Retry-After", 0.002, emulator.Fault{Status: 429, RetryAfter: retryAfter})
	}
	add("status 429, Retry-After", 0.0005, emulator.Fault{Status: 429, RetryAfter: "1"})
	for _, retryAfter := range []string{"Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"} {
		add("status 503, Retry-After", 0.003, emulator.Fault{Status: 503, RetryAfter: retryAfter})
	}
	return all
}
