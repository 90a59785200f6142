package acceptance

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestRecords_haveEveryField calls every method, those of the graph on every chain, and finds each record that it
// returns in the response, field by field, so that a field that a record loses or confuses is noticed.
func TestRecords_haveEveryField(t *testing.T) {
	for i, chain := range graph.Chain("").Values() {
		t.Run(string(chain), func(t *testing.T) {
			t.Parallel()
			f, queries := &sampleAccount{graphFixture: startGraph(t, chain)}, graphQueries
			if i == 0 {
				f, queries = startSampleAccount(t), allQueries()
			} else {
				race.Skip(t)
			}
			var said [][]byte
			server := httptest.NewServer(relay(f, func(_ *http.Request, _ []byte, r *httptest.ResponseRecorder) []byte {
				said = append(said, r.Body.Bytes())
				return r.Body.Bytes()
			}))
			defer server.Close()
			client := f.client(t, rpcfleet.WithBaseURL(server.URL))
			for _, q := range queries {
				said = nil
				got, err := q.run(t.Context(), client, f)
				require.NoError(t, err, q.method)
				if slices.Contains(computed, q.method) || got == nil {
					continue
				}
				parts := map[string]bool{}
				for _, body := range said {
					if json.Valid(body) {
						spelled(decoded(t, body), parts)
					}
				}
				for _, record := range recordsOf(got) {
					text := spelled(decoded(t, must(json.Marshal(scalar.WithSecrets[any]{Value: record}))(t)), nil)
					assert.True(t, parts[text], "%s: %s is not in %s", q.method, text, said)
				}
			}
		})
	}
}

// computed are the methods that return other records than the response has. Their own tests read them.
var computed = strings.Fields(`Chains.Networks Endpoints.BulkAddTag Endpoints.BulkRemoveTag Endpoints.BulkSetStatus
	KeyValue.SetList Metrics.Prometheus Notifications.All Notifications.Create
	Notifications.Get Notifications.List Notifications.Pages Notifications.Update RateLimits.Get RateLimits.Replace
	RateLimits.Update Security.AddRequestFilter Security.Options Security.SetOptions`)

// recordsOf are the records of a result: the items of a page or a list, or the result itself.
func recordsOf(result any) (records []any) {
	if owned, is := result.(*graph.WalletNFT); is {
		return []any{owned.NFT} // Or null, if the wallet holds none.
	}
	list := reflect.Indirect(reflect.ValueOf(result))
	if strings.HasPrefix(list.Type().Name(), "Page[") {
		list = list.FieldByName("Items")
	}
	if list.Kind() != reflect.Slice {
		return []any{result}
	}
	for i := range list.Len() {
		records = append(records, recordsOf(list.Index(i).Interface())...)
	}
	return records
}

// decoded decodes JSON without rounding its numbers.
func decoded(t *testing.T, text []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&value))
	return value
}

// spelled spells a value in one way: without fields that are null or zero, with times in unix seconds, and with numbers
// for texts of digits. It notes the parts of the value.
func spelled(value any, parts map[string]bool) string {
	switch of := value.(type) {
	case map[string]any:
		for name, inner := range of {
			of[name] = json.RawMessage(spelled(inner, parts))
		}
		maps.DeleteFunc(of, func(_ string, inner any) bool {
			return slices.Contains([]string{"null", "false", "0", `""`, "[]", "{}"}, string(inner.(json.RawMessage)))
		})
	case []any:
		for i, inner := range of {
			of[i] = json.RawMessage(spelled(inner, parts))
		}
	case string:
		if at, err := time.Parse(time.RFC3339, of); err == nil {
			value = float64(at.UnixNano()) / 1e9
		} else if number, err := strconv.ParseInt(of, 10, 53); err == nil {
			value = float64(number)
		}
	case json.Number:
		if float, err := of.Float64(); err == nil && float == float64(int64(float)) && float < 1<<53 {
			value = float
		}
	}
	text, _ := json.Marshal(value) // It was JSON.
	if parts != nil {
		parts[string(text)] = true
	}
	return string(text)
}
