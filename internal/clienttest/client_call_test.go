package clienttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

const record = `{"data":{"id":"ep1","chain":"ethereum","network":"mainnet","http_url":"https://a.example.com/t0k3n/",` +
	`"is_multichain":false,"security":{},"status":"active"},"error":null}`

func get(c *rpcfleet.Client, opts ...rpcfleet.CallOption) (*admin.SingleEndpoint, error) {
	return c.Endpoints.Get(context.Background(), "ep1", opts...)
}

func TestResponsesThatWork(t *testing.T) {
	for name, line := range map[string]responder{
		"as documented":    respondJSON(200, record),
		"an unknown field": respondJSON(200, strings.Replace(record, `"id":`, `"new":{"deep":[1,2]},"id":`, 1)),
		"another type":     respond("text/plain", 200, record),
		"no type":          respond("", 200, record),
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, line)
			endpoint, err := get(client)
			require.NoError(t, err)
			assert.Equal(t, "ep1", endpoint.ID)
			assert.Equal(t, "https://a.example.com/t0k3n/", endpoint.HTTPURL.Reveal())
		})
	}
	t.Run("an unknown status value", func(t *testing.T) {
		client, _ := scripted(t, respondJSON(200, strings.Replace(record, `"active"`, `"hibernating"`, 1)))
		endpoint, err := get(client)
		require.NoError(t, err)
		require.NotNil(t, endpoint.Status)
		assert.Equal(t, admin.EndpointStatus("hibernating"), endpoint.Status)
		assert.False(t, endpoint.Status.Valid())
	})
	t.Run("a null list", func(t *testing.T) {
		client, _ := scripted(t,
			respondJSON(200, `{"data":null,"pagination":{"total":0,"limit":20,"offset":0},"error":null}`))
		page, err := client.Endpoints.List(t.Context(), admin.ListEndpointsParams{})
		require.NoError(t, err)
		assert.Empty(t, page.Items)
		assert.True(t, page.Last())
	})
}

func TestFailuresByStatus(t *testing.T) {
	sentinels := []error{
		rpcfleet.ErrInvalidRequest, rpcfleet.ErrUnauthorized, rpcfleet.ErrForbidden, rpcfleet.ErrNotFound,
		rpcfleet.ErrConflict, rpcfleet.ErrRateLimited, rpcfleet.ErrServer, rpcfleet.ErrRejected, rpcfleet.ErrConnection,
	}
	for _, test := range []struct {
		line     responder
		sentinel error
		message  string
	}{
		{respondJSON(400, `{"data":null,"error":"bad label"}`), rpcfleet.ErrInvalidRequest, "bad label"},
		{respondJSON(422, `{"errors":[{"message":"bad label"}]}`), rpcfleet.ErrInvalidRequest, "bad label"},
		{respond("text/plain", 401, "Unauthorized"), rpcfleet.ErrUnauthorized, "Unauthorized"},
		{respond("text/html", 403, "<html>no</html>"), rpcfleet.ErrForbidden, "an HTML page instead of JSON"},
		{respondJSON(404, `{"data":null,"error":"endpoint not found"}`), rpcfleet.ErrNotFound, "endpoint not found"},
		{respondJSON(409, ``), rpcfleet.ErrConflict, ""},
		{respondJSON(429, `{}`), rpcfleet.ErrRateLimited, ""},
		{respondJSON(500, `{"data":null,"error":"boom"}`), rpcfleet.ErrServer, "boom"},
		{respond("Text/HTML", 502, "<html></html>"), rpcfleet.ErrServer, "an HTML page instead of JSON"},
		{respond("text/html", 502, "<html><title>Bad gateway</title></html>"), rpcfleet.ErrServer,
			"an HTML page instead of JSON"},
		{respondJSON(200, `{"data":null,"error":"nope"}`), rpcfleet.ErrRejected, "nope"},
	} {
		client, _ := scripted(t, test.line)
		_, err := get(client)
		failure := errorAs[*rpcfleet.Error](t, err)
		assert.Equal(t, test.message, failure.Message)
		assert.Equal(t, "getEndpoint", failure.Operation)
		assert.Equal(t, "/v0/endpoints/{id}", failure.Path)
		assert.Contains(t, err.Error(), "getEndpoint")
		for _, sentinel := range sentinels {
			assert.Equal(t, sentinel == test.sentinel, errors.Is(err, sentinel), "%v is %v", err, sentinel)
		}
	}
}

