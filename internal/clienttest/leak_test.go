package clienttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// leakedToken stands in the path of an endpoint's address.
const leakedToken = "t0k3n-in-the-path"

// withHeaders responds with headers that hold what they should not.
func withHeaders(line responder) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "for "+testKey+" of https://a.example.com/"+leakedToken)
		w.Header().Set("Set-Cookie", "session="+leakedToken)
		w.Header().Set("Content-Type", "application/json; key="+testKey+"; token="+leakedToken)
		line(w, r)
	}
}

func leakyLines(t *testing.T) map[string]responder {
	t.Helper()
	leaky := fmt.Sprintf(`key %s at https://a.example.com/%s/ or a.example.com/%[2]s or /%[2]s/ with "token":"%[2]s"`, testKey, leakedToken)
	body, err := json.Marshal(map[string]any{"data": nil, "error": leaky})
	require.NoError(t, err)
	withURL := strings.Replace(record, "t0k3n", leakedToken, 1)
	asJSON := func(body string) responder {
		return withHeaders(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
	}
	return map[string]responder{
		"a failure":                 says(400, string(body)),
		"a failure, its headers":    withHeaders(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }),
		"a refusal":                 says(200, string(body)),
		"plain text":                saysAs("text/plain", 401, leaky),
		"an HTML page":              saysAs("text/html", 200, "<html>"+leaky),
		"a type of body":            saysAs("application/x-"+testKey, 200, leaky),
		"cut JSON":                  says(200, withURL[:len(withURL)/2]),
		"cut in the token":          asJSON(withURL[:strings.Index(withURL, leakedToken)+5]),
		"another shape":             asJSON(`{"data":[` + withURL + `]}`),
		"text after it":             says(200, withURL+"x"),
		"a redirect with the token": redirects("https://elsewhere.example/" + leakedToken),
		"a redirect to no address":  redirects("/" + leakedToken + "%zz"),
		"cut in the key":            says(200, `{"data":{"id":"unknown key `+testKey[:len(testKey)-1]),
		"a header that is none":     writes("HTTP/1.1 200 OK\r\nunknown key " + testKey + "\r\n\r\n"),
		"no HTTP":                   writes("unknown key " + testKey + "\r\n"),
		"a lost connection":         withHeaders(cutShort),
	}
}

func TestNothingLeaks(t *testing.T) {
	for name, line := range leakyLines(t) {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, line)
			var response rpcfleet.Response
			_, err := get(client, rpcfleet.CaptureResponse(&response))
			require.Error(t, err)
			hides(t, err, testKey[:len(testKey)-1], leakedToken[:5])
			hides(t, &response, testKey[:len(testKey)-1], leakedToken[:5])
			hidesInPrint(t, client)
		})
	}
}

// hidesInPrint checks a value that holds connections, whose state is not walked through.
func hidesInPrint(t *testing.T, value any) {
	t.Helper()
	text := fmt.Sprintf("%v %+v %#v", value, value, value)
	assert.NotContains(t, text, testKey)
	assert.NotContains(t, text, leakedToken[:5])
}

func TestAKeyThatWasRotatedAwayIsHidden(t *testing.T) {
	_, server := scripted(t, says(503, `{"error":"unknown key old-key-0001"}`), hangsUp)
	asked := 0
	client := server.client(t, rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
		asked++
		return rpcfleet.Credentials{APIKey: scalar.NewSecret([]string{"old-key-0001", "new-key-0002"}[min(asked, 2)-1])}, nil
	})))
	_, err := get(client)
	require.ErrorIs(t, err, rpcfleet.ErrServer)
	assert.NotContains(t, fmt.Sprintf("%v %+v", err, err), "old-key")
}

func TestAnErrorOfACredentialSourceIsCleaned(t *testing.T) {
	_, server := scripted(t, says(200, record))
	vault := &url.Error{Op: "Get", URL: "https://vault.example.com/" + leakedToken, Err: io.EOF}
	_, err := get(server.client(t, rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
		return rpcfleet.Credentials{}, vault
	}))))
	require.ErrorIs(t, err, vault, "it is the caller's own, and stays whole inside")
	assert.NotContains(t, fmt.Sprintf("%v %+v", err, err), leakedToken[:5])
}

func TestErrorsOfGraphHideSecrets(t *testing.T) {
	client, _ := scripted(t, says(400, fmt.Sprintf(
		`{"errors":[{"message":"key %s","path":["a","https://a.example.com/%s"],"extensions":{"code":"token=%[2]s"}},"/%[2]s"]}`, testKey, leakedToken)))
	_, err := client.Graph.Collection(t.Context(), "ethereum", "0xa1")
	var fault *rpcfleet.Error
	require.ErrorAs(t, err, &fault)
	require.Len(t, fault.GraphQL, 2)
	assert.Equal(t, rpcfleet.GraphQLError{Message: "key [redacted]", Path: "a.https://a.example.com/[redacted]", Code: "token=[redacted]"}, fault.GraphQL[0])
	hides(t, err, testKey, leakedToken)
}

