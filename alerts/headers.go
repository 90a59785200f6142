package alerts

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// HeaderNames are the names of the headers that a signed delivery carries. An empty name stands for the observed one.
type HeaderNames struct {
	// Timestamp is the header with the time of signing, x-qn-timestamp unless set.
	Timestamp string
	// Nonce is the header with a text that is used once, x-qn-nonce unless set.
	Nonce string
	// ContentHash is the header with a hash of what was sent, x-qn-content-hash unless set.
	ContentHash string
	// Signature is the header with the signature over the other three, x-qn-signature unless set.
	Signature string
}

func (n HeaderNames) withDefaults() HeaderNames {
	return HeaderNames{
		Timestamp:   cmp.Or(n.Timestamp, "x-qn-timestamp"),
		Nonce:       cmp.Or(n.Nonce, "x-qn-nonce"),
		ContentHash: cmp.Or(n.ContentHash, "x-qn-content-hash"),
		Signature:   cmp.Or(n.Signature, "x-qn-signature"),
	}
}

// Headers are the headers of a delivery, read. A field is zero where the verifier's scheme has no such header.
type Headers struct {
	// Timestamp is the time of signing. A Receiver refuses a delivery whose time is too far from its own.
	Timestamp time.Time
	// Nonce is a text that is used once. A Receiver runs its callback once for it.
	Nonce string
	// ContentHash is the hash of what was sent, as the sender made it.
	ContentHash string
	// Signature is the signature, in base64. A Receiver runs its callback once for it.
	Signature string

	// stamp is the timestamp as it came. That is what was signed: the same time in another spelling has no signature.
	stamp string
}

// ErrHeader matches the error of a delivery that lacks a header, or has one that is given twice or cannot be read.
var ErrHeader = errors.New("alerts: unusable header")

// ReadHeaders reads the headers of a signed delivery and verifies nothing. The timestamp may be in unix seconds or
// milliseconds, in RFC 3339, or as Go prints a time, 2024-05-14 12:34:56.123456789 +0000 UTC: [scalar.Time] reads it,
// and the service was observed to send each of these. An error matches [ErrHeader], and names the header without
// showing its value.
func ReadHeaders(header http.Header, names HeaderNames) (Headers, error) {
	names = names.withDefaults()
	var headers Headers
	for _, field := range []struct {
		name string
		into *string
	}{
		{names.Timestamp, &headers.stamp},
		{names.Nonce, &headers.Nonce},
		{names.ContentHash, &headers.ContentHash},
		{names.Signature, &headers.Signature},
	} {
		value, err := single(header, field.name)
		if err != nil {
			return Headers{}, err
		}
		*field.into = value
	}
	var timestamp scalar.Time
	if err := timestamp.UnmarshalText([]byte(headers.stamp)); err != nil || !timestamp.Valid() {
		return Headers{}, fmt.Errorf("%w: %s is not a time", ErrHeader, names.Timestamp)
	}
	headers.Timestamp = timestamp.Time
	return headers, nil
}

// single returns the value of a header that must be there exactly once: of two values, a proxy and this program could
// each believe another one.
func single(header http.Header, name string) (string, error) {
	values := header.Values(name)
	switch {
	case len(values) == 0 || len(values) == 1 && values[0] == "":
		return "", fmt.Errorf("%w: %s is missing", ErrHeader, name)
	case len(values) > 1:
		return "", fmt.Errorf("%w: %s is given twice", ErrHeader, name)
	}
	return values[0], nil
}
