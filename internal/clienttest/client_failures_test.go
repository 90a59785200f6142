package clienttest

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// TestAnErrorTellsAllThatIsKnown of the last response and of the attempts.
func TestAnErrorTellsAllThatIsKnown(t *testing.T) {
	body := `{"error":"bad label","more":"` + strings.Repeat("no ", 700) + `"}`
	client, _ := scripted(t, respondJSON(503, ``),
		withHeaders(respondJSON(409, body), "X-Request-Id", "r-1", "Retry-After", "90"))
	_, err := get(client)
	failure := errorAs[*rpcfleet.Error](t, err)
	assert.Equal(t, "getEndpoint", failure.Operation)
	assert.Equal(t, http.MethodGet, failure.Method)
	assert.Equal(t, "/v0/endpoints/{id}", failure.Path)
	assert.Equal(t, 409, failure.StatusCode)
	assert.Equal(t, "bad label", failure.Message)
	assert.Equal(t, body[:1<<10]+"…", failure.Body, "a piece of it")
	assert.Equal(t, "r-1", failure.RequestID)
	assert.Equal(t, 90*time.Second, failure.RetryAfter)
	assert.Equal(t, 2, failure.Attempts)
	assert.False(t, failure.RetryBudgetExhausted)
	require.NoError(t, failure.Unwrap())
	assert.Equal(t, "rpcfleet: getEndpoint: 409 Conflict: bad label"+
		" (GET /v0/endpoints/{id}, 2 attempts, retry after 1m30s, request id r-1)", err.Error())
}

func TestARedirectThatIsNotFollowedSaysWhy(t *testing.T) {
	const words = "a redirect that is not followed: it leads to another origin, changes the method or cannot be read"
	for name, test := range map[string]struct {
		status       int
		location     string
		message      string
		maybe, write bool
	}{
		"of a read":            {302, "https://other.example/", words, false, false},
		"of a write":           {302, "https://other.example/", words, true, true},
		"the first status":     {300, "https://other.example/", words, true, true},
		"the last status":      {399, "https://other.example/", words, true, true},
		"to nowhere":           {302, "", "moved", true, true},
		"no redirect any more": {400, "https://other.example/", "moved", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, withHeaders(respond("text/plain", test.status, "moved"), "Location", test.location))
			call := func() error { return errOf(get(client)) }
			if test.write {
				call = func() error {
					return errOf(
						client.Endpoints.Create(t.Context(), admin.CreateEndpointRequest{Chain: "ethereum", Network: "mainnet"}))
				}
			}
			failure := errorAs[*rpcfleet.Error](t, call())
			assert.Equal(t, test.message, failure.Message)
			assert.Equal(t, test.status, failure.StatusCode)
			assert.Equal(t, test.maybe, errors.Is(failure, rpcfleet.ErrOutcomeUnknown))
			assert.Len(t, server.Requests(), 1)
		})
	}
}

// TestAnErrorIsNothingElse: an error matches the meaning of its status, and no other.
func TestAnErrorIsNothingElse(t *testing.T) {
	client, _ := scripted(t, respondJSON(404, `{"error":"gone"}`))
	_, err := get(client)
	require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	for _, other := range []error{
		rpcfleet.ErrOutcomeUnknown, rpcfleet.ErrNoRecord, rpcfleet.ErrRepeatedPage, rpcfleet.ErrExpiredToken,
		errors.New("rpcfleet: not found"),
	} {
		assert.NotErrorIs(t, err, other)
	}
}

// TestAnUnreadableResponseTellsAllThatIsKnown, if it was cut short and if it came whole.
func TestAnUnreadableResponseTellsAllThatIsKnown(t *testing.T) {
	for name, test := range map[string]struct {
		line   responder
		reason rpcfleet.DecodeReason
		body   string
	}{
		"cut short": {truncate, rpcfleet.ReasonTruncated, `{"data":{"id":"a"`},
		"whole":     {respondJSON(200, `{"data":7}`), rpcfleet.ReasonUnexpectedType, `{"data":7}`},
	} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, respondJSON(503, ``),
				withHeaders(test.line, "X-Request-Id", "r-1", "Content-Type", "application/json"))
			client := server.client(t, rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 2}))
			_, err := get(client)
			failure := errorAs[*rpcfleet.DecodeError](t, err)
			assert.Equal(t, "getEndpoint", failure.Operation)
			assert.Equal(t, http.MethodGet, failure.Method)
			assert.Equal(t, "/v0/endpoints/{id}", failure.Path)
			assert.Equal(t, test.reason, failure.Reason)
			assert.NotEmpty(t, failure.Detail)
			assert.Equal(t, 200, failure.StatusCode)
			assert.Equal(t, "application/json", failure.ContentType)
			assert.Equal(t, test.body, failure.Body)
			assert.Equal(t, "r-1", failure.RequestID)
			assert.Equal(t, 2, failure.Attempts)
			assert.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, "it only reads")
		})
	}
}

// TestWhatTheSentinelsSay checks the text of a wrapped sentinel in a log.
func TestWhatTheSentinelsSay(t *testing.T) {
	for want, sentinel := range map[string]error{
		"invalid request": rpcfleet.ErrInvalidRequest, "unauthorized": rpcfleet.ErrUnauthorized,
		"forbidden": rpcfleet.ErrForbidden,
		"not found": rpcfleet.ErrNotFound, "conflict": rpcfleet.ErrConflict, "rate limited": rpcfleet.ErrRateLimited,
		"server error": rpcfleet.ErrServer, "rejected": rpcfleet.ErrRejected, "connection failed": rpcfleet.ErrConnection,
		"the service may have executed the call":                        rpcfleet.ErrOutcomeUnknown,
		"executed, but the response has no record":                      rpcfleet.ErrNoRecord,
		"the service repeats a page":                                    rpcfleet.ErrRepeatedPage,
		"the listing ended before its total":                            rpcfleet.ErrIncompleteListing,
		"the service returned a session token that has already expired": rpcfleet.ErrExpiredToken,
	} {
		assert.EqualError(t, sentinel, "rpcfleet: "+want)
	}
}
