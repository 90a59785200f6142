package clienttest

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// addition is a call that adds an entry. plain is what the service sends of it.
type addition struct {
	add        func(ctx context.Context, c *rpcfleet.Client) (any, error)
	path, body string
	plain      string
	// told is the record where the service tells it, untold where it does not.
	told, untold any
}

var additions = map[string]addition{
	"AddReferrer": {
		add: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			return c.Security.AddReferrer(ctx, "ep1", "a.example")
		},
		path: "referrers", body: `{"referrer":"a.example"}`,
		plain:  `{"id":"701","referrer":"A.example"}`,
		told:   &admin.EndpointReferrer{ID: new("701"), Referrer: new("A.example")},
		untold: &admin.EndpointReferrer{ID: new(""), Referrer: new("a.example")},
	},
	"AddIP": {
		add: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			return c.Security.AddIP(ctx, "ep1", "192.0.2.1")
		},
		path: "ips", body: `{"ip":"192.0.2.1"}`,
		plain:  `{"id":"901","ip":"192.0.2.1/32"}`,
		told:   &admin.EndpointIP{ID: new("901"), IP: new("192.0.2.1/32")},
		untold: &admin.EndpointIP{ID: new(""), IP: new("192.0.2.1")},
	},
	"AddDomainMask": {
		add: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			return c.Security.AddDomainMask(ctx, "ep1", "a.example")
		},
		path: "domain_masks", body: `{"domain_mask":"a.example"}`,
		plain:  `{"id":"801","domain":"A.example"}`,
		told:   &admin.EndpointDomainMask{ID: new("801"), Domain: new("A.example")},
		untold: &admin.EndpointDomainMask{ID: new(""), Domain: new("a.example")},
	},
	"AddDomainMask, under its other name": {
		add: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			return c.Security.AddDomainMask(ctx, "ep1", "a.example")
		},
		path: "domain_masks", body: `{"domain_mask":"a.example"}`,
		plain:  `{"id":"801","domain_mask":"A.example"}`,
		told:   &admin.EndpointDomainMask{ID: new("801"), Domain: new("A.example"), DomainMask: new("A.example")},
		untold: &admin.EndpointDomainMask{ID: new(""), Domain: new("a.example")},
	},
	"AddRequestFilter": {
		add: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			return c.Security.AddRequestFilter(ctx, "ep1", []string{"eth_call"})
		},
		path: "request_filters", body: `{"method":["eth_call"]}`,
		plain:  `{"id":"951"}`,
		told:   &admin.RequestFilter{ID: "951", Method: []string{"eth_call"}},
		untold: &admin.RequestFilter{Method: []string{"eth_call"}},
	},
	"AddJWT": {
		add:  func(ctx context.Context, c *rpcfleet.Client) (any, error) { return c.Security.AddJWT(ctx, "ep1", jwt) },
		path: "jwts", body: `{"public_key":"made-up-key","kid":"key-1","name":"Backend"}`,
		plain:  `{"id":"601","public_key":"k","kid":"K","name":"N"}`,
		told:   &admin.EndpointJWT{ID: new("601"), PublicKey: new("k"), Kid: new("K"), Name: new("N")},
		untold: &admin.EndpointJWT{ID: new(""), PublicKey: new("made-up-key"), Kid: new("key-1"), Name: new("Backend")},
	},
	"CreateToken": {
		add:    func(ctx context.Context, c *rpcfleet.Client) (any, error) { return c.Security.CreateToken(ctx, "ep1") },
		path:   "tokens",
		plain:  `{"id":"501","token":"made-up-t0k3n"}`,
		told:   &admin.EndpointToken{ID: new("501"), Token: new(scalar.NewSecret("made-up-t0k3n"))},
		untold: &admin.EndpointToken{ID: new(""), Token: new(scalar.Secret{})},
	},
}

func TestSecurityAdditions(t *testing.T) {
	for name, test := range additions {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, says(200, `{"data":`+test.plain+`,"error":null}`))
			added, err := test.add(t.Context(), client)
			require.NoError(t, err)
			assert.Equal(t, test.told, added)
			assert.NotContains(t, prints(t, added), "t0k3n")

			require.Len(t, server.Requests(), 1)
			request := server.Requests()[0]
			assert.Equal(t, "POST", request.Method)
			assert.Equal(t, "/v0/endpoints/ep1/security/"+test.path, request.Path)
			if test.body == "" {
				assert.Empty(t, request.Body)
			} else {
				assert.JSONEq(t, test.body, request.Body)
			}

			for _, nothing := range []string{`{}`, `{"data":{}}`, `{"data":null,"error":null}`, ` `, `{"data":{"id":null}}`} {
				client, _ := scripted(t, says(200, nothing))
				added, err := test.add(t.Context(), client)
				require.NoError(t, err, nothing)
				assert.Equal(t, test.untold, added, nothing)
			}
		})
	}
}

func TestSecurityAdditionsThatFail(t *testing.T) {
	for name, test := range additions {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, says(502, ``))
			_, err := test.add(t.Context(), client)
			require.ErrorIs(t, err, rpcfleet.ErrServer)
			assert.Len(t, server.Requests(), 1, "the entry may exist: it is not added again")

			client, _ = scripted(t, says(200, `{"data":null,"error":"nope"}`))
			added, err := test.add(t.Context(), client)
			require.ErrorIs(t, err, rpcfleet.ErrRefused)
			assert.Nil(t, added)

			client, _ = scripted(t, says(200, strings.TrimSuffix(`{"data":`+test.plain, "}")))
			_, err = test.add(t.Context(), client)
			var unreadable *rpcfleet.DecodeError
			require.ErrorAs(t, err, &unreadable)
			assert.NotContains(t, prints(t, err), "t0k3n")
		})
	}
}
