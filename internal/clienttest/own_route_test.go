package clienttest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// method is a method of one of the client's services that takes a text, such as an id.
type method struct {
	name string
	call reflect.Value
}

// takingText are the methods of a client that take a context and at least one text.
func takingText(client *rpcfleet.Client) (methods []method) {
	services := reflect.ValueOf(client).Elem()
	for i := range services.NumField() {
		if !services.Type().Field(i).IsExported() {
			continue
		}
		service := services.Field(i)
		for j := range service.NumMethod() {
			call := service.Method(j)
			inputs := slices.Collect(call.Type().Ins())
			if slices.Contains(inputs, reflect.TypeFor[string]()) && inputs[0] == reflect.TypeFor[context.Context]() {
				methods = append(methods, method{services.Type().Field(i).Name + "." + service.Type().Method(j).Name, call})
			}
		}
	}
	return methods
}

// use calls the method with the word for every text, the number 7 for every number, and nothing for all else. It turns
// the checks off that can be. Of an iterator it takes the first round.
func (m method) use(ctx context.Context, word string) error {
	arguments := []reflect.Value{reflect.ValueOf(ctx)}
	for i := 1; i < m.call.Type().NumIn()-1; i++ {
		argument := reflect.New(m.call.Type().In(i)).Elem()
		switch argument.Kind() {
		case reflect.String:
			argument.SetString(word)
		case reflect.Int64:
			argument.SetInt(7)
		}
		arguments = append(arguments, argument)
	}
	arguments = append(arguments, reflect.ValueOf(rpcfleet.WithoutValidation()))
	results := m.call.Call(arguments)
	last := results[len(results)-1]
	if last.Kind() == reflect.Func {
		for _, err := range last.Seq2() {
			last = err
			break
		}
	}
	err, _ := last.Interface().(error)
	return err
}

// TestEveryPathLeadsToItsOperation gives every method every word that is a fixed part of some path. At a router that
// prefers fixed parts, a request that is sent has to reach the method's own operation. A request that would not is
// refused, and no other is.
func TestEveryPathLeadsToItsOperation(t *testing.T) {
	race.Skip(t)
	router := chi.NewRouter()
	words := []string{"ep1", "Bulk", "tag", "bulk/tags"}
	prefixes := map[string]string{"alerts": "/alerts/rest/v1"}
	for _, op := range rpcfleet.Operations() {
		router.Method(op.Method, prefixes[op.Area]+op.Path, http.NotFoundHandler())
		for part := range strings.SplitSeq(op.Path, "/") {
			if part != "" && !strings.Contains(part, "{") && !slices.Contains(words, part) {
				words = append(words, part)
			}
		}
	}
	sent := 0
	_, server := scripted(t, respondJSON(404, `{"data":null,"error":"no"}`))
	client := server.client(t,
		rpcfleet.WithHTTPClient(&http.Client{Transport: tripper(func(r *http.Request) (*http.Response, error) {
			sent++
			op, _ := rpcfleet.OperationFromContext(r.Context())
			match := chi.NewRouteContext()
			require.True(t, router.Match(match, r.Method, r.URL.EscapedPath()), r.URL)
			assert.Equal(t, op.Path, strings.TrimPrefix(match.RoutePattern(), "/alerts/rest/v1"), "%s %s", r.Method, r.URL)
			return http.DefaultTransport.RoundTrip(r)
		})}))
	refused := map[string]bool{}
	for _, method := range takingText(client) {
		if strings.HasPrefix(method.name, "Graph.") {
			continue // The graph area has one path.
		}
		for _, word := range words {
			before := sent
			err := method.use(t.Context(), word)
			var invalid *rpcfleet.ValidationError
			if errors.As(err, &invalid) {
				refused[fmt.Sprintf("%s(%s) %s", method.name, word, invalid.Field)] = true
				assert.Contains(t, invalid.Rule, "must not be a fixed part of the path of ", method.name)
				assert.Equal(t, word, invalid.Value)
			}
			require.Equal(t, invalid == nil, sent > before, "%s(%s): %v", method.name, word, err)
		}
	}
	assert.Equal(t, map[string]bool{
		"Endpoints.Get(tags) id":                 true,
		"Endpoints.FindAddedTag(tags) id":        true,
		"Endpoints.AddTag(bulk) id":              true,
		"Endpoints.SetStatus(tags) id":           true,
		"Endpoints.Pause(tags) id":               true,
		"Endpoints.Activate(tags) id":            true,
		"Security.SetOptions(tags) id":           true,
		"Security.SetIPCustomHeader(tags) id":    true,
		"Security.RemoveIPCustomHeader(tags) id": true,
		"RateLimits.Update(tags) id":             true,
	}, refused)
}

func TestAnIDThatLeadsElsewhereIsRefused(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{"data":{}}`))
	_, err := client.Endpoints.Get(t.Context(), "tags")
	require.EqualError(t, err, `rpcfleet: getEndpoint: id must not be a fixed part of the path of listTags, not "tags"`)
	err = client.Endpoints.AddTag(t.Context(), "bulk", "prod")
	require.EqualError(t, err,
		`rpcfleet: addEndpointTag: id must not be a fixed part of the path of bulkAddEndpointTag, not "bulk"`)
	assert.Empty(t, server.Requests())

	require.NoError(t, client.Endpoints.Archive(t.Context(), "tags"), "no operation of this method is in the way")
	require.NoError(t,
		server.client(t, rpcfleet.WithBaseURL(server.URL+"/v0/endpoints")).Endpoints.Archive(t.Context(), "bulk"))
	assert.Equal(t, "/v0/endpoints/v0/endpoints/bulk", server.Requests()[1].Path)
}
