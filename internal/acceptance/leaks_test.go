package acceptance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/rpcfleet/rpcfleet-go"
	fleetotel "github.com/rpcfleet/rpcfleet-go/contrib/otel"
)

// secrets are the secrets of the account and of the requests to it, or the beginnings of them.
func (f *sampleAccount) secrets(t *testing.T) []string {
	all := []string{f.APIKey, "qnsec_", "made-up-webhook-secret", "a-secret-path", "another-webhook-secret", "made-up-id",
		"made-up-s3-secret", "made-up-sas-token", "made-up-password", "made-up-key-pem", "made-up-other-password",
		"made-up-header-secret", must(f.Destinations.Get(t.Context(), f.destination))(t).Token.Reveal()[:8]}
	for _, token := range must(f.Security.Tokens(t.Context(), f.id))(t) {
		all = append(all, token.Token.Reveal()[:8])
	}
	return all
}

// TestOperations_hideSecrets looks for secrets in all that a program may show of a call of each method: its result or
// error, its log, its dump and its spans. The service responds as it should, then with a part of its response, and then
// with an error that quotes the request and the response.
func TestOperations_hideSecrets(t *testing.T) {
	f := startSampleAccount(t)
	secrets := f.secrets(t)
	var mode string
	server := httptest.NewServer(relay(f, func(r *http.Request, sent []byte, said *httptest.ResponseRecorder) []byte {
		switch body := said.Body.Bytes(); mode {
		case "a part":
			return body[:len(body)*9/10]
		case "an error":
			said.Code = http.StatusBadRequest
			quoted := map[string]string{"message": fmt.Sprintf("%s\n%s\n%s", r.Header, sent, body)}
			return must(json.Marshal(quoted))(t)
		}
		return said.Body.Bytes()
	}))
	defer server.Close()
	var shown bytes.Buffer
	spans, reached := tracetest.NewInMemoryExporter(), map[string]bool{}
	traced := must(fleetotel.New(fleetotel.Options{TracerProvider: trace.NewTracerProvider(trace.WithSyncer(spans))}))(t)
	client := f.plainClient(t, append(traced.ClientOptions(), rpcfleet.WithBaseURL(server.URL), rpcfleet.WithDump(&shown),
		rpcfleet.WithLogger(slog.New(slog.NewJSONHandler(&shown, &slog.HandlerOptions{Level: slog.LevelDebug}))))...)
	for _, mode = range []string{"", "a part", "an error"} {
		for _, q := range allQueries() {
			got, err := q.run(t.Context(), client, f)
			if mode == "" {
				require.NoError(t, err, q.method)
			}
			text, marshalErr := json.Marshal([]any{got, err})
			require.NoError(t, marshalErr, q.method)
			fmt.Fprintf(&shown, "%s %[2]v %+[2]v %#[2]v %[3]v %+[3]v %#[3]v", text, got, err)
			for _, span := range spans.GetSpans() {
				reached[strings.TrimPrefix(span.Name, "rpcfleet.")] = true
				fmt.Fprint(&shown, span.Name, span.Attributes, span.Events, span.Status)
			}
			for _, secret := range secrets {
				assert.NotContains(t, shown.String(), secret, "%s, %s", q.method, mode)
			}
			spans.Reset()
			shown.Reset()
		}
	}
	for _, op := range rpcfleet.Operations() {
		assert.True(t, reached[op.ID], "no method calls %s", op.ID)
	}
}
