package rpcfleet

import (
	"context"
	"net/url"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// engine carries out calls. It is all that a service holds, and knows nothing of the services.
type engine struct {
	transport *transport.Transport
	observer  Observer
	rateLimit *latestRateLimit
	areas     areas
	defaults  callSettings
}

// areas are the addresses that the paths of the areas' operations are relative to, without a slash at the end. That of
// the admin area and of the graph area is one.
type areas struct{ alerts, others *url.URL }

// of returns the address that the operation's path is relative to.
func (a *areas) of(op *api.Operation) *url.URL {
	if op.Area == api.AreaAlerts {
		return a.alerts
	}
	return a.others
}

// caller is the engine with the options of one method call, which are resolved once.
type caller struct {
	engine *engine
	// settings are the client's own, and only read, where the call has no options.
	settings *callSettings
	// err is what is wrong with the options.
	err error
}

// with resolves the options of a method call.
func (e *engine) with(opts []CallOption) *caller {
	c := &caller{engine: e, settings: &e.defaults}
	c.apply(opts)
	return c
}

// apply resolves options, up to the first that is wrong.
func (c *caller) apply(opts []CallOption) {
	if len(opts) == 0 {
		return
	}
	settings := c.own()
	for _, option := range opts {
		if option == nil {
			c.err = errNilOption()
			return
		}
		if c.err = option.applyCall(settings); c.err != nil {
			return
		}
	}
}

// own returns settings that are the caller's alone, and may be changed.
func (c *caller) own() *callSettings {
	settings := *c.settings
	c.settings = &settings
	return c.settings
}

// call makes a call of one request. The checks are the results of the rules in client_checks.go, nil where the
// arguments keep them.
func (e *engine) call(request api.Request, opts []CallOption, checks ...*ValidationError) *call {
	c := &call{caller: caller{engine: e, settings: &e.defaults}, request: request}
	c.apply(opts)
	c.check(checks)
	return c
}

// call makes a call of one request. See engine.call.
func (c *caller) call(request api.Request, checks ...*ValidationError) *call {
	made := &call{caller: *c, request: request}
	made.check(checks)
	return made
}

// begin tells the observer that a call begins, and returns what tells it of the end. That is nil where there is none.
func (e *engine) begin(ctx context.Context, op *api.Operation) (context.Context, func(Outcome)) {
	if e.observer == nil {
		return ctx, nil
	}
	return e.observer.begin(ctx, public(op))
}
