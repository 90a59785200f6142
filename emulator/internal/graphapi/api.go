// Package graphapi is the emulator's graph area: a GraphQL executor over the project's schema and a made-up data set.
// The data are drawn from a seed and do not change: the schema has no mutations.
package graphapi

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"time"

	"github.com/graph-gophers/graphql-go"
	gqlerrors "github.com/graph-gophers/graphql-go/errors"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// API responds to queries.
type API struct{ schema *graphql.Schema }

// New makes an API with a data set: what is given, and what is made up beside it. pageCap is the largest page of a
// connection; more asked for is lowered silently.
func New(given fleet.Graph, pageCap int) (*API, error) {
	schema, err := graphql.ParseSchema(graph.Schema, newWorld(given, pageCap),
		graphql.UseStringDescriptions(), graphql.UseFieldResolvers())
	if err != nil {
		return nil, fmt.Errorf("the graph area's resolvers do not fit its schema: %w", err)
	}
	return &API{schema}, nil
}

// request is the body of a request.
type request struct {
	Query         string         `json:"query"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
}

// ServeHTTP carries out one query. The response to what the schema rejects is a 400 (observed), everything else gets a
// 200.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked request
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		respond(w, http.StatusBadRequest, refusal("BAD_REQUEST", "the body is not a JSON object with a query"))
		return
	}
	if strings.TrimSpace(asked.Query) == "" {
		respond(w, http.StatusBadRequest, refusal("BAD_REQUEST", "the body has no query"))
		return
	}
	response := a.execute(r.Context(), asked)
	status := http.StatusOK
	if len(response.Data) == 0 {
		status = http.StatusBadRequest
	}
	respond(w, status, response)
}

// execute carries out a query and gives its errors their codes.
func (a *API) execute(ctx context.Context, asked request) *graphql.Response {
	response := a.schema.Exec(ctx, asked.Query, asked.OperationName, asked.Variables)
	for _, e := range response.Errors {
		if e.Extensions == nil {
			e.Extensions = map[string]any{"code": codeOf(e)}
		}
	}
	return response
}

// codeOf names the kind of an error. Only INVALID_FIELD was observed; the others are assumed.
func codeOf(e *gqlerrors.QueryError) string {
	switch {
	case e.Rule == "FieldsOnCorrectTypeRule":
		return "INVALID_FIELD"
	case e.ResolverError != nil:
		return "INTERNAL_ERROR"
	}
	return "INVALID_QUERY"
}

// Refuse writes a failure that has nothing to do with the query.
func Refuse(w http.ResponseWriter, status int, message string) {
	respond(w, status, refusal("INTERNAL_ERROR", message))
}

func refusal(code, message string) *graphql.Response {
	return &graphql.Response{Errors: []*gqlerrors.QueryError{{
		Message: message, Extensions: map[string]any{"code": code},
	}}}
}

func respond(w http.ResponseWriter, status int, response *graphql.Response) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(response) // A client that has gone away needs no response.
}

// bigInt is the schema's BigInt.
type bigInt struct{ *big.Int }

func newBigInt(v int64) bigInt { return bigInt{big.NewInt(v)} }

// ImplementsGraphQLType implements the executor's interface for scalars.
func (bigInt) ImplementsGraphQLType(name string) bool { return name == "BigInt" }

// UnmarshalGraphQL refuses: no argument of the schema is a BigInt.
func (*bigInt) UnmarshalGraphQL(any) error { return fmt.Errorf("BigInt is not an argument's type") }

// MarshalJSON writes a number while it fits in 2^53, and text beyond (observed).
func (b bigInt) MarshalJSON() ([]byte, error) {
	if b.CmpAbs(big.NewInt(1<<53)) <= 0 {
		return []byte(b.String()), nil
	}
	return json.Marshal(b.String())
}

// dateTime is the schema's DateTime.
type dateTime struct{ time.Time }

// ImplementsGraphQLType implements the executor's interface for scalars.
func (dateTime) ImplementsGraphQLType(name string) bool { return name == "DateTime" }

// UnmarshalGraphQL reads RFC 3339.
func (d *dateTime) UnmarshalGraphQL(input any) error {
	text, ok := input.(string)
	if !ok {
		return fmt.Errorf("DateTime must be text, not %T", input)
	}
	var err error
	d.Time, err = time.Parse(time.RFC3339, text)
	return err
}

// MarshalJSON writes RFC 3339 with milliseconds.
func (d dateTime) MarshalJSON() ([]byte, error) {
	return json.Marshal(d.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// jsonValue is the schema's JSON and JSONObject.
type jsonValue struct{ any }

// MarshalJSON writes what is inside.
func (v jsonValue) MarshalJSON() ([]byte, error) { return json.Marshal(v.any) }

// ImplementsGraphQLType implements the executor's interface for scalars.
func (jsonValue) ImplementsGraphQLType(name string) bool {
	return name == "JSON" || name == "JSONObject"
}

// UnmarshalGraphQL refuses: no argument of the schema is free-form JSON.
func (*jsonValue) UnmarshalGraphQL(any) error { return fmt.Errorf("JSON is not an argument's type") }
