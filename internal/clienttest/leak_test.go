package clienttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
	"github.com/rpcfleet/rpcfleet-go/keyvalue"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/streams"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// leakedToken stands in the path of an endpoint's address.
const leakedToken = "t0k3n-in-the-path"

func withLeakyHeaders(line responder) responder {
	return withHeaders(line, "X-Request-Id", "for "+testKey+" of https://a.example.com/"+leakedToken,
		"Set-Cookie", "session="+leakedToken, "Content-Type", "application/json; key="+testKey+"; token="+leakedToken)
}

// leakyLines are responses with secrets wherever the library may have a text from.
func leakyLines(t *testing.T) map[string]responder {
	t.Helper()
	leaky := fmt.Sprintf(`key %s at https://a.example.com/%s/ or a.example.com/%[2]s or /%[2]s/ with "token":"%[2]s"`,
		testKey, leakedToken)
	body := `{"data":null,"error":` + quoted(t, leaky) + `}`
	queried := fmt.Sprintf(`{"errors":[{"message":%s,"path":["a","https://a.example.com/%s"],
		"extensions":{"code":"token=%[2]s"}},"/%[2]s"]}`, quoted(t, leaky), leakedToken)
	withURL := strings.Replace(record, "t0k3n", leakedToken, 1)
	asJSON := func(body string) responder {
		return withLeakyHeaders(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
	}
	ends := func(end http.HandlerFunc) responder { // In the middle of the body.
		return withHeaders(withLeakyHeaders(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, withURL)
			w.(http.Flusher).Flush()
			end(w, r)
		}), "Content-Length", "1000")
	}
	return map[string]responder{
		"a failure": respondJSON(400, body),
		"a failure, its headers": withLeakyHeaders(
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }),
		"a refusal":                 ok(body),
		"errors of the graph":       ok(queried),
		"a failure of the graph":    respondJSON(400, queried),
		"plain text":                respond("text/plain", 401, leaky),
		"an HTML page":              respond("text/html", 200, "<html>"+leaky),
		"a type of body":            respond("application/x-"+testKey, 200, leaky),
		"cut JSON":                  ok(withURL[:len(withURL)/2]),
		"cut in the token":          asJSON(withURL[:strings.Index(withURL, leakedToken)+5]),
		"another shape":             asJSON(`{"data":[` + withURL + `]}`),
		"text after it":             ok(withURL + "x"),
		"a redirect with the token": redirect("https://elsewhere.example/" + leakedToken),
		"a redirect to no address":  redirect("/" + leakedToken + "%zz"),
		"cut in the key":            ok(`{"data":{"id":"unknown key ` + testKey[:len(testKey)-1]),
		"a header that is none":     respondRaw("HTTP/1.1 200 OK\r\nunknown key " + testKey + "\r\n\r\n"),
		"no HTTP":                   respondRaw("unknown key " + testKey + "\r\n"),
		"a lost connection":         ends(hangUp),
		"too late":                  ends(scriptnet.Wait),
		"too large":                 asJSON(withURL),
	}
}

// TestErrors_hideSecrets looks at errors, at those that they wrap, at the values that hold them, and at dumps.
func TestErrors_hideSecrets(t *testing.T) {
	for name, line := range leakyLines(t) {
		t.Run(name, func(t *testing.T) {
			var dump bytes.Buffer
			var response rpcfleet.Response
			client, _ := scriptedWith(t, with{rpcfleet.WithDump(&dump)}, line)
			options := opts{rpcfleet.WithResponse(&response)}
			switch name {
			case "too late":
				options = append(options, rpcfleet.WithAttemptTimeout(20*time.Millisecond))
			case "too large":
				options = append(options, rpcfleet.WithMaxBodySize(100))
			}
			_, err := get(client, options...)
			require.Error(t, err)
			values := []any{response, &response, rpcfleet.CallResult{Err: err}}
			for _, e := range []error{err, errOf(client.Graph.Collection(t.Context(), "ethereum", "0xa1", options...))} {
				for ; e != nil; e = errors.Unwrap(e) {
					values = append(values, e)
				}
			}
			if page := (*rpcfleet.PageError)(nil); errors.As( // If it is not a record, it may be a list.
				first(client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}, options...)), &page) {
				values = append(values, page, &rpcfleet.FollowError{From: time.Now(), Err: page})
			}
			for _, value := range values {
				hides(t, value, testKey[:len(testKey)-1], leakedToken[:5])
			}
			hidesInPrint(t, client)
			assert.Contains(t, dump.String(), "X-Api-Key: [redacted]\n")
			for _, secret := range []string{testKey[:len(testKey)-1], leakedToken[:5]} {
				assert.NotContains(t, dump.String(), secret)
			}
		})
	}
}

