package emulator

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// received is what a handler may want to know of a request beyond the generated record of it.
type received struct {
	body  []byte
	query url.Values
	// base is the address under which the emulator was reached, such as "http://127.0.0.1:40123".
	base string
}

type receivedKey struct{}

// withReceived leaves what was received with the request.
func withReceived(r *http.Request, body []byte) context.Context {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return context.WithValue(r.Context(), receivedKey{}, received{
		body:  body,
		query: r.URL.Query(),
		base:  scheme + "://" + r.Host,
	})
}

func receivedWith(ctx context.Context) received {
	request, _ := ctx.Value(receivedKey{}).(received)
	return request
}

// sent decodes the request's body once more, into a map as a rule. The generated records do not tell a key that they
// do not know from none at all, nor a false from an absence.
func sent[T any](ctx context.Context) (T, error) {
	var body T
	if err := json.Unmarshal(receivedWith(ctx).body, &body); err != nil {
		return body, badRequest("the body is not acceptable")
	}
	return body, nil
}
