package clienttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// unprintable forges a line of a log, clears a terminal, rings its bell and turns the direction of the text around.
const unprintable = "a\r\nlevel=ERROR forged\x1b[2J\a\u009b31m\u202etxt\u2028é世"

// oneLine checks that a text shows all of it, and that nothing of it does anything.
func oneLine(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if !strconv.IsPrint(r) {
			assert.Fail(t, "not printable", "%q in %q", r, text)
		}
	}
}

// TestErrorsAreOneLine has texts that do not print wherever an error may have them from.
func TestErrorsAreOneLine(t *testing.T) {
	quoted, err := json.Marshal(unprintable)
	require.NoError(t, err)
	said := string(quoted)
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
		"a text":                {saysAs("text/plain", 400, unprintable), `a\r\nlevel=ERROR forged\x1b[2J\a\u009b31m\u202etxt\u2028é世`},
		"a message":             {says(404, `{"message":`+said+`}`), `\x1b[2J\a\u009b31m\u202e`},
		"a failure":             {says(200, `{"data":null,"error":`+said+`}`), `\x1b[2J\a\u009b31m\u202e`},
		"errors of the graph":   {says(200, `{"errors":[{"message":`+said+`,"path":[`+said+`],"extensions":{"code":`+said+`}}]}`), `\x1b[2J\a`},
		"a content type":        {typed("application/x-\u202e\u009b"), `\u202e`},
		"a name":                {says(200, `{"data":{"chain":{"collection":{"__typename":"ERC721Collection",`+said+`:1,"name":[]}}}}`), ""},
		"a header that is none": {writes("HTTP/1.1 200 OK\r\nbad \x1b[2J\u202e\r\n\r\n"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			_, server := scripted(t, test.line, test.line)
			client := server.client(t, rpcfleet.WithoutRetries(),
				rpcfleet.WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
			_, rest := get(client)
			_, ofGraph := client.Graph.Collection(t.Context(), graph.Ethereum, "0xa")
			for _, err := range []error{rest, ofGraph} {
				require.Error(t, err)
				for e := err; e != nil; e = errors.Unwrap(e) {
					if e == err || strings.HasPrefix(fmt.Sprintf("%T", e), "*rpcfleet.") {
						oneLine(t, fmt.Sprintf("%v %+v %s %#v", e, e, e, e))
					}
				}
				var fault *rpcfleet.Error
				if errors.As(err, &fault) {
					oneLine(t, fault.Message+fault.Body+fault.RequestID+fmt.Sprint(fault.GraphQL))
				}
				var unread *rpcfleet.DecodeError
				if errors.As(err, &unread) {
					oneLine(t, unread.Detail+unread.Body+unread.ContentType)
				}
			}
			assert.Contains(t, fmt.Sprint(rest, ofGraph), test.shows)
			for line := range strings.Lines(log.String()) {
				oneLine(t, strings.TrimSuffix(line, "\n"))
			}
		})
	}
}

// TestRecordsAreOneLine has texts that do not print in the fields of records, and in what they keep beside them.
func TestRecordsAreOneLine(t *testing.T) {
	quoted, err := json.Marshal(unprintable)
	require.NoError(t, err)
	said := string(quoted)
	client, told := drifts(t, says(200, `{"data":{"id":"1","label":`+said+`,"status":`+said+`,`+said+`:{`+said+`:1},"tags":[{"label":`+said+`}]},"error":null}`))
	endpoint, err := client.Endpoints.Get(t.Context(), "1")
	require.NoError(t, err)
	assert.Equal(t, unprintable, *endpoint.Label, "a field is what it is")
	assert.Equal(t, []string{unprintable}, endpoint.Extra.Names())
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "endpoint", endpoint, "extra", endpoint.Extra)
	oneLine(t, strings.TrimSuffix(log.String(), "\n"))
	oneLine(t, fmt.Sprintf("%v %+v %#v %v %+v", endpoint, *endpoint, endpoint.Extra, endpoint.Extra, *told))
	extra, err := json.Marshal(endpoint.Extra)
	require.NoError(t, err)
	oneLine(t, string(extra))
	var at scalar.Time
	require.NoError(t, at.UnmarshalText([]byte(unprintable)))
	oneLine(t, fmt.Sprint(at))
	kept, err := at.MarshalText()
	require.NoError(t, err)
	assert.Equal(t, unprintable, string(kept))
}

// TestNamesOfMembersShowNoSecret has secrets as the names of members: the key of the client, what looks like a token, and
// an endpoint's address.
func TestNamesOfMembersShowNoSecret(t *testing.T) {
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
			_, server := scripted(t, says(200, fmt.Sprintf(record, members+`,"region":1`)))
			var told []rpcfleet.Drift
			for _, options := range [][]rpcfleet.Option{nil, {rpcfleet.WithDrift(func(_ context.Context, d rpcfleet.Drift) { told = append(told, d) })}} {
				client := server.client(t, append(options, rpcfleet.WithHeader("X-Made-Up", odd))...)
				endpoint, err := client.Endpoints.Get(t.Context(), "1")
				require.NoError(t, err)
				for _, extra := range []scalar.Extra{endpoint.Extra, endpoint.Tags[0].Extra} {
					hides(t, extra, testKey, odd)
					var log bytes.Buffer
					slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "extra", extra, "endpoint", endpoint)
					slog.New(slog.NewTextHandler(&log, nil)).Info("x", "extra", extra, "endpoint", endpoint)
					text, err := json.Marshal(endpoint)
					require.NoError(t, err)
					printed := fmt.Sprintf("%v %+v %#v %s %q %v %+v %s %s", extra, extra, extra, extra, extra, endpoint, *endpoint, text, log.String())
					for _, secret := range []string{testKey, odd, token, leakedToken} {
						assert.NotContains(t, printed, secret)
					}
					assert.Contains(t, extra.String(), "region")
					assert.Contains(t, extra.Names(), token, "a program finds it")
				}
			}
			require.NotEmpty(t, told)
			hides(t, told, testKey, token, leakedToken, "made-up~1key")
		})
	}
}
