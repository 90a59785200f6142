package clienttest

import (
	"context"
	"net/http"
	"reflect"
	"testing"

	genqlient "github.com/Khan/genqlient/graphql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

const notCreated = "client must be created with New"

// TestServices_notCreatedByNew calls every method of every service, of a zero Client and of a zero service.
func TestServices_notCreatedByNew(t *testing.T) {
	fields := reflect.TypeFor[rpcfleet.Client]()
	for i := range fields.NumField() {
		field := fields.Field(i)
		if !field.IsExported() {
			continue
		}
		for name, service := range map[string]reflect.Value{
			"nil":  reflect.ValueOf(rpcfleet.Client{}).Field(i),
			"zero": reflect.New(field.Type.Elem()),
		} {
			for m := range service.NumMethod() {
				t.Run(name+"/"+field.Name+"."+service.Type().Method(m).Name, func(t *testing.T) {
					results := callWithAnything(t, service.Method(m))
					require.ErrorContains(t, errorIn(t, results[len(results)-1]), notCreated)
				})
			}
		}
	}
}

// callWithAnything calls a method with a context and non-zero arguments, without options.
func callWithAnything(t *testing.T, method reflect.Value) []reflect.Value {
	var args []reflect.Value
	in := method.Type()
	for i := range in.NumIn() {
		arg := reflect.New(in.In(i)).Elem()
		switch {
		case in.IsVariadic() && i == in.NumIn()-1:
			continue
		case arg.Type() == reflect.TypeFor[context.Context]():
			arg.Set(reflect.ValueOf(t.Context()))
		case arg.Kind() == reflect.String:
			arg.SetString("a")
		case arg.Kind() == reflect.Slice:
			arg.Set(reflect.MakeSlice(arg.Type(), 1, 1))
		}
		args = append(args, arg)
	}
	return method.Call(args)
}

// errorIn returns the error of a result: of the first step of an iterator, and of the first use of any other result.
func errorIn(t *testing.T, result reflect.Value) (err error) {
	if result.Kind() == reflect.Func {
		for _, failure := range result.Seq2() {
			require.NoError(t, err, "one error ends an iteration")
			err = failure.Interface().(error)
		}
		return err
	}
	switch result := result.Interface().(type) {
	case error:
		return result
	case *http.Client:
		response, err := result.Get("https://example.com")
		if err == nil {
			_ = response.Body.Close()
		}
		return err
	case *rpcfleet.ToolingTokenSource:
		_, err = result.Token(t.Context())
		return err
	case genqlient.Client:
		return result.MakeRequest(t.Context(), nil, nil)
	}
	page := result.MethodByName("Page") // Of a Connection.
	require.True(t, page.IsValid(), "a result without an error: %s", result.Type())
	return errorIn(t, page.Call([]reflect.Value{reflect.ValueOf(t.Context())})[1])
}

// TestZeroValues_doNotPanic uses zero values of exported types.
func TestZeroValues_doNotPanic(t *testing.T) {
	ctx := t.Context()
	for _, client := range []*rpcfleet.Client{nil, {}} {
		client.CloseIdleConnections()
		assert.Equal(t, rpcfleet.RateLimitState{}, client.RateLimit())
		assert.Equal(t, "rpcfleet.Client", client.String())
		_, err := rpcfleet.Do[string](ctx, client, rpcfleet.Request{Method: "GET", Path: "/v0/a"})
		require.ErrorContains(t, err, notCreated)
	}
	require.ErrorContains(t, errOf(graph.Query[string](ctx, rpcfleet.Client{}.Graph, "{a}", nil)), notCreated)
	require.ErrorContains(t, errOf(rpcfleet.QueryConnection[string](nil, "{a}", nil, "a").Page(ctx)), notCreated)
	_, err := new(rpcfleet.ToolingTokenSource).Token(ctx)
	require.ErrorContains(t, err, notCreated)
	for _, connection := range []*rpcfleet.Connection[string]{nil, {}} {
		_, err = connection.Page(ctx)
		require.ErrorContains(t, err, "connection must be")
		for _, err := range connection.Before("a").All(ctx) {
			require.ErrorContains(t, err, "connection must be")
		}
	}
	assert.Empty(t, rpcfleet.Lookup[admin.Tag]{}.Outcome())
	assert.Empty(t, rpcfleet.Lookup[admin.Tag]{Records: make([]admin.Tag, 1)}.Exclude("1").IDs())
	assert.True(t, new(rpcfleet.Page[string]).Last())
	assert.False(t, new(rpcfleet.Page[string]).Truncated())
	assert.True(t, new(rpcfleet.CursorPage[string]).Last())
	assert.Nil(t, rpcfleet.Response{}.Header())
	assert.Nil(t, rpcfleet.Response{}.Body())
	assert.NotEmpty(t, rpcfleet.Response{}.String())
	assert.True(t, rpcfleet.FollowedEntry{}.Checkpoint().IsZero())
	for _, err := range []error{
		&rpcfleet.Error{}, &rpcfleet.DecodeError{}, &rpcfleet.ValidationError{}, &rpcfleet.PageError{},
		&rpcfleet.FollowError{},
	} {
		assert.NotEmpty(t, err.Error())
		assert.NotEmpty(t, rpcfleet.KindOf(err))
	}
	byID, others := rpcfleet.GroupUsageByEndpointID(nil, nil)
	assert.Empty(t, byID)
	assert.Empty(t, others)
	assert.Empty(t, rpcfleet.RateLimitsOf(nil))
	assert.Empty(t, rpcfleet.SecurityOptionsOf(nil))
}
