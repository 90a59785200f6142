package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// FindCreated looks for the account's tags of that label, which [EndpointsService.AddTag] and
// [EndpointsService.BulkAddTag] create: see [Lookup].
//
// GET /v0/endpoints/tags
func (s *TagsService) FindCreated(ctx context.Context, label string, opts ...CallOption) (Lookup[admin.Tag], error) {
	list, err := fetch[admin.TagList](ctx, s.engine.call(api.ListTags(), opts, required("label", label)))
	return lookAmong(list.Tags, err,
		func(tag *admin.Tag) string { return decimal(&tag.ID) },
		func(tag *admin.Tag) bool { return tag.Label == label },
	)
}