// hidesInPrint checks a value that holds connections. The state of connections is not walked through.
func hidesInPrint(t *testing.T, value any, secrets ...string) {
	t.Helper()
	text := fmt.Sprintf("%v %+v %#v", value, value, value)
	for _, secret := range append(secrets, testKey, leakedToken[:5]) {
		assert.NotContains(t, text, secret)
	}
}

func TestErrors_hideRotatedKey(t *testing.T) {
	client, _ := scriptedWith(t, with{rotating("old-key-0001", "new-key-0002")},
		respondJSON(503, `{"error":"unknown key old-key-0001"}`), hangUp)
	_, err := get(client)
	require.ErrorIs(t, err, rpcfleet.ErrServer)
	hides(t, err, "old-key")
}

func TestErrors_areBoundedInLength(t *testing.T) {
	client, _ := scripted(t, withHeaders(respondJSON(400, `{"error":"`+strings.Repeat("word ", 100_000)+`"}`),
		"X-Request-Id", strings.Repeat("x", 10_000)))
	fault := errorAs[*rpcfleet.Error](t, errOf(get(client)))
	message, cut := strings.CutSuffix(fault.Message, "…")
	assert.True(t, cut)
	assert.True(t, strings.HasPrefix(strings.Repeat("word ", 1000), message))
	assert.InDelta(t, 2<<10, len(message), 4)
	assert.LessOrEqual(t, len(fault.RequestID), 128+len("…"))
}

// TestValidationError_hidesSecrets passes a secret in place of another argument.
func TestValidationError_hidesSecrets(t *testing.T) {
	client, server := scripted(t, ok(record))
	ctx, address := t.Context(), "https://a.example.com/"+leakedToken
	destination, webhook, stream := aDestination, aWebhook, aStream
	destination.ToURL = scalar.NewSecretURL("ftp://a.example.com/" + leakedToken)
	webhook.Destination.URL, stream.Region, stream.Target = destination.ToURL, streams.Region(address), secretTarget
	for name, err := range map[string]error{
		"a status":            client.Endpoints.SetStatus(ctx, "ep1", admin.EndpointStatus(address)),
		"a request id":        errOf(client.Logs.Details(ctx, "ep1", address)),
		"a webhook":           errOf(client.Destinations.Create(ctx, destination)),
		"a webhook's address": errOf(client.Webhooks.Create(ctx, webhook)),
		"a stream's region":   errOf(client.Streams.Create(ctx, stream)),
		"an alerts path":      option(rpcfleet.WithAreaPath("alerts", "/quickalerts?token="+leakedToken)),
		"a user agent":        option(rpcfleet.WithUserAgent("x\n" + address)),
		"a base URL":          option(rpcfleet.WithBaseURL("http://bob:" + leakedToken + "@a.example.com")),
		"an API key":          option(rpcfleet.WithAPIKey(leakedToken + "\n")),
		"variables":           errOf(graph.Query[any](ctx, client.Graph, "{ a }", unwritable{address})),
	} {
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest, name)
		assert.Empty(t, shows(err, leakedToken[:5]), name)
	}
	assert.Empty(t, server.Requests())
}

