package acceptance

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// securityQueries call every method about the security of endpoints, in the way of adminQueries.
var securityQueries = []query{
	{"Security.Get", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Security.Get(ctx, f.id))
	}},
	{"Security.Options", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Security.Options(ctx, f.id))
	}},
	{"Security.SetOptions", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Security.SetOptions(ctx, f.id, admin.SecurityOptionSwitches{CORS: new(admin.SwitchEnabled)}))
	}},
	{"Security.AddReferrer", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Security.AddReferrer(ctx, f.id, "other.example.com"))
	}},
	{"Security.AddIP", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Security.AddIP(ctx, f.id, "192.0.2.11"))
	}},
	{"Security.AddDomainMask", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Security.AddDomainMask(ctx, f.id, "other.example.com"))
	}},
	{"Security.AddJWT", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Security.AddJWT(ctx, f.id,
			admin.AddJWTRequest{PublicKey: "made-up-key", Kid: "key-2", Name: "Frontend"}))
	}},
	{"Security.CreateToken", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Security.CreateToken(ctx, f.id))
	}},
	{"Security.AddRequestFilter", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Security.AddRequestFilter(ctx, f.id, []string{"eth_getLogs"}))
	}},
	{"Security.UpdateRequestFilter", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Security.UpdateRequestFilter(ctx, f.id, f.filter, []string{"eth_call", "eth_getLogs"}))
	}},
	{"Security.SetIPCustomHeader", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return got(c.Security.SetIPCustomHeader(ctx, f.id, "X-Client-IP"))
	}},
	{"Security.RemoveReferrer", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Security.RemoveReferrer(ctx, f.id, f.referrer))
	}},
	{"Security.RemoveIP", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Security.RemoveIP(ctx, f.id, f.ip))
	}},
	{"Security.RemoveDomainMask", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Security.RemoveDomainMask(ctx, f.id, f.mask))
	}},
	{"Security.RemoveJWT", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Security.RemoveJWT(ctx, f.id, f.jwt))
	}},
	{"Security.DeleteToken", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Security.DeleteToken(ctx, f.id, f.token))
	}},
	{"Security.RemoveRequestFilter", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Security.RemoveRequestFilter(ctx, f.id, f.filter))
	}},
	{"Security.RemoveIPCustomHeader", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Security.RemoveIPCustomHeader(ctx, f.id))
	}},
	{"Endpoints.Archive", func(ctx context.Context, c *rpcfleet.Client, f *sampleAccount) (any, error) {
		return only(c.Endpoints.Archive(ctx, f.spare))
	}},
}
