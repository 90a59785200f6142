package main

import (
	"context"
	"iter"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// account is what the account has, as far as it was asked for.
type account struct {
	endpoints     []admin.Endpoint
	details       map[string]*details // Of endpoints, by id.
	teams         []admin.Team
	teamDetails   map[int64]*teamDetails
	destinations  []alerts.Destination
	notifications []alerts.Notification
}

// details is what a listing of endpoints does not tell. What was not asked for is nil.
type details struct {
	security *admin.EndpointSecurity
	options  rpcfleet.SecurityOptions
	limits   rpcfleet.RateLimits
	methods  []admin.MethodRateLimiter
}

type teamDetails struct {
	*admin.TeamDetail
	// visible are the ids of the endpoints that the team may use: those assigned to it, and those assigned to none.
	visible map[string]bool
}

// reader reads an account, several things at a time.
type reader struct {
	client   *rpcfleet.Client
	parallel int
	// step is called for everything that has been read.
	step func()
}

// ask reads something at the same time as the rest of a group.
func (r *reader) ask(group *errgroup.Group, read func() error) {
	group.Go(func() error {
		defer r.step()
		return read()
	})
}

// listings reads the listings of what a file declares.
func (r *reader) listings(ctx context.Context, f *fleet) (a *account, err error) {
	a = &account{details: map[string]*details{}, teamDetails: map[int64]*teamDetails{}}
	group, ctx := errgroup.WithContext(ctx)
	if f.Endpoints != nil || f.Teams != nil {
		r.ask(group, func() (err error) {
			params := admin.ListEndpointsParams{Limit: new(250), SortBy: new(admin.SortByCreatedAt), SortDirection: new(admin.SortDirectionAsc)}
			a.endpoints, err = collect(r.client.Endpoints.All(ctx, params, rpcfleet.WithPrefetch(4)))
			return err
		})
	}
	if f.Teams != nil {
		r.ask(group, func() (err error) {
			a.teams, err = r.client.Teams.List(ctx)
			return err
		})
	}
	if f.Destinations != nil || f.Notifications != nil {
		r.ask(group, func() (err error) {
			a.destinations, err = collect(r.client.Destinations.All(ctx, alerts.ListDestinationsParams{}))
			return err
		})
	}
	if f.Notifications != nil {
		r.ask(group, func() (err error) {
			a.notifications, err = collect(r.client.Notifications.All(ctx, alerts.ListNotificationsParams{}))
			return err
		})
	}
	return a, group.Wait()
}

// teamsDetails reads the members and the endpoints of all teams. A team of which the file says nothing tells something
// about the endpoints of the others: see assignment.
func (r *reader) teamsDetails(ctx context.Context, a *account) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(r.parallel)
	for _, t := range a.teams {
		told := &teamDetails{visible: map[string]bool{}}
		a.teamDetails[t.ID] = told
		r.ask(group, func() (err error) {
			told.TeamDetail, err = r.client.Teams.Get(ctx, t.ID)
			return err
		})
		r.ask(group, func() error {
			endpoints, err := r.client.Teams.Endpoints(ctx, t.ID)
			for _, e := range endpoints {
				told.visible[strconv.FormatInt(e.ID, 10)] = true
			}
			return err
		})
	}
	return group.Wait()
}

// endpointDetails adds to a group what is to be read about an endpoint.
func (r *reader) endpointDetails(ctx context.Context, group *errgroup.Group, id string, want *endpoint) *details {
	d := &details{}
	if s := want.Security; s != nil {
		r.ask(group, func() (err error) {
			d.security, err = r.client.Security.Get(ctx, id)
			return err
		})
		if s.Options != nil || s.IPCustomHeader != nil {
			r.ask(group, func() (err error) {
				d.options, err = r.client.Security.Options(ctx, id)
				return err
			})
		}
	}
	if want.RateLimits != nil {
		r.ask(group, func() (err error) {
			d.limits, err = r.client.RateLimits.Get(ctx, id)
			return err
		})
	}
	if want.MethodRateLimits != nil {
		r.ask(group, func() (err error) {
			d.methods, err = r.client.RateLimits.ListMethodLimits(ctx, id)
			return err
		})
	}
	return d
}

// collect returns all of what an iteration brings.
func collect[T any](all iter.Seq2[T, error]) ([]T, error) {
	var items []T
	for item, err := range all {
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}
