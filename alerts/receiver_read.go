package alerts

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

// read reads and verifies a request: the headers first, the body if they are right, then what the body says.
func (rc *Receiver) read(w http.ResponseWriter, r *http.Request) (*Delivery, *rejection) {
	headers, refused := rc.readHeaders(r)
	var body []byte
	if refused == nil {
		body, refused = rc.readBody(w, r)
	}
	if refused != nil {
		abandonBody(w, r)
		return nil, refused
	}
	if refused := rc.checkContent(r, body, headers); refused != nil {
		return nil, refused
	}
	return &Delivery{
		Payload: body, PayloadType: rc.settings.payloadType,
		Method: r.Method, RawQuery: r.URL.RawQuery, Headers: headers,
	}, nil
}

// readHeaders checks what can be told without the body.
func (rc *Receiver) readHeaders(r *http.Request) (Headers, *rejection) {
	if r.Method != http.MethodPost && r.Method != http.MethodGet {
		return Headers{}, refuse(http.StatusMethodNotAllowed, "a delivery is a POST or a GET")
	}
	headers, err := rc.verifier.Verify(r.Header)
	if err != nil {
		return Headers{}, refuseUnverified(err)
	}
	if refused := rc.checkTime(&headers); refused != nil {
		return Headers{}, refused
	}
	for _, encoding := range r.Header.Values("Content-Encoding") {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			return Headers{}, refuse(http.StatusUnsupportedMediaType, "the body must not have a Content-Encoding")
		}
	}
	return headers, nil
}

// checkTime checks that the timestamp is within the tolerance of the present, either side of it.
func (rc *Receiver) checkTime(headers *Headers) *rejection {
	now, tolerance := rc.settings.clock(), rc.settings.tolerance
	early, late := now.Add(-tolerance), now.Add(tolerance)
	if at := headers.Timestamp; !at.IsZero() && (at.Before(early) || at.After(late)) {
		return refuse(http.StatusUnauthorized, "the timestamp is too far from the present")
	}
	return nil
}

// checkContent checks the body: that it is what was signed, as far as that is to be checked, and that it is JSON.
func (rc *Receiver) checkContent(r *http.Request, body []byte, headers Headers) *rejection {
	if verifier, ok := rc.verifier.(ContentVerifier); ok {
		if err := verifier.VerifyContent(r, body, headers); err != nil {
			return refuseUnverified(err)
		}
	}
	if !rc.settings.hashFits(r, body, &headers) {
		return refuse(http.StatusUnauthorized, "the content does not have the hash that was signed")
	}
	if r.Method == http.MethodGet && len(body) == 0 {
		return nil
	}
	if !json.Valid(body) {
		return refuse(http.StatusBadRequest, "the payload is not JSON")
	}
	return nil
}

func refuseUnverified(err error) *rejection {
	if errors.Is(err, ErrHeader) {
		return refuse(http.StatusBadRequest, "a header is missing or cannot be read", err)
	}
	return refuse(http.StatusUnauthorized, "the delivery is not verified", err)
}
