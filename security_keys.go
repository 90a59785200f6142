package rpcfleet

import (
	"cmp"
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// What a caller of an endpoint proves itself with: the tokens of the endpoint's addresses, and JWTs.

// CreateToken makes another token for the endpoint's addresses. The token is of a type that does not print it. Where
// the service sent no entry, both ID and Token are empty and not nil: Get lists the new token.
//
// POST /v0/endpoints/{id}/security/tokens
func (s *SecurityService) CreateToken(ctx context.Context, id string, opts ...CallOption) (*admin.EndpointToken, error) {
	created, err := fetch[admin.EndpointToken](ctx, s.engine.call(api.CreateToken(id), opts))
	if err != nil {
		return nil, err
	}
	created.ID, created.Token = cmp.Or(created.ID, new("")), cmp.Or(created.Token, new(scalar.Secret{}))
	return &created, nil
}

// DeleteToken takes a token off the endpoint: addresses with it stop working. The id is the entry's, not the token
// itself.
//
// DELETE /v0/endpoints/{id}/security/tokens/{token_id}
func (s *SecurityService) DeleteToken(ctx context.Context, id, tokenID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DeleteToken(id, tokenID), opts))
}

// AddJWT lets calls in that carry a JWT signed with the private half of the key. A name that is missing is
// [ErrInvalidRequest].
//
// POST /v0/endpoints/{id}/security/jwts
func (s *SecurityService) AddJWT(ctx context.Context, id string, jwt admin.AddJWTRequest, opts ...CallOption) (*admin.EndpointJWT, error) {
	added, err := fetch[admin.EndpointJWT](ctx, s.engine.call(api.AddJWT(id, jwt), opts))
	if err != nil {
		return nil, err
	}
	added.ID, added.PublicKey = cmp.Or(added.ID, new("")), cmp.Or(added.PublicKey, &jwt.PublicKey)
	added.Kid, added.Name = cmp.Or(added.Kid, &jwt.Kid), cmp.Or(added.Name, &jwt.Name)
	return &added, nil
}

// RemoveJWT takes a public key off the endpoint. The id is the entry's, not the key's own.
//
// DELETE /v0/endpoints/{id}/security/jwts/{jwt_id}
func (s *SecurityService) RemoveJWT(ctx context.Context, id, jwtID string, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.RemoveJWT(id, jwtID), opts))
}
