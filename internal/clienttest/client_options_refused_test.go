package clienttest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// TestExtrasAreRefused goes through options that cannot be sent. Nothing is, and no value of them is shown.
func TestExtrasAreRefused(t *testing.T) {
	const value = "made-up-value-0001"
	client, server := scripted(t, says(200, record))
	for rule, names := range map[string][]string{
		"is refused: credentials go by WithAPIKey, WithBearerToken and WithCredentialSource": {
			"Authorization", "x-api-key", "X-API-Key", "Cookie", "Cookie2", "Set-Cookie",
			"x_api_key", "X-Api_Key", "X.API.Key", "Set_Cookie",
		},
		"is refused: it frames the message": {
			"Host", "Content-Length", "Content-Encoding", "Content-Range", "Transfer-Encoding", "Connection", "Keep-Alive", "TE", "Trailer",
			"Upgrade", "Expect", "Range", "If-Range", "Accept-Encoding", "HTTP2-Settings",
			"content_length", "Transfer_Encoding",
		},
		"is refused: it is between the client and a proxy": {"Proxy-Authorization", "Proxy-Connection", "proxy_authorization"},
		"is refused: it would make another operation of the call": {
			"X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "X_HTTP_Method_Override",
			"X-Original-URL", "X-Original-URI", "X-Rewrite-URL", "X-Rewrite-URI", "x_original_url",
		},
		"is refused: see WithUserAgent":              {"User-Agent", "user_agent"},
		"is refused: addresses may hold secrets":     {"Referer"},
		"must be a JSON media type: bodies are JSON": {"Content-Type", "Accept", "Content_Type"},
	} {
		for _, name := range names {
			text := "header " + http.CanonicalHeaderKey(name) + " " + rule
			_, err := get(client, rpcfleet.WithHeader(name, value))
			refused(t, err, value, text)
			_, err = rpcfleet.New(rpcfleet.WithHeader(name, value))
			refused(t, err, value, text)
		}
	}
	for _, name := range []string{"", "a b", "a:b", "a\r\nb", ":path", "ä"} {
		_, err := get(client, rpcfleet.WithHeader(name, value))
		refused(t, err, value, "header must have a name that HTTP allows")
	}
	const ascii, spaces = "header X-Tenant must have a value of printable ASCII", "header X-Tenant must have a value without spaces around it"
	for text, rule := range map[string]string{
		value + "\r\nX-Other: 1": ascii, value + "\n": ascii, value + "\x00": ascii, value + "\x1f": ascii, value + "\x7f": ascii, value + "é": ascii,
		" " + value: spaces, value + " ": spaces,
	} {
		_, err := get(client, rpcfleet.WithHeader("X-Tenant", text))
		refused(t, err, value, rule)
	}
	const noJSON = `body member must be of a type that has a JSON form, and %s has none, not "a"`
	for _, test := range []struct {
		opt  rpcfleet.CallOption
		rule string
	}{
		{rpcfleet.WithQueryParam("", value), "query parameter is required"},
		{rpcfleet.WithBodyMember("", value), "body member is required"},
		{rpcfleet.WithBodyMember("a", func() { panic(value) }), fmt.Sprintf(noJSON, "func()")},
		{rpcfleet.WithBodyMember("a", unwritable{value}), fmt.Sprintf(noJSON, "clienttest.unwritable")},
		{rpcfleet.WithBodyMember("a", json.RawMessage(value)), fmt.Sprintf(noJSON, fmt.Sprintf("%T", json.RawMessage{}))},
		{rpcfleet.WithBodyMember("label", value), `body member must not be given: the call has no body, not "label"`},
	} {
		_, err := get(client, test.opt, rpcfleet.WithoutValidation())
		refused(t, err, value, test.rule)
	}
	const divides = "query parameter must not divide the listing: that is up to the method, not %q"
	for _, name := range []string{"limit", "offset"} {
		_, err := client.Endpoints.List(t.Context(), admin.ListEndpointsParams{}, rpcfleet.WithQueryParam(name, value))
		refused(t, err, value, fmt.Sprintf(divides, name))
		for _, err := range client.Notifications.All(t.Context(), alerts.ListNotificationsParams{}, rpcfleet.WithQueryParam(name, value)) {
			refused(t, err, value, fmt.Sprintf(divides, name))
		}
	}
	for _, name := range []string{"limit", "next_at"} {
		for _, err := range client.Logs.All(t.Context(), "ep1", someTime, rpcfleet.WithQueryParam(name, value)) {
			refused(t, err, value, fmt.Sprintf(divides, name))
		}
	}
	_, err := graph.Query[any](t.Context(), client.Graph.With(rpcfleet.WithBodyMember("variables", value)), "{ a }", nil)
	refused(t, err, value, `body member must not be given: a query's own parts are its document and its variables, not "variables"`)
	for _, body := range []any{[]int{1}, 7} {
		_, err = rpcfleet.Do[any](t.Context(), client, rpcfleet.Request{Method: "POST", Path: "/v0/x", Body: body}, rpcfleet.WithBodyMember("a", value))
		refused(t, err, value, `body member must not be given: the body is no object, not "a"`)
	}
	assert.Empty(t, server.Requests())
}

// refused checks that an error is about an argument, names the rule, and does not show a value.
func refused(t *testing.T, err error, value, rule string) {
	t.Helper()
	var invalid *rpcfleet.ValidationError
	require.ErrorAs(t, err, &invalid)
	assert.ErrorContains(t, err, rule)
	assert.Empty(t, shows(err, value))
}

// TestHeadersAreHidden lets a service repeat the value of a header.
func TestHeadersAreHidden(t *testing.T) {
	const value = "made-up-value-0001"
	client, _ := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"`+r.Header.Get("X-Tenant")+` of `+r.Header.Get("X-Kind")+` in `+r.Header.Get("X-Zone")+` is unknown"}`)
	})
	_, err := get(client, rpcfleet.WithHeader("X-Tenant", value), rpcfleet.WithHeader("X-Kind", "kind"), rpcfleet.WithHeader("X-Zone", "zone5"))
	hides(t, err, value)
	assert.ErrorContains(t, err, "[redacted] of kind in [redacted] is unknown")
}
