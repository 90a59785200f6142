package rpcfleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// WebhooksService manages filters that run on every new block of a network and deliver their matches to an address: see
// package webhooks. All routes are observed. An active webhook cannot be updated: see Change.
type WebhooksService engine

// WithNewSecurityToken allows an update of a destination without a security token. The service then makes a new one,
// with which it signs from then on.
func WithNewSecurityToken() CallOption {
	return callOption{nil, func(s *callSettings) { s.newToken = true }}
}

// CreateFromTemplate creates a webhook with one of the service's filters. The template's arguments replace
// TemplateArgs. If the destination has no security token, the service makes one, which the response contains.
// POST /webhooks/rest/v1/webhooks/template/{template_id}
func (s *WebhooksService) CreateFromTemplate(ctx context.Context, template webhooks.Template,
	webhook webhooks.CreateFromTemplateRequest, opts ...CallOption) (*webhooks.Webhook, error) {
	id, given := templateOf(template, &webhook.TemplateArgs)
	request := api.CreateWebhookFromTemplate(id, webhook)
	request.Violation = cmp.Or(given, request.Violation)
	return create(ctx, (*engine)(s), request, opts, createdCreateWebhookFromTemplate(s, id, webhook))
}

// templateOf returns the id of a template, and sets its arguments, which are required.
func templateOf(template webhooks.Template, args *webhooks.Attributes) (id string, violation *api.Violation) {
	if template == nil {
		return "none", &api.Violation{Field: "template", Rule: "is required"}
	}
	id, *args = webhooks.Arguments(template)
	return id, api.AttributesRules("templateArgs", *args)
}

// Update changes the fields that are not nil. An active webhook is refused with [ErrInvalidRequest]: see Change. If the
// destination has no security token, the webhook's is requested and sent again: see [WithNewSecurityToken].
// PATCH /webhooks/rest/v1/webhooks/{webhook_id}
func (s *WebhooksService) Update(ctx context.Context, id string, update webhooks.UpdateWebhookRequest,
	opts ...CallOption) (*webhooks.Webhook, error) {
	err := s.keepToken(ctx, id, &update.Destination, opts, api.UpdateWebhook(id, update).Request)
	if err != nil {
		return nil, err
	}
	return fetchChanged(ctx, (*engine)(s), api.UpdateWebhook(id, update), opts, webhooks.Webhook{
		ID: id, Name: deref(update.Name), Status: deref(update.Status), FilterFunction: deref(update.FilterFunction),
		NotificationEmail: deref(update.NotificationEmail), Destination: deref(update.Destination),
	})
}

// UpdateTemplate changes the arguments of the template, which replace TemplateArgs, and the fields that are not nil,
// like Update. It cannot move the webhook to another network. Addresses that change belong in a Key-Value list.
// PATCH /webhooks/rest/v1/webhooks/{webhook_id}/template/{template_id}
func (s *WebhooksService) UpdateTemplate(ctx context.Context, id string, template webhooks.Template,
	update webhooks.UpdateTemplateRequest, opts ...CallOption) (*webhooks.Webhook, error) {
	templateID, given := templateOf(template, &update.TemplateArgs)
	request := func() api.RequestOf[webhooks.Webhook] { return api.UpdateWebhookTemplate(id, templateID, update) }
	if err := s.keepToken(ctx, id, &update.Destination, opts, request().Request, errorOf(given)); err != nil {
		return nil, err
	}
	return fetchChanged(ctx, (*engine)(s), request(), opts, webhooks.Webhook{
		ID: id, Name: deref(update.Name), Status: deref(update.Status), TemplateID: templateID,
		TemplateArgs: update.TemplateArgs, NotificationEmail: deref(update.NotificationEmail),
		Destination: deref(update.Destination),
	})
}

// keepToken gives a destination without a security token the webhook's, after the arguments of the update were checked.
func (s *WebhooksService) keepToken(ctx context.Context, id string, destination **webhooks.Destination,
	opts []CallOption, update api.Request, checks ...*ValidationError) error {
	c := (*engine)(s).newCall(update, opts, checks...)
	if c.err != nil || *destination == nil || !(*destination).SecurityToken.IsZero() || c.settings.newToken {
		return c.err
	}
	current, err := s.Get(ctx, id, withoutQuery(opts)...)
	if err != nil {
		return err
	}
	kept := **destination
	kept.SecurityToken = current.Destination.SecurityToken
	*destination = &kept
	return tokenShown(kept.SecurityToken, update.Operation)
}

