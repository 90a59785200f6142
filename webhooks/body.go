package webhooks

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode/utf8"
)

// read reads and verifies a request: first its headers and then, if they are valid, its body.
func (rc *Receiver) read(w http.ResponseWriter, r *http.Request) (*Delivery, *rejection) {
	headers, rejected := rc.readHeaders(r)
	var payload []byte
	if rejected == nil {
		payload, rejected = rc.readPayload(w, r)
	}
	if rejected != nil {
		abandonBody(w, r)
		return nil, rejected
	}
	if err := rc.scheme.VerifyPayload(r, headers, payload); err != nil {
		return nil, rejectUnverified(err)
	}
	if (r.Method != http.MethodGet || len(payload) > 0) && (!json.Valid(payload) || !utf8.Valid(payload)) {
		return nil, &rejection{http.StatusBadRequest, "the payload is not JSON", nil}
	}
	return &Delivery{
		Payload: payload, Batch: readBatch(r.Header), Method: r.Method, RawQuery: r.URL.RawQuery, Headers: headers,
	}, nil
}

// readHeaders checks the headers of a request.
func (rc *Receiver) readHeaders(r *http.Request) (Headers, *rejection) {
	if r.Method != http.MethodPost && r.Method != http.MethodGet {
		return Headers{}, &rejection{http.StatusMethodNotAllowed, "a delivery is a POST or a GET", nil}
	}
	headers, err := rc.scheme.ReadHeaders(r.Header)
	if err != nil {
		return Headers{}, rejectUnverified(err)
	}
	if rejected := rc.checkTime(&headers); rejected != nil {
		return Headers{}, rejected
	}
	if encoding := encodingOf(r); encoding != "" && encoding != "identity" && encoding != "gzip" {
		return Headers{}, &rejection{http.StatusUnsupportedMediaType, "the body's Content-Encoding must be gzip", nil}
	}
	return headers, nil
}

func encodingOf(r *http.Request) string {
	return strings.ToLower(strings.Join(r.Header.Values("Content-Encoding"), ","))
}

// checkTime checks that the timestamp differs from the current time by no more than the tolerance.
func (rc *Receiver) checkTime(headers *Headers) *rejection {
	at := headers.Timestamp
	if !at.IsZero() && rc.settings.clock().Sub(at).Abs() > rc.settings.tolerance {
		return &rejection{http.StatusUnauthorized, "the timestamp is too far from the present", nil}
	}
	return nil
}

func rejectUnverified(err error) *rejection {
	switch {
	case errors.Is(err, ErrUnsigned):
		return &rejection{http.StatusOK, "the request is not signed, and is ignored", nil}
	case errors.Is(err, ErrHeader):
		return &rejection{http.StatusBadRequest, "a header is missing or cannot be read", err}
	}
	return &rejection{http.StatusUnauthorized, "the delivery is not verified", err}
}

// readTimeout limits the time to read a body if the http.Server does not.
const readTimeout = 10 * time.Second

// readPayload reads a body within the limits of size and time, and uncompresses it. It returns nil if there is no body.
func (rc *Receiver) readPayload(w http.ResponseWriter, r *http.Request) ([]byte, *rejection) {
	if !hasBody(r) {
		return nil, nil
	}
	if r.ContentLength > rc.settings.maxBody {
		return nil, tooLarge
	}
	if server, _ := r.Context().Value(http.ServerContextKey).(*http.Server); server == nil || server.ReadTimeout <= 0 {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(readTimeout)) // It ends with the body.
	}
	// The buffer of io.ReadAll grows with the data received, not with the announced length.
	payload, err := io.ReadAll(http.MaxBytesReader(w, r.Body, rc.settings.maxBody))
	if err == nil && encodingOf(r) == "gzip" {
		payload, err = rc.uncompress(w, payload)
	}
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, tooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &rejection{http.StatusRequestTimeout, "the body did not arrive in time", err}
	case err != nil:
		return nil, &rejection{http.StatusBadRequest, "the body cannot be read", err}
	}
	if len(payload) == 0 {
		return nil, nil
	}
	return payload, nil
}

var tooLarge = &rejection{http.StatusRequestEntityTooLarge, "the body is too large", nil}

// uncompress uncompresses a body that has arrived completely: one that stalls takes only its own size.
func (rc *Receiver) uncompress(w http.ResponseWriter, body []byte) ([]byte, error) {
	uncompressed, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(http.MaxBytesReader(w, uncompressed, rc.settings.maxBody))
}

// hasBody reports whether there is a body to read. Body is nil if the request was not made by a server.
func hasBody(r *http.Request) bool { return r.Body != nil && r.Body != http.NoBody }

// lingering is how long a connection stays open for the rest of an unwanted body. If it were closed at once, it would
// be reset, and a sender that is still writing might lose the response.
const lingering = time.Second

// abandonBody prepares the response to a request if its body was not read to the end. By default net/http reads up to
// 256 KiB of the rest before it sends the response, for as long as the sender takes. After abandonBody it sends the
// response, discards data that arrives within the lingering time, and closes the connection. With HTTP/2, other
// requests share the connection, and net/http ends only the one stream.
func abandonBody(w http.ResponseWriter, r *http.Request) {
	if !hasBody(r) || r.ProtoMajor > 1 {
		return
	}
	w.Header().Set("Connection", "close")
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(lingering))
}
