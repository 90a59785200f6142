package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// message is what the hook gets on its input. Only [scalar.Revealed] writes the secrets in it.
type message struct {
	EndpointID string           `json:"endpoint_id"`
	TokenID    string           `json:"token_id"`
	Token      scalar.Secret    `json:"token"`
	HTTPURL    scalar.SecretURL `json:"http_url,omitzero"`
	WSSURL     scalar.SecretURL `json:"wss_url,omitzero"`
}

// message makes the message of an endpoint whose new token is there.
func (r *rotation) message(ctx context.Context, e *entry) (*message, error) {
	has, err := r.client.Security.Get(ctx, e.Endpoint)
	if err != nil {
		return nil, err
	}
	m := &message{EndpointID: e.Endpoint, TokenID: e.New}
	for _, token := range has.Tokens {
		if token.ID != nil && *token.ID == e.New && token.Token != nil {
			m.Token = *token.Token
		}
	}
	if m.Token.IsZero() {
		return nil, fmt.Errorf("the service does not show its new token %s", e.New)
	}
	endpoint, err := r.client.Endpoints.Get(ctx, e.Endpoint)
	if err != nil {
		return nil, err
	}
	m.HTTPURL = withToken(endpoint.HTTPURL, has.Tokens, m.Token)
	if endpoint.WSSURL != nil {
		m.WSSURL = withToken(*endpoint.WSSURL, has.Tokens, m.Token)
	}
	return m, nil
}

// withToken puts a token into the place of another one in an address. An address without any of the tokens is left out:
// where the new one would go is not known.
func withToken(address scalar.SecretURL, tokens []admin.EndpointToken, token scalar.Secret) scalar.SecretURL {
	parsed, err := url.Parse(address.Reveal())
	if err != nil {
		return scalar.SecretURL{}
	}
	parts := strings.Split(parsed.Path, "/")
	for i, part := range parts {
		for _, known := range tokens {
			if known.Token != nil && part != "" && part == known.Token.Reveal() {
				parts[i] = token.Reveal()
				parsed.Path, parsed.RawPath = strings.Join(parts, "/"), ""
				return scalar.NewSecretURL(parsed.String())
			}
		}
	}
	return scalar.SecretURL{}
}
