package clienttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/graph"
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

func leakyLines(t *testing.T) map[string]responder {
	t.Helper()
	leaky := fmt.Sprintf(`key %s at https://a.example.com/%s/ or a.example.com/%[2]s or /%[2]s/ with "token":"%[2]s"`,
		testKey, leakedToken)
	body := `{"data":null,"error":` + quoted(t, leaky) + `}`
	withURL := strings.Replace(record, "t0k3n", leakedToken, 1)
	asJSON := func(body string) responder {
		return withLeakyHeaders(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
	}
	return map[string]responder{
		"a failure": respondJSON(400, body),
		"a failure, its headers": withLeakyHeaders(
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }),
		"a refusal":                 respondJSON(200, body),
		"plain text":                respond("text/plain", 401, leaky),
		"an HTML page":              respond("text/html", 200, "<html>"+leaky),
		"a type of body":            respond("application/x-"+testKey, 200, leaky),
		"cut JSON":                  respondJSON(200, withURL[:len(withURL)/2]),
		"cut in the token":          asJSON(withURL[:strings.Index(withURL, leakedToken)+5]),
		"another shape":             asJSON(`{"data":[` + withURL + `]}`),
		"text after it":             respondJSON(200, withURL+"x"),
		"a redirect with the token": redirect("https://elsewhere.example/" + leakedToken),
		"a redirect to no address":  redirect("/" + leakedToken + "%zz"),
		"cut in the key":            respondJSON(200, `{"data":{"id":"unknown key `+testKey[:len(testKey)-1]),
		"a header that is none":     respondRaw("HTTP/1.1 200 OK\r\nunknown key " + testKey + "\r\n\r\n"),
		"no HTTP":                   respondRaw("unknown key " + testKey + "\r\n"),
		"a lost connection":         withLeakyHeaders(truncate),
	}
}

// TestErrors_hideSecrets looks at the errors of calls and of iterations, at the values that hold them, and at dumps.
func TestErrors_hideSecrets(t *testing.T) {
	for name, line := range leakyLines(t) {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, line)
			var dump bytes.Buffer
			client := server.client(t, rpcfleet.WithDump(&dump))
			var response rpcfleet.Response
			_, err := get(client, rpcfleet.WithResponse(&response))
			require.Error(t, err)
			for _, ended := range client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}) {
				var page *rpcfleet.PageError
				if !errors.As(ended, &page) {
					continue // If it is not a record, it is a list.
				}
				followed := &rpcfleet.FollowError{From: time.Now(), Err: page}
				for _, value := range []any{err, page, followed, rpcfleet.CallResult{Err: page}, &response} {
					hides(t, value, testKey[:len(testKey)-1], leakedToken[:5])
				}
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
	_, server := scripted(t, respondJSON(503, `{"error":"unknown key old-key-0001"}`), hangUp)
	_, err := get(server.client(t, rotating("old-key-0001", "new-key-0002")))
	require.ErrorIs(t, err, rpcfleet.ErrServer)
	assert.NotContains(t, fmt.Sprintf("%v %+v", err, err), "old-key")
}

