package acceptance

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// mistakes are some that could be made in a file, each with the lines of the tables that then differ.
var mistakes = []struct {
	name     string
	area     int
	old, new string
	found    string
}{
	{
		"a field's name", 0,
		"        card_last_4:",
		"        card_last4:",
		"Payment.card_last4?, Payment.card_last_4?",
	},
	{
		"a field too many", 0,
		"        card_last_4:",
		"        card_last_3: {type: string}\n        card_last_4:",
		"Payment.card_last_3?",
	},
	{
		"a required mark", 0,
		"required: [chain, network]\n",
		"required: [chain]\n",
		"CreateEndpointRequest.network, CreateEndpointRequest.network?",
	},
	{
		"a value of an enum", 0,
		"enum: [second, minute, day]",
		"enum: [second, minute, hour]",
		"RateLimitInterval",
	},
	{
		"an observed enum", 0,
		"enum: [plan_default, user_override]",
		"enum: [plan_default, override]",
		"RateLimitSource",
	},
	{
		"a type", 0,
		"that one call costs.\n          type: integer",
		"that one call costs.\n          type: string",
		"APICredit.credits?",
	},
	{
		"a null", 0,
		"or null when there is none.\n          type: string\n          nullable: true",
		"or null when there is none.\n          type: string",
		"Subscription.plan_name",
	},
	{
		"a secret", 1,
		"          format: secret\n",
		"",
		"Destination.token",
	},
	{
		"a limit", 1,
		"maximum: 20",
		"maximum: 25",
		"BacktestExpressionRequest.backtest_count",
	},
	{
		"a rank", 0,
		"A payment.\n      x-source: observed",
		"A payment.",
		"Payment",
	},
	{
		"the rank of a part", 1,
		"minimum: 0\n          x-source-of: {minimum: assumed}",
		"minimum: 0",
		"BacktestExpressionRequest.block_number",
	},
	{
		"the record of an array", 0,
		"schemas/MethodUsage\"}\n        start_time",
		"schemas/ChainUsage\"}\n        start_time",
		"UsageByMethod.methods",
	},
	{
		"a parameter's name", 0,
		"- name: search",
		"- name: find",
		"GET /v0/endpoints query find?, GET /v0/endpoints query search?",
	},
	{
		"a parameter's required mark", 0,
		"in: query\n          required: true\n          description: The start",
		"in: query\n          description: The start",
		"GET /v0/endpoints/{id}/logs query from, GET /v0/endpoints/{id}/logs query from?",
	},
	{
		"a parameter's style", 0,
		"style: form\n          explode: true",
		"style: form\n          explode: false",
		"GET /v0/endpoints query networks?",
	},
	{
		"a status", 0,
		`"500": {$ref: "#/components/responses/InternalError"}`,
		`"500": {$ref: "#/components/responses/AssumedInternalError"}`,
		"PATCH /v0/endpoints/{id}/rate-limits",
	},
	{
		"the record of a body", 0,
		"schemas/AddIPRequest",
		"schemas/AddJWTRequest",
		"POST /v0/endpoints/{id}/security/ips body",
	},
	{
		"the record of a response", 0,
		"schemas/EndpointURLsEnvelope",
		"schemas/BooleanEnvelope",
		"EndpointURLsEnvelope, EndpointURLsEnvelope.data, EndpointURLsEnvelope.error, GET /v0/endpoints/{id}/urls 200",
	},
}

// TestMistakesInTheFilesAreFound makes each mistake and wants it to be found where it is, and nowhere else.
func TestMistakesInTheFilesAreFound(t *testing.T) {
	race.Skip(t)
	want := contractTables(t)
	for _, mistake := range mistakes {
		t.Run(mistake.name, func(t *testing.T) {
			text, err := os.ReadFile(areas[mistake.area].file)
			require.NoError(t, err)
			require.Contains(t, string(text), mistake.old)
			wrong := *areas[mistake.area]
			wrong.doc, err = openapi3.NewLoader().LoadFromData([]byte(strings.Replace(string(text), mistake.old, mistake.new, 1)))
			require.NoError(t, err)
			files := slices.Clone(areas)
			files[mistake.area] = &wrong
			var found []string
			for _, difference := range differences(want, fileTables(files)) {
				line, _, _ := strings.Cut(difference, ": ")
				found = append(found, line)
			}
			assert.Equal(t, mistake.found, strings.Join(found, ", "))
		})
	}
}