func TestResponsesThatCannotBeRead(t *testing.T) {
	for name, test := range map[string]struct {
		line   responder
		reason rpcfleet.DecodeReason
		piece  string
	}{
		"an HTML page":   {respond("text/html", 200, "<html>welcome</html>"), rpcfleet.ReasonHTML, "<html>welcome</html>"},
		"a picture":      {respond("image/png", 200, "PNG"), rpcfleet.ReasonContentType, "PNG"},
		"nothing":        {respondJSON(200, ""), rpcfleet.ReasonEmpty, ""},
		"an empty data":  {respondJSON(200, `{"data":null}`), rpcfleet.ReasonNoData, `{"data":null}`},
		"cut JSON":       {respondJSON(200, `{"data":{"id":`), rpcfleet.ReasonTruncated, `{"data":{"id":`},
		"a cut response": {truncate, rpcfleet.ReasonTruncated, `{"data":{"id":"a"`},
		"too much":       {respondJSON(200, strings.Repeat(" ", 1001)), rpcfleet.ReasonTooLarge, ""},
		"text after it": {respondJSON(200, record+"x"), rpcfleet.ReasonTrailingData,
			strings.Replace(record, "/t0k3n/", "/[redacted]", 1) + "x"},
		"no JSON":       {respondJSON(200, `{data}`), rpcfleet.ReasonSyntax, `{data}`},
		"another shape": {respondJSON(200, `{"data":7}`), rpcfleet.ReasonUnexpectedType, `{"data":7}`},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, test.line)
			_, err := get(client, rpcfleet.WithMaxBodySize(1000))
			failure := errorAs[*rpcfleet.DecodeError](t, err)
			assert.Equal(t, test.reason, failure.Reason, failure.Detail)
			assert.Equal(t, test.piece, failure.Body)
			assert.Equal(t, "getEndpoint", failure.Operation)
			assert.Equal(t, 200, failure.StatusCode)
			assert.Contains(t, err.Error(), "getEndpoint")
			assert.Equal(t, name == "a cut response", errors.Is(err, rpcfleet.ErrConnection), "the connection is at fault")
			assert.Equal(t, name == "a cut response", errors.Is(err, io.ErrUnexpectedEOF))
		})
	}
}

func TestACreateWithoutAnID(t *testing.T) {
	for name, body := range map[string]string{
		"an empty record": `{"data":{}}`, "no id": `{"data":{"chain":"ethereum"}}`,
		"an empty id": `{"data":{"id":""}}`, "a null id": `{"data":{"id":null}}`,
	} {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, respondJSON(200, body))
			created, err := client.Endpoints.Create(t.Context(),
				admin.CreateEndpointRequest{Chain: "ethereum", Network: "mainnet"})
			unreadable := errorAs[*rpcfleet.DecodeError](t, err)
			assert.Equal(t, rpcfleet.ReasonNoData, unreadable.Reason)
			assert.Equal(t, "createEndpoint", unreadable.Operation)
			assert.Nil(t, created)
			assert.Len(t, server.Requests(), 1)

			_, err = get(client)
			require.NoError(t, err, "what is read has been named by the caller")
		})
	}
}

func TestNoResponse(t *testing.T) {
	client, server := scripted(t, hangUp)
	_, err := client.Endpoints.Create(t.Context(), admin.CreateEndpointRequest{Chain: "ethereum", Network: "mainnet"})
	require.ErrorIs(t, err, rpcfleet.ErrConnection)
	assert.Len(t, server.Requests(), 1)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = client.Account.Info(ctx)
	require.ErrorIs(t, err, context.Canceled)

	var none context.Context
	var invalid *rpcfleet.ValidationError
	_, err = client.Account.Info(none)
	require.ErrorAs(t, err, &invalid)
	assert.Equal(t, "context", invalid.Field)
	for _, err := range client.Endpoints.All(none, admin.ListEndpointsParams{}, rpcfleet.WithPrefetch(2)) {
		require.ErrorAs(t, err, &invalid)
	}
}

func TestTheLastResponseIsNotLost(t *testing.T) {
	client, _ := scripted(t, respondJSON(503, `{"data":null,"error":"in maintenance"}`), hangUp)
	_, err := get(client)
	failure := errorAs[*rpcfleet.Error](t, err)
	assert.Equal(t, 503, failure.StatusCode)
	assert.Equal(t, 4, failure.Attempts)
	require.ErrorIs(t, err, rpcfleet.ErrConnection)
	require.ErrorIs(t, err, rpcfleet.ErrServer)
}