// tokenShown refuses an update that would replace a security token because the service does not show it.
func tokenShown(token scalar.Secret, op *api.Operation) error {
	if token.IsZero() {
		const rule = "is required: the service does not show the present one, and would replace it (see WithNewSecurityToken)"
		return &ValidationError{Operation: op.ID, Field: "destination_attributes.security_token", Rule: rule}
	}
	return nil
}

// withoutQuery returns the options for the further requests of a call, which have another query.
func withoutQuery(opts []CallOption) []CallOption {
	return append(opts[:len(opts):len(opts)], callOption{nil, func(s *callSettings) { s.query = url.Values{} }})
}

// Change is Update of an active webhook: it pauses it, updates it, and activates it again from the last delivered
// block, also if the update fails or the context ends. If the new status is paused, it stays so. If the webhook cannot
// be activated again, the error is also [ErrStaysPaused]. Another client must not change it meanwhile.
// PATCH /webhooks/rest/v1/webhooks/{webhook_id}
func (s *WebhooksService) Change(ctx context.Context, id string, update webhooks.UpdateWebhookRequest,
	opts ...CallOption) (*webhooks.Webhook, error) {
	c := (*engine)(s).newCall(api.UpdateWebhook(id, update).Request, opts)
	return s.paused(ctx, c, id, update.Status, opts, func() (*webhooks.Webhook, error) {
		return s.Update(ctx, id, update, opts...)
	})
}

// ChangeTemplate is UpdateTemplate of an active webhook: see Change.
// PATCH /webhooks/rest/v1/webhooks/{webhook_id}/template/{template_id}
func (s *WebhooksService) ChangeTemplate(ctx context.Context, id string, template webhooks.Template,
	update webhooks.UpdateTemplateRequest, opts ...CallOption) (*webhooks.Webhook, error) {
	templateID, given := templateOf(template, &update.TemplateArgs)
	c := (*engine)(s).newCall(api.UpdateWebhookTemplate(id, templateID, update).Request, opts, errorOf(given))
	return s.paused(ctx, c, id, update.Status, opts, func() (*webhooks.Webhook, error) {
		return s.UpdateTemplate(ctx, id, template, update, opts...)
	})
}

// maxReactivation limits the activation after a change, which does not end with the caller's context.
const maxReactivation = time.Minute

// paused updates a webhook while it is paused.
func (s *WebhooksService) paused(ctx context.Context, c *call, id string, status *webhooks.Status, opts []CallOption,
	update func() (*webhooks.Webhook, error)) (*webhooks.Webhook, error) {
	if c.err != nil {
		return nil, c.err
	}
	opts = withoutQuery(opts)
	current, err := s.Get(ctx, id, opts...)
	switch {
	case err != nil:
		return nil, err
	case current.Status != webhooks.StatusActive:
		return update()
	}
	var changed *webhooks.Webhook
	if err = s.Pause(ctx, id, opts...); err == nil {
		changed, err = update()
	} else if failure, is := errors.AsType[*Error](err); is && !failure.open {
		return nil, err // It is still active.
	}
	if err == nil && status != nil && *status != webhooks.StatusActive {
		return changed, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxReactivation)
	defer cancel()
	// If the outcome of the pause is open, the webhook may be paused.
	if failed := s.Activate(ctx, id, webhooks.StartFromLast, opts...); failed != nil {
		return changed, fmt.Errorf("%w: %w", ErrStaysPaused, errors.Join(failed, err))
	}
	if err == nil {
		changed.Status = webhooks.StatusActive
	}
	return changed, err
}

// CountEnabled returns the number of active webhooks.
// GET /webhooks/rest/v1/webhooks/enabled_count
func (s *WebhooksService) CountEnabled(ctx context.Context, opts ...CallOption) (int, error) {
	found, err := fetch(ctx, (*engine)(s), api.CountEnabledWebhooks(), opts)
	return orNew(found).Total, err
}

// TestFilter runs a filter on one block. Result is null, or nil, if there was nothing to deliver.
// POST /webhooks/rest/v1/webhooks/test_filter
func (s *WebhooksService) TestFilter(ctx context.Context, test webhooks.FilterTest, opts ...CallOption) (
	*webhooks.FilterResult, error) {
	found, err := fetch(ctx, (*engine)(s), api.TestWebhookFilter(test), opts)
	if err == nil && found.Result == nil {
		found.Result, found.FilteredData = found.FilteredData, nil
	}
	return found, err
}