func TestGraphErrors_hideSecrets(t *testing.T) {
	body := fmt.Sprintf(`{"errors":[{"message":"key %s","path":["a","https://a.example.com/%s"],
		"extensions":{"code":"token=%[2]s"}},"/%[2]s"]}`, testKey, leakedToken)
	for _, status := range []int{200, 400, 403} {
		client, _ := scripted(t, respondJSON(status, body))
		_, err := client.Graph.Collection(t.Context(), "ethereum", "0xa1")
		failure := errorAs[*rpcfleet.Error](t, err)
		require.Len(t, failure.GraphQL, 2)
		assert.Equal(t, rpcfleet.GraphQLError{
			Message: "key [redacted]", Path: "a.https://a.example.com/[redacted]", Code: "token=[redacted]",
		}, failure.GraphQL[0])
		hides(t, err, testKey, leakedToken)
	}
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
	client, server := scripted(t, respondJSON(200, record))
	address := "https://a.example.com/" + leakedToken
	for name, do := range map[string]func() error{
		"a status":     func() error { return client.Endpoints.SetStatus(t.Context(), "ep1", admin.EndpointStatus(address)) },
		"a request id": func() error { return errOf(client.Logs.Details(t.Context(), "ep1", address)) },
		"a webhook": func() error {
			destination := aDestination
			destination.ToURL = scalar.NewSecretURL("ftp://a.example.com/" + leakedToken)
			return errOf(client.Destinations.Create(t.Context(), destination))
		},
		"a webhook's address": func() error {
			return errOf(client.Webhooks.Create(t.Context(), webhooks.CreateWebhookRequest{Name: "x", Network: "y",
				FilterFunction: "z", Status: "active", Destination: webhooks.Destination{
					URL: scalar.NewSecretURL("ftp://a.example.com/" + leakedToken), Compression: "none"}}))
		},
		"a stream's region": func() error {
			return errOf(client.Streams.Create(t.Context(), streams.CreateStreamRequest{Name: "x", Network: "y", Dataset: "z",
				Status: "active", Region: streams.Region(address), Target: secretTarget}))
		},
		"an alerts path": func() error { return option(rpcfleet.WithAreaPath("alerts", "/quickalerts?token="+leakedToken)) },
		"a user agent":   func() error { return option(rpcfleet.WithUserAgent("x\n" + address)) },
		"a base URL":     func() error { return option(rpcfleet.WithBaseURL("http://bob:" + leakedToken + "@a.example.com")) },
		"an API key":     func() error { return option(rpcfleet.WithAPIKey(leakedToken + "\n")) },
		"variables": func() error {
			return errOf(graph.Query[any](t.Context(), client.Graph, "{ a }", unwritable{address}))
		},
	} {
		err := do()
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest, name)
		assert.Empty(t, shows(err, leakedToken[:5]), name)
	}
	assert.Empty(t, server.Requests())
}

// unwritable is a variable that cannot be written. Its error quotes it.
type unwritable struct{ text string }

func (u unwritable) MarshalJSON() ([]byte, error) { return nil, errors.New("cannot write " + u.text) }

func option(o rpcfleet.ClientOption) error {
	_, err := rpcfleet.New(rpcfleet.WithBaseURL("https://a.example.com"), rpcfleet.WithAPIKey("made-up-key-0002"), o)
	if err == nil {
		return errors.New("the option was accepted")
	}
	return err
}

func TestRecords_hideSecretsWhenPrinted(t *testing.T) {
	client, _ := scripted(t, respondJSON(200, strings.Replace(record, "t0k3n", leakedToken, 1)))
	endpoint := must(get(client))(t)
	hidesInForms(t, endpoint, leakedToken[:5])
	hidesInForms(t, &rpcfleet.Page[admin.Endpoint]{Items: []admin.Endpoint{*endpoint}}, leakedToken[:5])
	assert.Contains(t, endpoint.HTTPURL.Reveal(), leakedToken)

	hook := webhooks.Webhook{Destination: webhooks.Destination{SecurityToken: scalar.NewSecret(leakedToken)}}
	hidesInForms(t, &hook, leakedToken[:5])
	hidesInForms(t, &streams.Stream{Target: secretTarget, ExtraDestinations: []streams.Target{secretTarget}},
		leakedToken[:5])
	hidesInForms(t, secretTarget.Destination(), leakedToken[:5])
	other := streams.Other{Name: "newer", Attributes: secretTarget.Attributes}
	hidesInForms(t, other, leakedToken[:5])
	assert.Equal(t, secretTarget.Destination(), streams.Target{Kind: "postgres",
		Attributes: other.Attributes}.Destination())
}

// secretTarget is a destination with a credential in it.
var secretTarget = streams.To(streams.Postgres{Host: "h", Database: "d", Username: "u",
	Password: scalar.NewSecret(leakedToken), TableName: "t", SSLMode: streams.SSLModeRequire})

func TestCredentials_hideSecretsWhenPrinted(t *testing.T) {
	_, server := scripted(t, respondJSON(200, record))
	header := rpcfleet.WithHeader("x-tenant", leakedToken)
	client := server.client(t, rpcfleet.WithBearerToken(leakedToken), header)
	for _, value := range []any{rpcfleet.WithAPIKey(testKey), header, client, client.Endpoints, client.Graph.With(header)} {
		hidesInPrint(t, value)
		for _, text := range reachable(value) { // No connection has been made.
			assert.NotContains(t, []string{testKey, leakedToken}, text)
		}
	}
	hidesInForms(t, rpcfleet.Credentials{APIKey: scalar.NewSecret(testKey), BearerToken: scalar.NewSecret(leakedToken)},
		testKey, leakedToken)
}