func TestRetriesEndToEnd(t *testing.T) {
	t.Run("a create responded with 502 is sent once", func(t *testing.T) {
		client, server := scripted(t, respondJSON(502, ``), respondJSON(200, record))
		_, err := client.Endpoints.Create(t.Context(), admin.CreateEndpointRequest{Chain: "ethereum", Network: "mainnet"})
		require.ErrorIs(t, err, rpcfleet.ErrServer)
		assert.Len(t, server.Requests(), 1)
	})
	t.Run("a listing responded with 502 twice succeeds on the third try", func(t *testing.T) {
		client, server := scripted(t, respondJSON(502, ``), respondJSON(502, ``),
			respondJSON(200, `{"data":[],"pagination":{"total":0,"limit":20,"offset":0}}`))
		_, err := client.Endpoints.List(t.Context(), admin.ListEndpointsParams{})
		require.NoError(t, err)
		assert.Len(t, server.Requests(), 3)
	})
	t.Run("a delete whose first response got lost has succeeded", func(t *testing.T) {
		for _, lost := range []responder{hangUp, respondJSON(502, ``)} {
			client, server := scripted(t, lost, respondJSON(404, `{"data":null,"error":"endpoint not found"}`))
			require.NoError(t, client.Endpoints.Archive(t.Context(), "ep1"))
			assert.Len(t, server.Requests(), 2)
		}
	})
	t.Run("a removal whose first response got lost has succeeded", func(t *testing.T) {
		for _, lost := range []responder{hangUp, respondJSON(502, ``)} {
			for _, nothing := range []string{`{"data":false,"error":null}`, `{"data":false}`} {
				client, server := scripted(t, lost, respondJSON(200, nothing))
				require.NoError(t, client.Security.DeleteToken(t.Context(), "ep1", "7"))
				assert.Len(t, server.Requests(), 2)
			}
		}
	})
	t.Run("a removal that is refused for a reason, or that finds nothing at once, has not", func(t *testing.T) {
		for _, script := range [][]responder{
			{hangUp, respondJSON(200, `{"data":false,"error":"the token is in use"}`)},
			{respondJSON(429, ``), respondJSON(200, `{"data":false,"error":null}`)},
			{respondJSON(200, `{"data":false,"error":null}`)},
		} {
			client, _ := scripted(t, script...)
			require.ErrorIs(t, client.Security.DeleteToken(t.Context(), "ep1", "7"), rpcfleet.ErrRejected)
		}
	})
	t.Run("a delete that owes a response has not", func(t *testing.T) {
		client, _ := scripted(t, hangUp, respondJSON(404, `{"data":null,"error":"tag not found"}`))
		outcome, err := client.Endpoints.BulkRemoveTag(t.Context(), []string{"ep1"}, 7)
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
		assert.Equal(t, []string{"ep1"}, outcome.Unconfirmed)
	})
	t.Run("a delete that was held back by a limit and finds nothing has not", func(t *testing.T) {
		client, _ := scripted(t, respondJSON(429, ``), respondJSON(404, `{"data":null,"error":"endpoint not found"}`))
		require.ErrorIs(t, client.Endpoints.Archive(t.Context(), "ep1"), rpcfleet.ErrNotFound)
	})
	t.Run("a delete that finds nothing at once has not", func(t *testing.T) {
		client, _ := scripted(t, respondJSON(404, ``))
		require.ErrorIs(t, client.Endpoints.Archive(t.Context(), "ep1"), rpcfleet.ErrNotFound)
	})
	t.Run("the wanted delay is in the error", func(t *testing.T) {
		client, _ := scripted(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		})
		_, err := get(client)
		failure := errorAs[*rpcfleet.Error](t, err)
		assert.Equal(t, time.Hour, failure.RetryAfter)
		assert.Equal(t, 1, failure.Attempts)
		assert.Contains(t, err.Error(), "retry after 1h0m0s")
	})
	t.Run("no retries when there shall be none", func(t *testing.T) {
		client, server := scripted(t, respondJSON(502, ``))
		_, err := get(client, rpcfleet.WithoutRetries())
		require.ErrorIs(t, err, rpcfleet.ErrServer)
		assert.Len(t, server.Requests(), 1)
	})
}

