package clienttest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"testing"

	genqlient "github.com/Khan/genqlient/graphql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
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
					require.ErrorContains(t, callWithAnything(t, service.Method(m), "a"), notCreated)
				})
			}
		}
	}
}

// callWithAnything calls a method with a context, a word for every text, and lists of one item. It returns the error.
func callWithAnything(t *testing.T, method reflect.Value, word string, opts ...rpcfleet.CallOption) error {
	var args []reflect.Value
	in := method.Type()
	for i := range in.NumIn() {
		arg := reflect.New(in.In(i)).Elem()
		switch {
		case in.IsVariadic() && i == in.NumIn()-1:
			for _, opt := range opts {
				args = append(args, reflect.ValueOf(opt))
			}
			continue
		case arg.Type() == reflect.TypeFor[context.Context]():
			arg.Set(reflect.ValueOf(t.Context()))
		case arg.Kind() == reflect.String:
			arg.SetString(word)
		case arg.Kind() == reflect.Slice:
			arg.Set(reflect.MakeSlice(arg.Type(), 1, 1))
		}
		args = append(args, arg)
	}
	results := method.Call(args)
	return errorIn(t, results[len(results)-1])
}

// errorIn returns the error of a result: of the first step of an iterator, and of the first use of any other result.
func errorIn(t *testing.T, result reflect.Value) (err error) {
	if result.Kind() == reflect.Func {
		for _, failure := range result.Seq2() {
			require.NoError(t, err, "one error ends an iteration")
			err, _ = failure.Interface().(error)
		}
		return err
	}
	switch result := result.Interface().(type) {
	case error, nil:
		err, _ = result.(error)
		return err
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
		_, err := rpcfleet.Do[string](ctx, client, rpcfleet.Request{Method: "GET", Path: "/v0/a"})
		require.ErrorContains(t, err, notCreated)
	}
	require.ErrorContains(t, errOf(graph.Query[string](ctx, rpcfleet.Client{}.Graph, "{a}", nil)), notCreated)
	require.ErrorContains(t, errOf(new(rpcfleet.ToolingTokenSource).Token(ctx)), notCreated)
	for _, connection := range []*rpcfleet.Connection[string]{nil, {}} {
		require.ErrorContains(t, errOf(connection.Page(ctx)), "connection must be")
		for _, err := range connection.Pages(ctx) {
			require.ErrorContains(t, err, "connection must be")
		}
		for _, err := range connection.After("a").All(ctx) {
			require.ErrorContains(t, err, "connection must be")
		}
	}
	assert.True(t, new(rpcfleet.Page[string]).Last())
	assert.Nil(t, rpcfleet.Response{}.Header())
	assert.Nil(t, rpcfleet.Response{}.Body())
	assert.NotEmpty(t, fmt.Sprint(rpcfleet.Response{}))
	for _, err := range []error{
		&rpcfleet.Error{}, &rpcfleet.DecodeError{}, &rpcfleet.ValidationError{}, &rpcfleet.PageError{},
		&rpcfleet.FollowError{},
	} {
		assert.NotEmpty(t, err.Error())
		assert.NotEmpty(t, rpcfleet.KindOf(err))
	}
	assert.Empty(t, rpcfleet.RateLimitsOf(nil))
	assert.Empty(t, rpcfleet.SecurityOptionsOf(nil))
}

// TestKindOf_errorsWithoutAResponse classifies errors that no response has caused.
func TestKindOf_errorsWithoutAResponse(t *testing.T) {
	for _, row := range []struct {
		err       error
		kind      string
		retryable bool
	}{
		{nil, "ok", false},
		{&rpcfleet.Error{}, "connection_failed", true},
		{&rpcfleet.Error{OutcomeUnknown: true}, "connection_failed", false},
		{&rpcfleet.DecodeError{Reason: rpcfleet.ReasonTruncated}, "unreadable", false},
		{&rpcfleet.DecodeError{NoRecord: true}, "unreadable", false},
		{&rpcfleet.PageError{Err: &rpcfleet.Error{}}, "connection_failed", true},
		{&rpcfleet.ValidationError{}, "invalid_request", false},
		{context.Canceled, "canceled", false},
		{context.DeadlineExceeded, "timed_out", true},
		{errors.Join(&rpcfleet.Error{}, context.DeadlineExceeded), "timed_out", true},
	} {
		assert.Equal(t, row.kind, rpcfleet.KindOf(row.err), "%v", row.err)
		assert.Equal(t, row.retryable, rpcfleet.IsRetryable(row.err), "%v", row.err)
	}
}

// TestWithQuickNode_sendsToTheLiveService in each area, unless a later option sets another address.
func TestWithQuickNode_sendsToTheLiveService(t *testing.T) {
	const live = "https://api.quicknode.com"
	for _, row := range []struct {
		then       rpcfleet.ClientOption
		at, alerts string
	}{
		{rpcfleet.WithoutRetries(), live, "/quickalerts/rest/v1"},
		{rpcfleet.WithBaseURL("https://api.example.com/a"), "https://api.example.com/a", "/quickalerts/rest/v1"},
		{rpcfleet.WithAreaPath("alerts", "/b"), live, "/b"},
	} {
		var sent []string
		base := tripper(func(req *http.Request) (*http.Response, error) {
			sent = append(sent, req.URL.String())
			return nil, errors.New("no service")
		})
		client := over(t, base, rpcfleet.WithQuickNode(), rpcfleet.WithoutRetries(), row.then)
		require.ErrorIs(t, errOf(client.Account.Info(t.Context())), rpcfleet.ErrConnection)
		require.ErrorIs(t, errOf(client.Destinations.Get(t.Context(), "d")), rpcfleet.ErrConnection)
		require.ErrorIs(t, errOf(client.Graph.Collection(t.Context(), graph.ChainEthereum, "0x1")), rpcfleet.ErrConnection)
		assert.Equal(t, []string{
			row.at + "/v0/account/info", row.at + row.alerts + "/destinations/d", row.at + "/graphql",
		}, sent)
	}
}