// unwritable is a variable that cannot be written. Its error quotes it.
type unwritable struct{ text string }

func (u unwritable) MarshalJSON() ([]byte, error) { return nil, errors.New("cannot write " + u.text) }

func option(o rpcfleet.ClientOption) error {
	return errOf(rpcfleet.New(rpcfleet.WithBaseURL("https://a.example.com"), rpcfleet.WithAPIKey("made-up-key-0002"), o))
}

func TestCredentials_hideSecretsWhenPrinted(t *testing.T) {
	header := rpcfleet.WithHeader("x-tenant", leakedToken)
	client := over(t, nil, rpcfleet.WithBearerToken(leakedToken), header)
	for _, value := range []any{rpcfleet.WithAPIKey(testKey), header, client, client.Logs, client.Graph.With(header)} {
		hidesInPrint(t, value)
		for _, text := range reachable(value) { // No connection has been made.
			assert.NotContains(t, []string{testKey, leakedToken}, text)
		}
	}
}

var secretTarget = streams.To(streams.Postgres{Host: "h", Database: "d", Username: "u", TableName: "t",
	Password: scalar.NewSecret(leakedToken), SSLMode: streams.SSLModeRequire})

// TestValues_hideSecretsWhenPrinted has values of the types with secrets, and records that hold them.
func TestValues_hideSecretsWhenPrinted(t *testing.T) {
	const at = leakedToken
	secret, extra := scalar.NewSecret(at), scalar.Extra{}
	address := scalar.NewSecretURL("https://user:" + at + "@name.example.com/" + at + "/a?key=" + at + "#" + at)
	broken := scalar.NewSecretURL("https://" + at + ":port/" + at)
	extra.Add("plan", `{"tier":"`+at+`"}`)
	client, _ := scripted(t, ok(strings.Replace(record, "t0k3n", at, 1)))
	endpoint := must(get(client))(t)
	other := streams.Other{Name: "newer", Attributes: secretTarget.Attributes}
	for _, value := range []any{
		secret, &secret, address, &address, broken, &broken, extra, &extra, reflect.ValueOf(secret),
		errors.Join(fmt.Errorf("first %s", secret), fmt.Errorf("second %+v", []any{address})), endpoint,
		&rpcfleet.Page[admin.Endpoint]{Items: []admin.Endpoint{*endpoint}}, rpcfleet.Credentials{APIKey: secret,
			BearerToken: secret}, &webhooks.Webhook{Destination: webhooks.Destination{SecurityToken: secret}},
		&streams.Stream{Target: secretTarget, ExtraDestinations: []streams.Target{secretTarget}}, secretTarget.Destination(),
		other,
	} {
		hidesInForms(t, value, at[:5])
	}
	assert.Equal(t, "[plan]", fmt.Sprintf("%+v", extra), "the names are shown")
	assert.Contains(t, endpoint.HTTPURL.Reveal(), at)
	again := streams.Target{Kind: "postgres", Attributes: other.Attributes}
	assert.Equal(t, secretTarget.Destination(), again.Destination())
}

// unprintable forges a line of a log, clears a terminal, rings its bell and turns the direction of the text around.
const unprintable = "a\r\nlevel=ERROR forged\x1b[2J\a\u009b31m\u202etxt\u2028é世"

func quoted(t *testing.T, text string) string {
	t.Helper()
	return string(must(json.Marshal(text))(t))
}

// oneLine checks that a text shows all of it, and that nothing of it does anything.
func oneLine(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if !strconv.IsPrint(r) {
			assert.Fail(t, "not printable", "%q in %q", r, text)
		}
	}
}

