package clienttest

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Every method of a service takes a context, then ids and other single values, then at most one struct of parameters by
// value, then options of the call. The struct is one of the area's package, so that there is one place to look for it,
// or named Options where it says how the library goes about something. MakeRequest is an interface of genqlient's.

func TestParametersArePassedOneWay(t *testing.T) {
	client := reflect.TypeFor[rpcfleet.Client]()
	seen := 0
	for field := range client.Fields() {
		if !field.IsExported() || field.Type.Kind() != reflect.Pointer {
			continue
		}
		for method := range field.Type.Methods() {
			if method.Type.NumIn() < 2 || method.Type.In(1) != reflect.TypeFor[context.Context]() || method.Name == "MakeRequest" {
				continue
			}
			seen++
			assert.NoError(t, passedOneWay(method.Type, 2), "%s.%s", field.Name, method.Name)
		}
	}
	require.Greater(t, seen, 90, "methods that were looked at")
}

func TestOtherWaysOfPassingParametersAreFound(t *testing.T) {
	for _, good := range []any{
		func(context.Context, ...rpcfleet.CallOption) {},
		func(context.Context, string, int64, []string, ...rpcfleet.CallOption) {},
		func(context.Context, graph.Chain, scalar.BigInt, time.Time, admin.ListEndpointsParams, ...rpcfleet.CallOption) {
		},
		func(context.Context, string, rpcfleet.FollowOptions, ...rpcfleet.CallOption) {},
	} {
		assert.NoError(t, passedOneWay(reflect.TypeOf(good), 1), "%T", good)
	}
	for _, bad := range []any{
		func(context.Context) {},
		func(context.Context, string) {},
		func(context.Context, *admin.ListEndpointsParams, ...rpcfleet.CallOption) {},
		func(context.Context, *string, ...rpcfleet.CallOption) {},
		func(context.Context, []*string, ...rpcfleet.CallOption) {},
		func(context.Context, map[string]string, ...rpcfleet.CallOption) {},
		func(context.Context, admin.ListEndpointsParams, string, ...rpcfleet.CallOption) {},
		func(context.Context, admin.ListEndpointsParams, admin.ListLogsParams, ...rpcfleet.CallOption) {},
		func(context.Context, rpcfleet.RetryPolicy, ...rpcfleet.CallOption) {},
		func(context.Context, struct{ Limit int }, ...rpcfleet.CallOption) {},
	} {
		assert.Error(t, passedOneWay(reflect.TypeOf(bad), 1), "%T", bad)
	}
}

// passedOneWay says what is wrong with the parameters of a function from a position on, which is behind the context.
func passedOneWay(function reflect.Type, from int) error {
	last := function.NumIn() - 1
	if !function.IsVariadic() || function.In(last) != reflect.TypeFor[[]rpcfleet.CallOption]() {
		return fmt.Errorf("takes no options of the call")
	}
	for i := from; i < last; i++ {
		switch parameter := function.In(i); {
		case parameter.Kind() == reflect.Slice && parameter.Elem().Kind() != reflect.Pointer:
		case parameter.Kind() == reflect.Pointer, parameter.Kind() == reflect.Slice, parameter.Kind() == reflect.Map:
			return fmt.Errorf("takes a %s, not a value", parameter)
		case parameter.Kind() != reflect.Struct, isValue(parameter):
		case i != last-1:
			return fmt.Errorf("takes a %s that is not the last parameter", parameter)
		case !isParameters(parameter):
			return fmt.Errorf("takes a %s, which is neither of an area's package nor named Options", parameter)
		}
	}
	return nil
}

// isValue reports whether a struct is a single value.
func isValue(parameter reflect.Type) bool {
	return parameter == reflect.TypeFor[time.Time]() || strings.HasSuffix(parameter.PkgPath(), "/scalar")
}

// isParameters reports whether a struct may hold parameters.
func isParameters(parameter reflect.Type) bool {
	area := parameter.PkgPath()[strings.LastIndexByte(parameter.PkgPath(), '/')+1:]
	switch area {
	case "admin", "alerts", "graph":
		return true
	}
	return strings.HasPrefix(parameter.String(), "rpcfleet.") && strings.HasSuffix(parameter.Name(), "Options")
}
