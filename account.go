package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// AccountService tells about the account that the API key belongs to.
type AccountService struct{ engine *engine }

// Info returns the account's name, subscription and billing version.
//
// GET /v0/account/info
func (s *AccountService) Info(ctx context.Context, opts ...CallOption) (*admin.AccountInfo, error) {
	return fetch[*admin.AccountInfo](ctx, s.engine.call(api.GetAccountInfo(), opts))
}

// BillingService lists what was billed and paid.
type BillingService struct{ engine *engine }

// Invoices returns the account's invoices. Amounts are in the smallest unit of the currency, times in unix seconds
// (observed).
//
// GET /v0/billing/invoices
func (s *BillingService) Invoices(ctx context.Context, opts ...CallOption) ([]admin.Invoice, error) {
	list, err := fetch[admin.InvoiceList](ctx, s.engine.call(api.ListInvoices(), opts))
	return list.Invoices, err
}

// Payments returns the account's payments.
//
// GET /v0/billing/payments
func (s *BillingService) Payments(ctx context.Context, opts ...CallOption) ([]admin.Payment, error) {
	list, err := fetch[admin.PaymentList](ctx, s.engine.call(api.ListPayments(), opts))
	return list.Payments, err
}

// ChainsService lists the chains that endpoints can be created on, and what calls on them cost.
type ChainsService struct{ engine *engine }

// List returns the chains and their networks.
//
// GET /v0/chains
func (s *ChainsService) List(ctx context.Context, opts ...CallOption) ([]admin.ListedChain, error) {
	return fetch[[]admin.ListedChain](ctx, s.engine.call(api.ListChains(), opts))
}

// APICredits returns what each method costs on a chain, in API credits. The chain is a slug as List returns it. An
// unknown chain is [ErrNotFound].
//
// GET /v0/api-credits/{chain}
func (s *ChainsService) APICredits(ctx context.Context, chain string, opts ...CallOption) ([]admin.APICredit, error) {
	return fetch[[]admin.APICredit](ctx, s.engine.call(api.ListAPICredits(chain), opts))
}

// TagsService manages the account's tags. [EndpointsService] puts them on endpoints and takes them off.
type TagsService struct{ engine *engine }

// List returns the account's tags, those without endpoints included. A plan without the list of tags is [ErrForbidden].
//
// GET /v0/endpoints/tags
func (s *TagsService) List(ctx context.Context, opts ...CallOption) ([]admin.Tag, error) {
	list, err := fetch[admin.TagList](ctx, s.engine.call(api.ListTags(), opts))
	return list.Tags, err
}

// Rename gives a tag another label: every endpoint with the tag shows it. It needs an administrator's key. A tag that
// does not exist is [ErrNotFound], a label that the service does not accept [ErrInvalidRequest]. Where the service sent
// no tag, the result has the id and the label that were sent.
//
// PATCH /v0/endpoints/tags/{id}
func (s *TagsService) Rename(ctx context.Context, tagID int64, label string, opts ...CallOption) (*admin.Tag, error) {
	call := s.engine.call(api.RenameTag(tagID, admin.RenameTagRequest{Label: label}), opts)
	return change(ctx, call, admin.Tag{ID: tagID, Label: label})
}

// Delete deletes a tag. It needs an administrator's key. A tag that endpoints still have is [ErrInvalidRequest], one
// that does not exist [ErrNotFound].
//
// DELETE /v0/endpoints/tags/{id}
func (s *TagsService) Delete(ctx context.Context, tagID int64, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DeleteTag(tagID), opts))
}

// FindCreated looks for the account's tags of that label, which [EndpointsService.AddTag] and
// [EndpointsService.BulkAddTag] create: see [Lookup].
//
// GET /v0/endpoints/tags
func (s *TagsService) FindCreated(ctx context.Context, label string, opts ...CallOption) (Lookup[admin.Tag], error) {
	list, err := fetch[admin.TagList](ctx, s.engine.call(api.ListTags(), opts, required("label", label)))
	return lookUp(list.Tags, err,
		func(tag *admin.Tag) string { return decimal(&tag.ID) },
		func(tag *admin.Tag) bool { return tag.Label == label },
	)
}
