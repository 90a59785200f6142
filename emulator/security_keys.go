package emulator

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// The tokens of an endpoint's addresses, and the public keys that JWTs are checked with.

func tokenRecord(e entry[string]) adminapi.EndpointToken {
	return adminapi.EndpointToken{ID: &e.id, Token: &e.value}
}

// CreateToken is POST /v0/endpoints/{id}/security/tokens.
func (h adminHandlers) CreateToken(_ context.Context, r adminapi.CreateTokenRequestObject) (adminapi.CreateTokenResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	added := endpoint.security.tokens.add(h.state.ids, h.state.ids.token())
	return adminapi.CreateToken200JSONResponse{Data: new(tokenRecord(added))}, nil
}

// DeleteToken is DELETE /v0/endpoints/{id}/security/tokens/{token_id}. The addresses that the emulator shows keep the
// first token, also when it is deleted: nothing responds there.
func (h adminHandlers) DeleteToken(_ context.Context, r adminapi.DeleteTokenRequestObject) (adminapi.DeleteTokenResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	return adminapi.DeleteToken200JSONResponse{Data: endpoint.security.tokens.remove(r.TokenID)}, nil
}

// publicKey is what JWTs are checked with.
type publicKey struct {
	key  string
	kid  string
	name string
}

func (k publicKey) check() error {
	switch "" {
	case k.name:
		return badRequest("name is required")
	case k.kid:
		return badRequest("kid is required")
	case k.key:
		return badRequest("public_key is required")
	}
	return nil
}

func jwtRecord(e entry[publicKey]) adminapi.EndpointJWT {
	return adminapi.EndpointJWT{ID: &e.id, PublicKey: &e.value.key, Kid: &e.value.kid, Name: &e.value.name}
}

// AddJWT is POST /v0/endpoints/{id}/security/jwts. All three fields are required, though the contract documents only
// what happens without a name. The key is not looked into.
func (h adminHandlers) AddJWT(_ context.Context, r adminapi.AddJWTRequestObject) (adminapi.AddJWTResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	key := publicKey{key: r.Body.PublicKey, kid: r.Body.Kid, name: r.Body.Name}
	if err := key.check(); err != nil {
		return nil, err
	}
	added := endpoint.security.jwts.add(h.state.ids, key)
	return adminapi.AddJWT200JSONResponse{Data: new(jwtRecord(added))}, nil
}

// RemoveJWT is DELETE /v0/endpoints/{id}/security/jwts/{jwt_id}. An entry that does not exist responds with false, as
// its kin do.
func (h adminHandlers) RemoveJWT(_ context.Context, r adminapi.RemoveJWTRequestObject) (adminapi.RemoveJWTResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	return adminapi.RemoveJWT200JSONResponse{Data: endpoint.security.jwts.remove(r.JWTID)}, nil
}
