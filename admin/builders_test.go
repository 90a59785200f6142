package admin_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
	"github.com/rpcfleet/rpcfleet-go/internal/operation/operationtest"
)

// builders are all request builders, in the order of the operations.
var builders = []any{
	admin.NewGetAccountInfoRequest,
	admin.NewListAPICreditsRequest,
	admin.NewListInvoicesRequest,
	admin.NewListPaymentsRequest,
	admin.NewListChainsRequest,
	admin.NewListEndpointsRequest,
	admin.NewCreateEndpointRequest,
	admin.NewBulkSetEndpointStatusRequest,
	admin.NewBulkRemoveEndpointTagRequest,
	admin.NewBulkAddEndpointTagRequest,
	admin.NewListTagsRequest,
	admin.NewDeleteTagRequest,
	admin.NewRenameTagRequest,
	admin.NewArchiveEndpointRequest,
	admin.NewGetEndpointRequest,
	admin.NewUpdateEndpointRequest,
	admin.NewDisableMultichainRequest,
	admin.NewEnableMultichainRequest,
	admin.NewRemoveIPCustomHeaderRequest,
	admin.NewSetIPCustomHeaderRequest,
	admin.NewGetLogDetailsRequest,
	admin.NewListLogsRequest,
	admin.NewListMethodRateLimitsRequest,
	admin.NewCreateMethodRateLimitRequest,
	admin.NewDeleteMethodRateLimitRequest,
	admin.NewUpdateMethodRateLimitRequest,
	admin.NewGetEndpointMetricsRequest,
	admin.NewGetRateLimitsRequest,
	admin.NewUpdateRateLimitsRequest,
	admin.NewReplaceRateLimitsRequest,
	admin.NewDeleteRateLimitOverrideRequest,
	admin.NewGetEndpointSecurityRequest,
	admin.NewAddDomainMaskRequest,
	admin.NewRemoveDomainMaskRequest,
	admin.NewAddIPRequest,
	admin.NewRemoveIPRequest,
	admin.NewAddJWTRequest,
	admin.NewRemoveJWTRequest,
	admin.NewAddReferrerRequest,
	admin.NewRemoveReferrerRequest,
	admin.NewAddRequestFilterRequest,
	admin.NewRemoveRequestFilterRequest,
	admin.NewUpdateRequestFilterRequest,
	admin.NewCreateTokenRequest,
	admin.NewDeleteTokenRequest,
	admin.NewGetSecurityOptionsRequest,
	admin.NewUpdateSecurityOptionsRequest,
	admin.NewSetEndpointStatusRequest,
	admin.NewAddEndpointTagRequest,
	admin.NewRemoveEndpointTagRequest,
	admin.NewGetEndpointURLsRequest,
	admin.NewGetAccountMetricsRequest,
	admin.NewListTeamsRequest,
	admin.NewCreateTeamRequest,
	admin.NewDeleteTeamRequest,
	admin.NewGetTeamRequest,
	admin.NewListTeamEndpointsRequest,
	admin.NewSetTeamEndpointsRequest,
	admin.NewInviteTeamMemberRequest,
	admin.NewRemoveTeamMemberRequest,
	admin.NewResendTeamInviteRequest,
	admin.NewGetToolingAccessRequest,
	admin.NewUpdateToolingAccessRequest,
	admin.NewCreateToolingTokenRequest,
	admin.NewGetUsageRequest,
	admin.NewGetUsageByChainRequest,
	admin.NewGetUsageByEndpointRequest,
	admin.NewGetUsageByMethodRequest,
	admin.NewGetUsageByTagRequest,
}

func TestBuilders(t *testing.T) { operationtest.Check(t, admin.Operations, builders) }

func FuzzBuilders(f *testing.F) { operationtest.Fuzz(f, admin.Operations, builders) }

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