func TestConfirmations(t *testing.T) {
	for body, happened := range map[string]bool{
		`{"result": true}`: true, `{}`: true, ``: true, `{"data":true,"error":null}`: true,
		`{"data":false}`: false, `{"data":{"success":false}}`: false, `{"result":false}`: false,
	} {
		client, _ := scripted(t, respondJSON(200, body))
		err := client.Endpoints.Archive(t.Context(), "ep1")
		if happened {
			require.NoError(t, err, body)
		} else {
			require.ErrorIs(t, err, rpcfleet.ErrRejected, body)
		}
	}
}

func TestPathArguments(t *testing.T) {
	for id, want := range map[string]string{
		"a/b":        "/v0/endpoints/a%2Fb",
		"ü?#":        "/v0/endpoints/%C3%BC%3F%23",
		"100%":       "/v0/endpoints/100%25",
		"..;":        "/v0/endpoints/..%3B",
		"a/../b":     "/v0/endpoints/a%2F..%2Fb",
		"...":        "/v0/endpoints/...",
		" ":          "/v0/endpoints/%20",
		"a b+c&d=e":  "/v0/endpoints/a%20b+c&d=e",
		"\x00\n\xff": "/v0/endpoints/%00%0A%FF",
	} {
		client, server := scripted(t, respondJSON(200, record))
		_, err := client.Endpoints.Get(t.Context(), id)
		require.NoError(t, err, "%q", id)
		require.Len(t, server.Requests(), 1)
		got := server.Requests()[0].Path
		assert.Equal(t, strings.Count(want, "/"), strings.Count(got, "/"), "%q is one part of %s", id, got)
		assert.Equal(t, want, got)
	}
	for _, id := range []string{"", ".", ".."} {
		client, server := scripted(t, respondJSON(200, record))
		for _, opts := range [][]rpcfleet.CallOption{nil, {rpcfleet.WithoutValidation()}} {
			err := client.Endpoints.Archive(t.Context(), id, opts...)
			invalid := errorAs[*rpcfleet.ValidationError](t, err, "%q", id)
			assert.Equal(t, "id", invalid.Field)
		}
		assert.Empty(t, server.Requests())
	}
}

func TestCaptureResponse(t *testing.T) {
	client, _ := scripted(t, respondJSON(502, ``), func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{
			"x-ratelimit-rpslimit": "50", "x-ratelimit-rpsremaining": "49", "x-ratelimit-rpsreset": "1794000000",
			"x-ratelimit-rpmlimit": "900", "x-ratelimit-rpmremaining": "0",
		} {
			w.Header().Set(name, value)
		}
		respondJSON(200, record)(w, r)
	})
	var response rpcfleet.Response
	_, err := get(client, rpcfleet.WithResponse(&response))
	require.NoError(t, err)
	assert.Equal(t, 200, response.StatusCode)
	assert.Equal(t, record, string(response.Body()))
	assert.Equal(t, 2, response.Attempts)
	assert.Positive(t, response.Duration)
	summary := fmt.Sprintf("200 OK, %d bytes, 2 attempts", len(record))
	assert.Equal(t, summary, response.String())
	assert.Equal(t, summary, response.LogValue().String())
	text, err := json.Marshal(response)
	require.NoError(t, err)
	assert.Equal(t, strconv.Quote(summary), string(text))
	assert.Equal(t, &rpcfleet.RateLimitWindow{Limit: 50, Remaining: 49, Reset: time.Unix(1794000000, 0)},
		response.RateLimit.PerSecond)
	assert.Equal(t, &rpcfleet.RateLimitWindow{Limit: 900}, response.RateLimit.PerMinute)

	_, err = client.Endpoints.Get(t.Context(), "", rpcfleet.WithResponse(&response))
	require.Error(t, err)
	assert.Zero(t, response, "nothing is left of the call before")

	client, _ = scripted(t, respondJSON(404, `{"error":"gone"}`))
	_, err = get(client, rpcfleet.WithResponse(&response))
	require.Error(t, err)
	assert.Equal(t, 404, response.StatusCode)
	assert.Equal(t, `{"error":"gone"}`, string(response.Body()))
	assert.Nil(t, response.RateLimit.PerSecond)
}

func TestATimeThatCannotBeWrittenIsRefused(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{"data":[]}`))
	far := scalar.NewTime(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
	_, err := client.Logs.List(t.Context(), "ep1", admin.ListLogsParams{From: far, To: far})
	require.ErrorContains(t, err, "listLogs: request cannot be built")
	assert.Empty(t, server.Requests())
}