// TestErrors_escapeControlCharacters has texts that do not print wherever an error may have them from.
func TestErrors_escapeControlCharacters(t *testing.T) {
	said := quoted(t, unprintable)
	for name, test := range map[string]struct {
		line  responder
		shows string
	}{
		"a text":    {respond("text/plain", 400, unprintable), `a\r\nlevel=ERROR forged\x1b[2J\a\u009b31m\u202etxt\u2028é世`},
		"a message": {respondJSON(404, `{"message":`+said+`}`), `\x1b[2J\a\u009b31m\u202e`},
		"a failure": {ok(`{"data":null,"error":` + said + `}`), `\x1b[2J\a\u009b31m\u202e`},
		"errors of the graph": {
			ok(`{"errors":[{"message":` + said + `,"path":[` + said + `],"extensions":{"code":` + said + `}}]}`), `\x1b[2J\a`},
		"headers": {withHeaders(respond("application/x-\u202e\u009b", 200, unprintable), "X-Request-Id", "\u202e\u009b"),
			`\u202e`},
		"a name": {
			ok(`{"data":{"chain":{"collection":{"__typename":"ERC721Collection",` + said + `:1,"name":[]}}}}`), ""},
		"a header that is none": {respondRaw("HTTP/1.1 200 OK\r\nbad \x1b[2J\u202e\r\n\r\n"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			client, _ := scriptedWith(t, with{rpcfleet.WithoutRetries(), logInto(&log)}, test.line)
			_, rest := get(client)
			_, ofGraph := client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa")
			for _, err := range []error{rest, ofGraph} {
				require.Error(t, err)
				for e := err; e != nil; e = errors.Unwrap(e) {
					if e == err || strings.HasPrefix(fmt.Sprintf("%T", e), "*rpcfleet.") {
						oneLine(t, fmt.Sprintf("%v %+v %s %#v", e, e, e, e))
					}
				}
				if fault := (*rpcfleet.Error)(nil); errors.As(err, &fault) {
					oneLine(t, fault.Message+fault.RequestID+fmt.Sprint(fault.GraphQL))
				}
				if unread := (*rpcfleet.DecodeError)(nil); errors.As(err, &unread) {
					oneLine(t, unread.Detail+unread.ContentType)
				}
			}
			assert.Contains(t, fmt.Sprint(rest, ofGraph), test.shows)
			for line := range strings.Lines(log.String()) {
				oneLine(t, strings.TrimSuffix(line, "\n"))
			}
		})
	}
}

// TestRecords_escapeControlCharactersWhenPrinted, in fields and in unknown fields.
func TestRecords_escapeControlCharactersWhenPrinted(t *testing.T) {
	said := quoted(t, unprintable)
	client, _ := scripted(t, ok(strings.ReplaceAll(
		`{"data":{"id":"1","label":SAID,"status":SAID,SAID:{SAID:1},"tags":[{"label":SAID}]},"error":null}`, "SAID", said)))
	endpoint := must(client.Endpoints.Get(t.Context(), "1"))(t)
	assert.Equal(t, unprintable, endpoint.Label, "a field is not changed")
	assert.Equal(t, []string{unprintable}, endpoint.Extra.Names())
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "endpoint", endpoint, "extra", endpoint.Extra)
	oneLine(t, strings.TrimSuffix(log.String(), "\n"))
	oneLine(t, fmt.Sprintf("%v %+v %#v %v", endpoint, *endpoint, endpoint.Extra, endpoint.Extra))
	oneLine(t, string(must(json.Marshal(endpoint.Extra))(t)))
}

