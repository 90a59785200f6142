package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// AccountService returns information about the account of the API key.
type AccountService engine

// Info returns the account's name and subscription.
// GET /v0/account/info
func (s *AccountService) Info(ctx context.Context, opts ...CallOption) (*admin.AccountInfo, error) {
	return fetchPayload[*admin.AccountInfo](ctx, (*engine)(s).call(api.GetAccountInfo(), opts))
}

// BillingService lists invoices and payments.
type BillingService engine

// Invoices returns the account's invoices. Amounts are in the smallest unit of the currency, times in unix seconds
// (observed).
// GET /v0/billing/invoices
func (s *BillingService) Invoices(ctx context.Context, opts ...CallOption) ([]admin.Invoice, error) {
	list, err := fetchPayload[api.InvoiceList](ctx, (*engine)(s).call(api.ListInvoices(), opts))
	return list.Invoices, err
}

// Payments returns the account's payments.
// GET /v0/billing/payments
func (s *BillingService) Payments(ctx context.Context, opts ...CallOption) ([]admin.Payment, error) {
	list, err := fetchPayload[api.PaymentList](ctx, (*engine)(s).call(api.ListPayments(), opts))
	return list.Payments, err
}

// ChainsService lists the chains with endpoints, and the prices of methods.
type ChainsService engine

// List returns the chains and their networks.
// GET /v0/chains
func (s *ChainsService) List(ctx context.Context, opts ...CallOption) ([]admin.ListedChain, error) {
	return fetchPayload[[]admin.ListedChain](ctx, (*engine)(s).call(api.ListChains(), opts))
}

// APICredits returns the price of each method of a chain, in API credits. chain is a slug as List returns it.
// GET /v0/api-credits/{chain}
func (s *ChainsService) APICredits(ctx context.Context, chain string, opts ...CallOption) ([]admin.APICredit, error) {
	return fetchPayload[[]admin.APICredit](ctx, (*engine)(s).call(api.ListAPICredits(chain), opts))
}

// TagsService manages the account's tags. [EndpointsService] assigns them. Rename and Delete need an administrator's
// key.
type TagsService engine

// List returns all tags, or [ErrForbidden] on some plans.
// GET /v0/endpoints/tags
func (s *TagsService) List(ctx context.Context, opts ...CallOption) ([]admin.Tag, error) {
	list, err := fetchPayload[api.TagList](ctx, (*engine)(s).call(api.ListTags(), opts))
	return list.Tags, err
}

// Rename changes the label of a tag.
// PATCH /v0/endpoints/tags/{id}
func (s *TagsService) Rename(ctx context.Context, tagID int64, label string, opts ...CallOption) (*admin.Tag, error) {
	c := (*engine)(s).call(api.RenameTag(tagID, api.RenameTagRequest{Label: label}), opts)
	return fetchChanged(ctx, c, admin.Tag{ID: tagID, Label: label})
}

// Delete deletes a tag without endpoints.
// DELETE /v0/endpoints/tags/{id}
func (s *TagsService) Delete(ctx context.Context, tagID int64, opts ...CallOption) error {
	return confirm(ctx, (*engine)(s).call(api.DeleteTag(tagID), opts))
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
