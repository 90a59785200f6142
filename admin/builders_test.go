package admin_test

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
)

// builders are all request builders, each with its operation.
var builders = []struct {
	op    operation.Operation
	build any
}{
	{admin.GetAccountInfoOperation, admin.NewGetAccountInfoRequest},
	{admin.ListAPICreditsOperation, admin.NewListAPICreditsRequest},
	{admin.ListInvoicesOperation, admin.NewListInvoicesRequest},
	{admin.ListPaymentsOperation, admin.NewListPaymentsRequest},
	{admin.ListChainsOperation, admin.NewListChainsRequest},
	{admin.ListEndpointsOperation, admin.NewListEndpointsRequest},
	{admin.CreateEndpointOperation, admin.NewCreateEndpointRequest},
	{admin.BulkSetEndpointStatusOperation, admin.NewBulkSetEndpointStatusRequest},
	{admin.BulkRemoveEndpointTagOperation, admin.NewBulkRemoveEndpointTagRequest},
	{admin.BulkAddEndpointTagOperation, admin.NewBulkAddEndpointTagRequest},
	{admin.ListTagsOperation, admin.NewListTagsRequest},
	{admin.DeleteTagOperation, admin.NewDeleteTagRequest},
	{admin.RenameTagOperation, admin.NewRenameTagRequest},
	{admin.ArchiveEndpointOperation, admin.NewArchiveEndpointRequest},
	{admin.GetEndpointOperation, admin.NewGetEndpointRequest},
	{admin.UpdateEndpointOperation, admin.NewUpdateEndpointRequest},
	{admin.DisableMultichainOperation, admin.NewDisableMultichainRequest},
	{admin.EnableMultichainOperation, admin.NewEnableMultichainRequest},
	{admin.RemoveIPCustomHeaderOperation, admin.NewRemoveIPCustomHeaderRequest},
	{admin.SetIPCustomHeaderOperation, admin.NewSetIPCustomHeaderRequest},
	{admin.GetLogDetailsOperation, admin.NewGetLogDetailsRequest},
	{admin.ListLogsOperation, admin.NewListLogsRequest},
	{admin.ListMethodRateLimitsOperation, admin.NewListMethodRateLimitsRequest},
	{admin.CreateMethodRateLimitOperation, admin.NewCreateMethodRateLimitRequest},
	{admin.DeleteMethodRateLimitOperation, admin.NewDeleteMethodRateLimitRequest},
	{admin.UpdateMethodRateLimitOperation, admin.NewUpdateMethodRateLimitRequest},
	{admin.GetEndpointMetricsOperation, admin.NewGetEndpointMetricsRequest},
	{admin.GetRateLimitsOperation, admin.NewGetRateLimitsRequest},
	{admin.UpdateRateLimitsOperation, admin.NewUpdateRateLimitsRequest},
	{admin.ReplaceRateLimitsOperation, admin.NewReplaceRateLimitsRequest},
	{admin.DeleteRateLimitOverrideOperation, admin.NewDeleteRateLimitOverrideRequest},
	{admin.GetEndpointSecurityOperation, admin.NewGetEndpointSecurityRequest},
	{admin.AddDomainMaskOperation, admin.NewAddDomainMaskRequest},
	{admin.RemoveDomainMaskOperation, admin.NewRemoveDomainMaskRequest},
	{admin.AddIPOperation, admin.NewAddIPRequest},
	{admin.RemoveIPOperation, admin.NewRemoveIPRequest},
	{admin.AddJWTOperation, admin.NewAddJWTRequest},
	{admin.RemoveJWTOperation, admin.NewRemoveJWTRequest},
	{admin.AddReferrerOperation, admin.NewAddReferrerRequest},
	{admin.RemoveReferrerOperation, admin.NewRemoveReferrerRequest},
	{admin.AddRequestFilterOperation, admin.NewAddRequestFilterRequest},
	{admin.RemoveRequestFilterOperation, admin.NewRemoveRequestFilterRequest},
	{admin.UpdateRequestFilterOperation, admin.NewUpdateRequestFilterRequest},
	{admin.CreateTokenOperation, admin.NewCreateTokenRequest},
	{admin.DeleteTokenOperation, admin.NewDeleteTokenRequest},
	{admin.GetSecurityOptionsOperation, admin.NewGetSecurityOptionsRequest},
	{admin.UpdateSecurityOptionsOperation, admin.NewUpdateSecurityOptionsRequest},
	{admin.SetEndpointStatusOperation, admin.NewSetEndpointStatusRequest},
	{admin.AddEndpointTagOperation, admin.NewAddEndpointTagRequest},
	{admin.RemoveEndpointTagOperation, admin.NewRemoveEndpointTagRequest},
	{admin.GetEndpointURLsOperation, admin.NewGetEndpointURLsRequest},
	{admin.GetAccountMetricsOperation, admin.NewGetAccountMetricsRequest},
	{admin.ListTeamsOperation, admin.NewListTeamsRequest},
	{admin.CreateTeamOperation, admin.NewCreateTeamRequest},
	{admin.DeleteTeamOperation, admin.NewDeleteTeamRequest},
	{admin.GetTeamOperation, admin.NewGetTeamRequest},
	{admin.ListTeamEndpointsOperation, admin.NewListTeamEndpointsRequest},
	{admin.SetTeamEndpointsOperation, admin.NewSetTeamEndpointsRequest},
	{admin.InviteTeamMemberOperation, admin.NewInviteTeamMemberRequest},
	{admin.RemoveTeamMemberOperation, admin.NewRemoveTeamMemberRequest},
	{admin.ResendTeamInviteOperation, admin.NewResendTeamInviteRequest},
	{admin.GetToolingAccessOperation, admin.NewGetToolingAccessRequest},
	{admin.UpdateToolingAccessOperation, admin.NewUpdateToolingAccessRequest},
	{admin.CreateToolingTokenOperation, admin.NewCreateToolingTokenRequest},
	{admin.GetUsageOperation, admin.NewGetUsageRequest},
	{admin.GetUsageByChainOperation, admin.NewGetUsageByChainRequest},
	{admin.GetUsageByEndpointOperation, admin.NewGetUsageByEndpointRequest},
	{admin.GetUsageByMethodOperation, admin.NewGetUsageByMethodRequest},
	{admin.GetUsageByTagOperation, admin.NewGetUsageByTagRequest},
}