// TestExtra_hidesSecretsInMemberNames: the key, a text that looks like a token, and an endpoint's address.
func TestExtra_hidesSecretsInMemberNames(t *testing.T) {
	const token, odd = "5f3a9c0b7e21d4866fa05c1b92e7d3480a6be1c9", "made-up/key+0001"
	members := ""
	for _, name := range []string{testKey, "is " + testKey, token, "QN_" + token,
		"https://a.example.com/" + leakedToken + "/", odd, "region"} {
		members += `,"` + name + `":1`
	}
	for _, record := range []string{ // For the generated decoders, and for the JSON library in two ways.
		`{"data":{"id":"1"%s,"tags":[{"label":"a"%[1]s}]},"error":null}`,
		`{"data":{"id":1%s,"tags":[{"label":"a"%[1]s}]},"error":null}`,
		`{"data":{"id":"1"%s,"\u0070lan":1,"tags":[{"label":"a"%[1]s}]},"error":null}`,
	} {
		client, _ := scriptedWith(t, with{rpcfleet.WithHeader("X-Made-Up", odd)}, ok(fmt.Sprintf(record, members)))
		endpoint := must(get(client))(t)
		for _, extra := range []scalar.Extra{endpoint.Extra, endpoint.Tags[0].Extra} {
			hides(t, extra, testKey, odd)
			hidesInForms(t, extra, token, leakedToken)
			assert.Contains(t, extra.String(), "region")
			assert.Contains(t, extra.Names(), token, "a program finds it")
		}
		hidesInForms(t, endpoint, testKey, odd, token, leakedToken)
	}
}

// TestCursors_credentialIsError in each kind of listing: programs print cursors, and checkpoints contain them.
func TestCursors_credentialIsError(t *testing.T) {
	const credential = "the cursor looks like a credential"
	for cursor, detail := range map[string]string{
		testKey: credential, "at 3 of " + testKey: credential, "made%2Dup-key-0001": credential,
		"https://a.example.com/" + leakedToken: credential, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0." + leakedToken: credential,
		strings.Repeat("c", 4097): "the cursor is longer than 4096 bytes", strings.Repeat("c", 4096): "",
	} {
		client, server := scripted(t, ok(logPage(quoted(t, cursor), logLine("r0", logStart))))
		options := rpcfleet.FollowOptions{From: logStart}
		failures := map[string][]error{"listLogs": {errOf(client.Logs.List(t.Context(), "ep1", anHour)),
			first(client.Logs.All(t.Context(), "ep1", anHour)),
			first(client.Logs.Follow(t.Context(), []string{"ep1"}, options))}}
		server.Play(transactionPage(cursor, "a"), transactionPage("c1", cursor[len("at "):]))
		list := []error{errOf(transactions(client).Page(t.Context()))}
		if strings.HasPrefix(cursor, "at ") { // An edge has it.
			list = append(list, errOf(transactions(client).Page(t.Context())))
		}
		server.Play(ok(`{"code":200,"data":{"keys":[]},"cursor":` + quoted(t, cursor) + `}`))
		failures["ListTransactions"] = list
		failures["listLists"] = []error{errOf(client.KeyValue.Lists(t.Context(), keyvalue.ListValuesParams{}))}
		for operation, errs := range failures {
			for _, err := range errs {
				if detail == "" {
					require.NoError(t, err)
					continue
				}
				failure := errorAs[*rpcfleet.DecodeError](t, err, "%s %s", operation, cursor)
				assert.Equal(t, []any{operation, rpcfleet.ReasonUnexpectedType, detail},
					[]any{failure.Operation, failure.Reason, failure.Detail})
				hides(t, err, testKey, "made%2Dup", leakedToken)
			}
		}
	}
}

func TestCursors_areNotPrinted(t *testing.T) {
	const cursor = "made-up-cursor"
	page := rpcfleet.Page[int]{Items: []int{7}, Cursor: cursor, NextCursor: cursor, Total: 9}
	for _, value := range []any{page, &page, &rpcfleet.PageError{Cursor: cursor, Err: rpcfleet.ErrRepeatedPage}} {
		for _, verb := range []string{"%v", "%+v", "%s", "%q", "%x"} {
			text := fmt.Sprintf(verb, value)
			assert.NotContains(t, text, cursor, verb)
			assert.NotContains(t, text, fmt.Sprintf("%x", cursor), verb)
		}
	}
	assert.Equal(t, "{Items: [7], Total: 9, Limit: 0, Offset: 0, Next: 0, Last: false}", fmt.Sprint(page))
}
