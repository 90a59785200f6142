package envelope_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// payloads are the types that responses are read as.
var payloads = []struct {
	of   any
	same comparison
}{
	payloadOf[admin.BulkResult](), payloadOf[admin.BulkTagResult](), payloadOf[admin.CreatedRequestFilter](),
	payloadOf[admin.EndpointDomainMask](), payloadOf[admin.EndpointIP](), payloadOf[admin.EndpointJWT](),
	payloadOf[admin.EndpointReferrer](), payloadOf[admin.EndpointToken](), payloadOf[admin.InvoiceList](),
	payloadOf[admin.MethodRateLimiterList](), payloadOf[admin.PaymentList](), payloadOf[admin.RateLimitRows](),
	payloadOf[admin.TagList](), payloadOf[admin.UpdatedRateLimits](), payloadOf[*admin.AccountInfo](),
	payloadOf[*admin.CreatedTeam](), payloadOf[*admin.EndpointSecurity](), payloadOf[*admin.EndpointURLs](),
	payloadOf[*admin.LogDetails](), payloadOf[*admin.MethodRateLimiter](), payloadOf[*admin.SingleEndpoint](),
	payloadOf[*admin.TeamDetail](), payloadOf[*admin.TeamMember](), payloadOf[*admin.ToolingAccess](),
	payloadOf[*admin.ToolingToken](), payloadOf[*admin.UsageTotal](), payloadOf[admin.UsageByChain](),
	payloadOf[admin.UsageByEndpoint](), payloadOf[admin.UsageByMethod](), payloadOf[admin.UsageByTag](),
	payloadOf[[]admin.APICredit](), payloadOf[[]admin.ListedChain](), payloadOf[[]admin.Endpoint](),
	payloadOf[[]admin.EndpointMetric](), payloadOf[[]admin.LogEntry](), payloadOf[[]admin.Team](),
	payloadOf[[]admin.TeamEndpoint](), payloadOf[alerts.BacktestResult](), payloadOf[*alerts.Destination](),
	payloadOf[*alerts.Notification](), payloadOf[[]alerts.Destination](), payloadOf[[]alerts.Notification](),
	payloadOf[[]alerts.NotificationEvent](),
}

func payloadOf[T any]() (p struct {
	of   any
	same comparison
}) {
	p.of, p.same = *new(T), shapeOf[T]
	return p
}

// TestEveryFieldOfEveryPayloadIsRead reads each payload with a value for every field: the decoders take it, and read
// what the JSON library reads. With the first name of each record repeated, they leave it.
func TestEveryFieldOfEveryPayloadIsRead(t *testing.T) {
	for _, payload := range payloads {
		record := reflect.TypeOf(payload.of)
		t.Run(record.String(), func(t *testing.T) {
			body := sample(record)
			require.True(t, payload.same(t, []byte(body), true), "%s", body)
			name := body[strings.Index(body, `{`)+1 : strings.Index(body, `:`)]
			repeated := strings.Replace(body, `{`, `{`+name+`:null,`, 1)
			require.False(t, payload.same(t, []byte(repeated), true), "%s", repeated)
		})
	}
}

// samples are the values of the types that read themselves.
var samples = map[reflect.Type]string{
	reflect.TypeFor[scalar.Time]():       `"2024-05-14T12:34:56.789Z"`,
	reflect.TypeFor[scalar.Secret]():     `"not to be shown"`,
	reflect.TypeFor[scalar.SecretURL]():  `"https://a.example.com/not-to-be-shown/"`,
	reflect.TypeFor[scalar.Decimal]():    `12.50`,
	reflect.TypeFor[admin.MetricPoint](): `[1715690096,0.5]`,
	reflect.TypeFor[admin.MetricTag]():   `["network","arbitrum-mainnet"]`,
	reflect.TypeFor[alerts.Expression](): `"dHhfdG8="`,
}

// sample spells a value of a type in which nothing is missing.
func sample(of reflect.Type) string {
	if text, known := samples[of]; known {
		return text
	}
	switch of.Kind() {
	case reflect.String:
		return `"a text of ` + of.Name() + ` "`
	case reflect.Bool:
		return `true`
	case reflect.Pointer:
		return sample(of.Elem())
	case reflect.Slice:
		return `[` + sample(of.Elem()) + `,` + sample(of.Elem()) + `]`
	case reflect.Map:
		return `{"a":` + sample(of.Elem()) + `}`
	case reflect.Struct:
		var members []string
		for field := range of.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			members = append(members, fmt.Sprintf("%q:%s", name, sample(field.Type)))
		}
		return `{` + strings.Join(members, ",") + `}`
	}
	return `7`
}
