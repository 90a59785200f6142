package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// AccountService returns information about the account of the API key.
type AccountService engine

// BillingService lists invoices and payments.
type BillingService engine

// ChainsService lists the chains with endpoints, and the prices of methods.
type ChainsService engine

// TagsService manages the account's tags. [EndpointsService] assigns them. Rename and Delete need an administrator's
// key.
type TagsService engine

// Rename changes the label of a tag.
// PATCH /v0/endpoints/tags/{id}
func (s *TagsService) Rename(ctx context.Context, tagID int64, label string, opts ...CallOption) (*admin.Tag, error) {
	c := (*engine)(s).call(api.RenameTag(tagID, api.RenameTagRequest{Label: label}), opts)
	return fetchChanged(ctx, c, admin.Tag{ID: tagID, Label: label})
}

// FindCreated finds a tag of AddTag or BulkAddTag.
// GET /v0/endpoints/tags
func (s *TagsService) FindCreated(ctx context.Context, label string, opts ...CallOption) (Lookup[admin.Tag], error) {
	list, err := fetchPayload[api.TagList](ctx, (*engine)(s).call(api.ListTags(), opts, required("label", label)))
	return findMatches(list.Tags, err,
		func(tag *admin.Tag) string { return formatID(&tag.ID) },
		func(tag *admin.Tag) bool { return tag.Label == label },
	)
}