// request calls a builder with the text for every text of its path, the number for every number, and no parameters.
func request(t *testing.T, build any, text string, number int64) *http.Request {
	t.Helper()
	f := reflect.ValueOf(build)
	arguments := []reflect.Value{reflect.ValueOf("https://api.example.com/base/")}
	for i := 1; i < f.Type().NumIn(); i++ {
		argument := reflect.New(f.Type().In(i)).Elem()
		switch argument.Kind() {
		case reflect.String:
			argument.SetString(text)
		case reflect.Int64:
			argument.SetInt(number)
		}
		arguments = append(arguments, argument)
	}
	results := f.Call(arguments)
	require.Nil(t, results[1].Interface())
	return results[0].Interface().(*http.Request)
}

// segments checks that the request's path is the operation's template with each parameter one segment.
func segments(t *testing.T, op operation.Operation, r *http.Request, text string, number int64) {
	t.Helper()
	path, found := strings.CutPrefix(r.URL.EscapedPath(), "/base")
	require.True(t, found, path)
	want, got := strings.Split(op.Path, "/"), strings.Split(path, "/")
	require.Len(t, got, len(want), "%s: %q became %s", op.ID, text, path)
	for i := range want {
		if !strings.HasPrefix(want[i], "{") {
			assert.Equal(t, want[i], got[i], op.ID)
			continue
		}
		value, err := url.PathUnescape(got[i])
		require.NoError(t, err)
		assert.Contains(t, []string{text, fmt.Sprint(number)}, value, op.ID)
	}
}

func TestBuilders(t *testing.T) {
	require.Len(t, builders, len(admin.Operations))
	for i, builder := range builders {
		assert.Equal(t, admin.Operations[i], builder.op)
		r := request(t, builder.build, "an id", 7)
		assert.Equal(t, builder.op.Method, r.Method)
		segments(t, builder.op, r, "an id", 7)
		assert.Empty(t, r.URL.RawQuery)
		if r.Body != nil {
			assert.Equal(t, "application/json", r.Header.Get("Content-Type"))
			assert.NotNil(t, r.GetBody, "%s: a repeated try needs the body again", builder.op.ID)
		}
	}
}

func TestOperations(t *testing.T) {
	seen := map[string]bool{}
	for _, op := range admin.Operations {
		assert.False(t, seen[op.ID], op.ID)
		seen[op.ID] = true
		assert.Equal(t, operation.AreaAdmin, op.Area)
		assert.NotEmpty(t, op.Tag)
		assert.NotEmpty(t, op.Paging)
		assert.NotEmpty(t, op.Answer)
		assert.Equal(t, strings.HasPrefix(op.Path, "/v0/teams"), op.Bearer, op.ID)
		assert.Equal(t, op.ID == "replaceRateLimits", op.Deprecated, op.ID)
		if op.Method == http.MethodGet || op.Method == http.MethodPut || op.Method == http.MethodDelete {
			assert.True(t, op.Idempotent, op.ID)
		}
		if strings.HasPrefix(op.ID, "create") || strings.HasPrefix(op.ID, "add") || strings.HasPrefix(op.ID, "invite") {
			assert.False(t, op.Idempotent, op.ID)
		}
	}
	assert.Len(t, admin.Operations, 69)
}

func FuzzBuilders(f *testing.F) {
	for _, text := range []string{"ep1", "a/b", "ü?#", "100%", "%2e%2e", "a/../b", "...", " ", "\x00", "\xff", "{id}", "a;b=c", "//", "%s"} {
		f.Add(text, int64(len(text)))
	}
	f.Fuzz(func(t *testing.T, text string, number int64) {
		if text == "" || text == "." || text == ".." {
			return // The facade refuses these: no escaping keeps them a segment.
		}
		for _, builder := range builders {
			segments(t, builder.op, request(t, builder.build, text, number), text, number)
		}
	})
}
