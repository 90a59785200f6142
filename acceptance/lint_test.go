package acceptance

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// TestOpenAPIFilesAreValid lets the validator judge the files, examples included.
func TestOpenAPIFilesAreValid(t *testing.T) {
	for _, a := range areas {
		doc, err := openapi3.NewLoader().LoadFromFile(a.file)
		require.NoError(t, err, a.file)
		require.NoError(t, doc.Validate(context.Background()), a.file)
		assert.Equal(t, "3.0.3", doc.OpenAPI)
	}
}

// TestEveryOperationSaysWhatTheClientNeeds checks the marks on operations, and that the generated table repeats them.
func TestEveryOperationSaysWhatTheClientNeeds(t *testing.T) {
	ranks := []string{"contract", "observed", "assumed"}
	operations(func(a *area, path, method string, op *openapi3.Operation) {
		name := method + " " + path
		i := slices.IndexFunc(a.table, func(row rpcfleet.Operation) bool { return row.ID == op.OperationID })
		if !assert.GreaterOrEqual(t, i, 0, "%s is not in the generated table", name) {
			return
		}
		row := a.table[i]
		assert.Equal(t, path, row.Path)
		assert.Equal(t, method, row.Method)
		assert.Equal(t, source(op.Extensions), row.Source, name)
		assert.Contains(t, ranks, row.Source, name)
		assert.Equal(t, op.Extensions["x-idempotent"], row.Idempotent, name)
		assert.Equal(t, op.Extensions["x-paging"], row.Paging, name)
		assert.Equal(t, op.Extensions["x-answer"], row.Answer, name)
		assert.Equal(t, op.Deprecated, row.Deprecated, name)
		assert.Len(t, op.Tags, 1, name)
		assert.NotEmpty(t, op.Summary, name)
		assert.NotNil(t, op.Responses.Value("401"), name)
		if method == http.MethodGet {
			assert.True(t, row.Idempotent, name)
		}
		for _, response := range op.Responses.Map() {
			assert.Contains(t, ranks, source(response.Value.Extensions), name)
		}
	})
	for _, a := range areas {
		n := 0
		for _, item := range a.doc.Paths.Map() {
			n += len(item.Operations())
		}
		assert.Len(t, a.table, n, a.name)
	}
}

// TestNoAnonymousObjects checks that every object of the files has a name of its own, which becomes a Go type's.
func TestNoAnonymousObjects(t *testing.T) {
	var visit func(where string, ref *openapi3.SchemaRef, named bool)
	visit = func(where string, ref *openapi3.SchemaRef, named bool) {
		if ref == nil || ref.Ref != "" && !named {
			return
		}
		schema := ref.Value
		if schema.Type.Is("object") && schema.AdditionalProperties.Schema == nil {
			assert.True(t, named, "%s is an anonymous object", where)
		}
		for name, property := range schema.Properties {
			visit(where+"."+name, property, false)
		}
		visit(where+"[]", schema.Items, false)
		visit(where+"{}", schema.AdditionalProperties.Schema, false)
	}
	for _, a := range areas {
		for name, ref := range a.doc.Components.Schemas {
			visit(name, ref, true)
			assert.NotEmpty(t, ref.Value.Description, "%s has no description", name)
		}
	}
	operations(func(_ *area, path, method string, op *openapi3.Operation) {
		if op.RequestBody != nil {
			visit(method+" "+path, op.RequestBody.Value.Content.Get("application/json").Schema, false)
		}
		for code, response := range op.Responses.Map() {
			for _, media := range response.Value.Content {
				visit(fmt.Sprintf("%s %s %s", method, path, code), media.Schema, false)
			}
		}
	})
}

// TestTheFilesSayWhatTheContractSays holds the files against a copy of the contract's tables, so that an operation or
// a status that is missing from both the files and the code is found.
func TestTheFilesSayWhatTheContractSays(t *testing.T) {
	want := contractTable(t)
	got := map[string]string{}
	operations(func(a *area, path, method string, op *openapi3.Operation) {
		if source(op.Extensions) != "contract" || routeIsObserved(op) {
			return
		}
		var statuses []string
		for code, response := range op.Responses.Map() {
			if source(response.Value.Extensions) == "contract" && !statusIsAssumed(response.Value) {
				statuses = append(statuses, code)
			}
		}
		slices.Sort(statuses)
		got[method+" "+a.prefix+path] = strings.Join(statuses, " ")
	})
	assert.Equal(t, want, got)
	assert.Len(t, want, 70)
}

// contractTable reads the copy.
func contractTable(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.Open("testdata/contract.txt")
	require.NoError(t, err)
	defer file.Close()
	table := map[string]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) >= 2 && fields[0] != "#" {
			table[fields[0]+" "+fields[1]] = strings.Join(fields[2:], " ")
		}
	}
	return table
}

// routeIsObserved tells of operations that the contract names without giving their route.
func routeIsObserved(op *openapi3.Operation) bool { return rankOf(op.Extensions, "route") != "" }

// statusIsAssumed tells of answers whose body the contract gives without a status.
func statusIsAssumed(response *openapi3.Response) bool {
	return rankOf(response.Extensions, "status") != ""
}

func rankOf(extensions map[string]any, part string) string {
	parts, _ := extensions["x-source-of"].(map[string]any)
	rank, _ := parts[part].(string)
	return rank
}

// TestEnumsAreTheContracts repeats the contract's enums.
func TestEnumsAreTheContracts(t *testing.T) {
	account := []string{
		"method_calls_over_time", "metered_endpoint_data_over_time", "metered_endpoint_credits_over_time", "credits_over_time",
	}
	want := map[string][]string{
		"EndpointStatus":     {"active", "paused"},
		"SortBy":             {"name", "status", "network", "label", "tags", "usage", "created_at"},
		"SortDirection":      {"asc", "desc"},
		"Switch":             {"enabled", "disabled"},
		"SecurityOptionName": {"tokens", "referrers", "jwts", "ips", "domainMasks", "hsts", "cors", "requestFilters", "ipCustomHeader"},
		"RateLimitInterval":  {"second", "minute", "day"},
		"MetricsPeriod":      {"hour", "day", "week", "month"},
		"AccountMetricName":  account,
		"EndpointMetricName": append(slices.Clone(account), "response_status_over_time", "response_status_breakdown",
			"response_time_over_time", "method_response_time_max", "request_errors_over_time", "total_request_errors_over_time"),
		"TeamRole":    {"admin", "viewer", "billing"},
		"WebhookType": {"POST", "GET"}, "DestinationService": {"webhook"}, "PayloadType": {"1", "2", "3", "4", "5", "6", "7"},
		"AlertNetwork": {
			"ethereum-mainnet", "ethereum-goerli", "ethereum-sepolia", "bnbchain-mainnet", "avalanchec-mainnet",
			"fantom-mainnet", "polygon-mainnet", "celo-mainnet", "gnosis-mainnet", "optimism-mainnet", "nova-mainnet",
			"arbitrum-mainnet", "bitcoin-mainnet", "doge-mainnet",
		},
	}
	got := map[string][]string{}
	for _, a := range areas {
		for name, ref := range a.doc.Components.Schemas {
			if len(ref.Value.Enum) > 0 && source(ref.Value.Extensions) == "contract" {
				for _, value := range ref.Value.Enum {
					got[name] = append(got[name], fmt.Sprint(value))
				}
			}
		}
	}
	assert.Equal(t, want, got)
}
