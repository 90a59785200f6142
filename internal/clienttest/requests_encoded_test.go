package clienttest

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// requests are all records that are the body of a request.
var requests = []any{
	api.AddDomainMaskRequest{}, api.AddEndpointTagRequest{}, api.AddIPRequest{}, admin.AddJWTRequest{},
	api.AddReferrerRequest{}, api.AddRequestFilterRequest{}, api.BulkAddEndpointTagRequest{},
	api.BulkRemoveEndpointTagRequest{}, api.BulkSetEndpointStatusRequest{}, admin.CreateEndpointRequest{},
	admin.CreateMethodRateLimitRequest{}, api.CreateTeamRequest{}, admin.InviteTeamMemberRequest{},
	admin.RemoveTeamMemberRequest{}, api.RenameTagRequest{}, api.SetEndpointStatusRequest{},
	api.SetIPCustomHeaderRequest{}, api.SetTeamEndpointsRequest{}, admin.UpdateEndpointRequest{},
	admin.UpdateMethodRateLimitRequest{}, api.UpdateRateLimitsRequest{}, api.UpdateRequestFilterRequest{},
	api.UpdateSecurityOptionsRequest{}, api.UpdateToolingAccessRequest{},
	alerts.BacktestExpressionRequest{}, alerts.CreateDestinationRequest{}, alerts.CreateNotificationRequest{},
	alerts.UpdateNotificationRequest{}, alerts.ValidateExpressionRequest{},
}

func TestTheTableHasEveryRequest(t *testing.T) {
	var declared, listed []string
	for _, folder := range []string{"admin", "alerts", "internal/api"} {
		names, err := filepath.Glob("../../" + folder + "/*.gen.go")
		require.NoError(t, err)
		for _, name := range names {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, decl := range file.Decls {
				group, is := decl.(*ast.GenDecl)
				if !is || group.Tok != token.TYPE {
					continue
				}
				for _, spec := range group.Specs {
					if name := spec.(*ast.TypeSpec).Name.Name; strings.HasSuffix(name, "Request") {
						declared = append(declared, path.Base(folder)+"."+name)
					}
				}
			}
		}
	}
	for _, request := range requests {
		listed = append(listed, reflect.TypeOf(request).String())
	}
	assert.ElementsMatch(t, declared, listed)
}

const (
	hookURL = "https://hooks.example/t0k3n?key=a&b=<c>\"ü\u2028"
	oddText = "a<b>&\"ü\u2028\xff\x00"
)

// filled sets everything that a value can hold. With depth at 0, lists and pointers lead to nothing but zero values.
func filled(value reflect.Value, depth int) {
	switch value.Interface().(type) {
	case scalar.Secret:
		value.Set(reflect.ValueOf(scalar.NewSecret("t0k3n")))
		return
	case scalar.SecretURL:
		value.Set(reflect.ValueOf(scalar.NewSecretURL(hookURL)))
		return
	}
	switch value.Kind() {
	case reflect.String:
		value.SetString(oddText[:depth*len(oddText)])
	case reflect.Int, reflect.Int64:
		value.SetInt(int64(depth) << 53)
	case reflect.Bool:
		value.SetBool(depth > 0)
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		filled(value.Elem(), depth)
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 2*depth, 2*depth))
		for i := range value.Len() {
			filled(value.Index(i), depth)
		}
	case reflect.Struct:
		for i := range value.NumField() {
			filled(value.Field(i), depth)
		}
	default:
		panic("a kind that no request has had so far: " + value.Kind().String())
	}
}

// TestRequestsAreEncodedAsTheirTagsSay compares with encoding/json, apart from the secrets.
func TestRequestsAreEncodedAsTheirTagsSay(t *testing.T) {
	plain, err := json.Marshal(hookURL)
	require.NoError(t, err)
	for _, request := range requests {
		t.Run(reflect.TypeOf(request).String(), func(t *testing.T) {
			bodies := []any{request}
			for depth := range 2 {
				body := reflect.New(reflect.TypeOf(request))
				filled(body.Elem(), depth)
				bodies = append(bodies, body.Elem().Interface(), body.Interface())
			}
			for _, body := range bodies {
				want, err := json.Marshal(body)
				require.NoError(t, err)
				got, err := reply.EncodeRequest(body)
				require.NoError(t, err)
				revealed := strings.ReplaceAll(string(want), `"https://hooks.example/[redacted]"`, string(plain))
				assert.JSONEq(t, strings.ReplaceAll(revealed, `"to_url":null`, `"to_url":""`), string(got))
			}
		})
	}
}

func TestSecretsAreRevealedInRequestsAlone(t *testing.T) {
	type record struct {
		Token    scalar.Secret               `json:"token"`
		URL      *scalar.SecretURL           `json:"url,omitempty"`
		None     *scalar.Secret              `json:"none,omitempty"`
		Empty    scalar.SecretURL            `json:"empty"`
		List     []scalar.Secret             `json:"list"`
		Map      map[string]scalar.SecretURL `json:"map"`
		Anything any                         `json:"anything"`
		Inner    struct{ Token scalar.Secret }
	}
	secret, address := scalar.NewSecret("t0k3n"), scalar.NewSecretURL("https://a.example/t0k3n")
	r := record{
		Token: secret, URL: &address, List: []scalar.Secret{secret}, Map: map[string]scalar.SecretURL{"a": address},
		Anything: &secret,
	}
	r.Inner.Token = secret
	got, err := reply.EncodeRequest(&r)
	require.NoError(t, err)
	assert.JSONEq(t, `{"token":"t0k3n","url":"https://a.example/t0k3n","empty":"","list":["t0k3n"],
		"map":{"a":"https://a.example/t0k3n"},"anything":"t0k3n","Inner":{"Token":"t0k3n"}}`, string(got))
	redacted, err := json.Marshal(&r)
	require.NoError(t, err)
	assert.NotContains(t, string(redacted), "t0k3n")
	_, err = reply.EncodeRequest(make(chan int))
	require.Error(t, err)
}

// TestRequestsHaveNoExtra compares the mark in the OpenAPI files with the bodies of requests: the members that a record
// keeps beside its fields are not for sending.
func TestRequestsHaveNoExtra(t *testing.T) {
	var visit func(of reflect.Type)
	visit = func(of reflect.Type) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice || of.Kind() == reflect.Map {
			of = of.Elem()
		}
		assert.NotEqual(t, reflect.TypeFor[scalar.Extra](), of)
		if of.Kind() == reflect.Struct && strings.HasPrefix(of.PkgPath(), reflect.TypeFor[admin.Endpoint]().PkgPath()[:20]) {
			for field := range of.Fields() {
				require.NotEqual(t, "Extra", field.Name, "%s", of)
				visit(field.Type)
			}
		}
	}
	for _, request := range requests {
		visit(reflect.TypeOf(request))
	}
}