func TestResponse_hidesBodyWhenPrinted(t *testing.T) {
	client, _ := scripted(t, withHeaders(respondJSON(200, strings.Replace(record, "t0k3n", leakedToken, 1)),
		"Set-Cookie", "session="+leakedToken))
	var response rpcfleet.Response
	require.NoError(t, errOf(get(client, rpcfleet.WithResponse(&response))))
	assert.Contains(t, string(response.Body()), leakedToken, "whoever asks for the body gets it")
	assert.Contains(t, response.Header().Get("Set-Cookie"), leakedToken)
	hides(t, &response, leakedToken)
	hides(t, response, leakedToken)
}

func TestErrors_unwrappedHideSecrets(t *testing.T) {
	const secret = "made-up-token-0123456789"
	synctest.Test(t, func(t *testing.T) {
		client, _ := clocked(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Set-Cookie", "session="+secret)
			w.Header().Set("Content-Length", "1000")
			_, _ = fmt.Fprintf(w, `{"data":{"token":%q`, secret)
			w.(http.Flusher).Flush()
			if r.Method == http.MethodPost {
				<-r.Context().Done()
				return
			}
			panic(http.ErrAbortHandler)
		})
		_, cut := get(client)
		_, late := client.Tooling.CreateToken(t.Context(), rpcfleet.WithAttemptTimeout(time.Second))
		_, large := get(client, rpcfleet.WithMaxBodySize(10))
		for name, err := range map[string]error{"cut": cut, "late": late, "large": large} {
			require.Error(t, err, name)
			for ; err != nil; err = errors.Unwrap(err) {
				text, marshalErr := json.Marshal(err)
				require.NoError(t, marshalErr)
				for _, shown := range []string{string(text), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err)} {
					assert.NotContains(t, shown, secret, name)
					assert.NotContains(t, shown, "Set-Cookie", name)
					assert.NotContains(t, shown, "eyJ", "%s: in base64", name)
				}
			}
		}
	})
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
	typed := func(contentType string) responder {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = []string{contentType}
			w.Header()["X-Request-Id"] = []string{contentType}
			_, _ = w.Write([]byte(unprintable))
		}
	}
	for name, test := range map[string]struct {
		line  responder
		shows string
	}{
		"a text": {respond("text/plain", 400, unprintable),
			`a\r\nlevel=ERROR forged\x1b[2J\a\u009b31m\u202etxt\u2028é世`},
		"a message": {respondJSON(404, `{"message":`+said+`}`), `\x1b[2J\a\u009b31m\u202e`},
		"a failure": {respondJSON(200, `{"data":null,"error":`+said+`}`), `\x1b[2J\a\u009b31m\u202e`},
		"errors of the graph": {
			respondJSON(200, `{"errors":[{"message":`+said+`,"path":[`+said+`],"extensions":{"code":`+said+`}}]}`), `\x1b[2J\a`},
		"a content type": {typed("application/x-\u202e\u009b"), `\u202e`},
		"a name": {
			respondJSON(200, `{"data":{"chain":{"collection":{"__typename":"ERC721Collection",`+said+`:1,"name":[]}}}}`), ""},
		"a header that is none": {respondRaw("HTTP/1.1 200 OK\r\nbad \x1b[2J\u202e\r\n\r\n"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			_, server := scripted(t, test.line, test.line)
			client := server.client(t, rpcfleet.WithoutRetries(),
				rpcfleet.WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
			_, rest := get(client)
			_, ofGraph := client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa")
			for _, err := range []error{rest, ofGraph} {
				require.Error(t, err)
				for e := err; e != nil; e = errors.Unwrap(e) {
					if e == err || strings.HasPrefix(fmt.Sprintf("%T", e), "*rpcfleet.") {
						oneLine(t, fmt.Sprintf("%v %+v %s %#v", e, e, e, e))
					}
				}
				var fault *rpcfleet.Error
				if errors.As(err, &fault) {
					oneLine(t, fault.Message+fault.RequestID+fmt.Sprint(fault.GraphQL))
				}
				var unread *rpcfleet.DecodeError
				if errors.As(err, &unread) {
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

// TestRecords_escapeControlCharactersWhenPrinted has texts that do not print in the fields of records, and in their
// unknown fields.
func TestRecords_escapeControlCharactersWhenPrinted(t *testing.T) {
	said := quoted(t, unprintable)
	client, _ := scripted(t,
		respondJSON(200, `{"data":{"id":"1","label":`+said+`,"status":`+said+`,`+said+`:{`+said+`:1},"tags":[{"label":`+said+
			`}]},"error":null}`))
	endpoint := must(client.Endpoints.Get(t.Context(), "1"))(t)
	assert.Equal(t, unprintable, endpoint.Label, "a field is not changed")
	assert.Equal(t, []string{unprintable}, endpoint.Extra.Names())
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "endpoint", endpoint, "extra", endpoint.Extra)
	oneLine(t, strings.TrimSuffix(log.String(), "\n"))
	oneLine(t, fmt.Sprintf("%v %+v %#v %v", endpoint, *endpoint, endpoint.Extra, endpoint.Extra))
	oneLine(t, string(must(json.Marshal(endpoint.Extra))(t)))
}

// TestExtra_hidesSecretsInMemberNames has secrets as the names of members: the key of the client, a text that looks
// like a token, and an endpoint's address.
func TestExtra_hidesSecretsInMemberNames(t *testing.T) {
	const token, odd = "5f3a9c0b7e21d4866fa05c1b92e7d3480a6be1c9", "made-up/key+0001"
	names := []string{testKey, "is " + testKey, token, "QN_" + token, "https://a.example.com/" + leakedToken + "/"}
	for name, record := range map[string]string{
		"the generated decoders": `{"data":{"id":"1"%s,"tags":[{"label":"a"%[1]s}]},"error":null}`,
		"the JSON library":       `{"data":{"id":1%s,"tags":[{"label":"a"%[1]s}]},"error":null}`,
		"escapes":                `{"data":{"id":"1"%s,"\u0070lan":1,"tags":[{"label":"a"%[1]s}]},"error":null}`,
	} {
		t.Run(name, func(t *testing.T) {
			members := ""
			for _, name := range append(names, odd) {
				members += `,"` + name + `":1`
			}
			_, server := scripted(t, respondJSON(200, fmt.Sprintf(record, members+`,"region":1`)))
			client := server.client(t, rpcfleet.WithHeader("X-Made-Up", odd))
			endpoint := must(client.Endpoints.Get(t.Context(), "1"))(t)
			for _, extra := range []scalar.Extra{endpoint.Extra, endpoint.Tags[0].Extra} {
				hides(t, extra, testKey, odd)
				hidesInForms(t, extra, token, leakedToken)
				assert.Contains(t, extra.String(), "region")
				assert.Contains(t, extra.Names(), token, "a program finds it")
			}
			hidesInForms(t, endpoint, testKey, odd, token, leakedToken)
		})
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
		client, server := scripted(t, respondJSON(200, logPage(quoted(t, cursor), logLine("r0", logStart))))
		logs := map[string]error{"a page": errOf(client.Logs.List(t.Context(), "ep1", anHour))}
		for _, err := range client.Logs.All(t.Context(), "ep1", anHour) {
			logs["all"] = err
			break
		}
		for _, err := range client.Logs.Follow(t.Context(), []string{"ep1"}, rpcfleet.FollowOptions{From: logStart}) {
			logs["followed"] = err
			break
		}
		server.Play(transactionPage(cursor, "a"), transactionPage("c1", cursor[len("at "):]))
		list := map[string]error{"a page": errOf(transactions(client).Page(t.Context()))}
		if strings.HasPrefix(cursor, "at ") {
			list["an edge"] = errOf(transactions(client).Page(t.Context()))
		}
		server.Play(respondJSON(200, `{"code":200,"data":{"keys":[]},"cursor":`+quoted(t, cursor)+`}`))
		keys := map[string]error{"a page": errOf(client.KeyValue.Lists(t.Context(), keyvalue.ListValuesParams{}))}
		for operation, errs := range map[string]map[string]error{
			"listLogs": logs, "ListTransactions": list, "listLists": keys,
		} {
			for name, err := range errs {
				if detail == "" {
					require.NoError(t, err, name)
					continue
				}
				failure := errorAs[*rpcfleet.DecodeError](t, err, "%s %s %s", operation, name, cursor)
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