func TestErrorsAreBounded(t *testing.T) {
	client, _ := scripted(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-Id", strings.Repeat("x", 10_000))
		saysAs("application/json", 400, `{"error":"`+strings.Repeat("word ", 100_000)+`"}`)(w, nil)
	})
	_, err := get(client)
	var fault *rpcfleet.Error
	require.ErrorAs(t, err, &fault)
	message, cut := strings.CutSuffix(fault.Message, "…")
	assert.True(t, cut)
	assert.True(t, strings.HasPrefix(strings.Repeat("word ", 1000), message))
	assert.InDelta(t, 2<<10, len(message), 4)
	assert.LessOrEqual(t, len(fault.RequestID), 128+len("…"))
	assert.LessOrEqual(t, len(fault.Body), 1<<10+len("…"))
}

// TestErrorsOfIterationsHideSecrets walks through what an iteration ends with.
func TestErrorsOfIterationsHideSecrets(t *testing.T) {
	for name, line := range leakyLines(t) {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, line)
			for _, err := range client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}) {
				if err == nil {
					continue
				}
				var page *rpcfleet.PageError
				require.ErrorAs(t, err, &page)
				hides(t, page, testKey[:len(testKey)-1], leakedToken[:5])
				hides(t, &rpcfleet.FollowError{From: time.Now(), Err: page}, testKey[:len(testKey)-1], leakedToken[:5])
				hides(t, rpcfleet.Outcome{Err: page}, testKey[:len(testKey)-1], leakedToken[:5])
			}
		})
	}
}

// TestInvalidArgumentsHideSecrets passes a secret where another argument was expected.
func TestInvalidArgumentsHideSecrets(t *testing.T) {
	client, server := scripted(t, says(200, record))
	address := "https://a.example.com/" + leakedToken
	for name, do := range map[string]func() error{
		"a status": func() error { return client.Endpoints.SetStatus(t.Context(), "ep1", admin.EndpointStatus(address)) },
		"a request id": func() error {
			_, err := client.Logs.Details(t.Context(), "ep1", address)
			return err
		},
		"an alerts path": func() error { return option(rpcfleet.WithAlertsPath("/quickalerts?token=" + leakedToken)) },
		"a graph path":   func() error { return option(rpcfleet.WithGraphPath(address)) },
		"a user agent":   func() error { return option(rpcfleet.WithUserAgent("x\n" + address)) },
		"a base URL":     func() error { return option(rpcfleet.WithBaseURL("http://bob:" + leakedToken + "@a.example.com")) },
		"an API key":     func() error { return option(rpcfleet.WithAPIKey(leakedToken + "\n")) },
		"variables": func() error {
			_, err := graph.Query[any](t.Context(), client.Graph, "{ a }", unwritable{address})
			return err
		},
	} {
		err := do()
		var invalid *rpcfleet.ValidationError
		require.ErrorAs(t, err, &invalid, name)
		assert.Empty(t, shows(err, leakedToken[:5]), name)
	}
	assert.Empty(t, server.Requests())
}

// unwritable is a variable that cannot be written, and says so at length.
type unwritable struct{ text string }

func (u unwritable) MarshalJSON() ([]byte, error) { return nil, errors.New("cannot write " + u.text) }

// option returns the error of New with an option.
func option(o rpcfleet.Option) error {
	_, err := rpcfleet.New(rpcfleet.WithBaseURL("https://a.example.com"), rpcfleet.WithAPIKey("made-up-key-0002"), o)
	if err == nil {
		return errors.New("the option was accepted")
	}
	return err
}

func TestRecordsHideSecrets(t *testing.T) {
	client, _ := scripted(t, says(200, strings.Replace(record, "t0k3n", leakedToken, 1)))
	endpoint, err := get(client)
	require.NoError(t, err)
	hidesInForms(t, endpoint, leakedToken[:5])
	hidesInForms(t, &rpcfleet.Page[admin.SingleEndpoint]{Items: []admin.SingleEndpoint{*endpoint}}, leakedToken[:5])
	assert.Contains(t, endpoint.HTTPURL.Reveal(), leakedToken)
}

func TestCredentialsHideSecrets(t *testing.T) {
	_, server := scripted(t, says(200, record))
	hidesInPrint(t, rpcfleet.WithAPIKey(testKey))
	hidesInPrint(t, server.client(t, rpcfleet.WithBearerToken(leakedToken)))
	hidesInForms(t, rpcfleet.Credentials{APIKey: scalar.NewSecret(testKey), BearerToken: scalar.NewSecret(leakedToken)}, testKey, leakedToken)
}

// TestAResponseHidesItsBody looks at a response that holds secrets, in every form in which it may be printed.
func TestAResponseHidesItsBody(t *testing.T) {
	client, _ := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "session="+leakedToken)
		says(200, strings.Replace(record, "t0k3n", leakedToken, 1))(w, r)
	})
	var response rpcfleet.Response
	_, err := get(client, rpcfleet.CaptureResponse(&response))
	require.NoError(t, err)
	assert.Contains(t, string(response.Body()), leakedToken, "whoever asks for the body gets it")
	assert.Contains(t, response.Header().Get("Set-Cookie"), leakedToken)
	hides(t, &response, leakedToken)
	hides(t, response, leakedToken)
	hides(t, struct {
		Response  rpcfleet.Response
		response  rpcfleet.Response
		responses []rpcfleet.Response
		byName    map[string]*rpcfleet.Response
	}{response, response, []rpcfleet.Response{response}, map[string]*rpcfleet.Response{"a": &response}}, leakedToken)

	var none rpcfleet.Response
	assert.Nil(t, none.Body())
	assert.Nil(t, none.Header())
}
