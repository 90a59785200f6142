package alerts

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// Receiver is an http.Handler for the webhook of one destination. It runs its callback once for each delivery that it
// has verified, and answers:
//
//	200  the callback has taken the delivery over
//	400  a header is missing, given twice or cannot be read; the payload is not JSON
//	401  no token verifies the delivery, its timestamp is too old or too new, or its content hash is wrong
//	405  the method is neither POST nor GET
//	409  the delivery was taken over before: its nonce is used up
//	413  the body is too large
//	422  the callback does not want the delivery again (see Permanent)
//	500  the callback failed; the sender should try again
//	503  the same delivery is being carried out, or too many deliveries are remembered; the sender should try again
//
// Nonces are remembered in memory, by this Receiver alone: two programs that receive the same deliveries each run their
// callback. A Receiver is safe for concurrent use. Use NewReceiver to make one.
type Receiver struct {
	verifier Verifier
	callback Callback
	settings receiverSettings
	guard    *replayGuard
}

// NewReceiver makes a receiver that runs the callback for what the verifier accepts.
func NewReceiver(verifier Verifier, callback Callback, options ...ReceiverOption) (*Receiver, error) {
	if verifier == nil {
		return nil, errors.New("alerts: a receiver needs a verifier")
	}
	if callback == nil {
		return nil, errors.New("alerts: a receiver needs a callback")
	}
	settings := defaultReceiverSettings()
	for _, option := range options {
		if option == nil {
			return nil, errors.New("alerts: an option of a receiver must not be nil")
		}
		if err := option(&settings); err != nil {
			return nil, err
		}
	}
	// A timestamp can be ahead by the tolerance, and is then acceptable for twice the tolerance.
	guard := newReplayGuard(2*settings.tolerance, settings.maxNonces)
	return &Receiver{verifier, callback, settings, guard}, nil
}

// ServeHTTP receives one delivery.
func (rc *Receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	delivery, refused := rc.read(w, r)
	if refused == nil {
		refused = rc.carryOut(r, delivery)
	}
	if refused == nil {
		w.WriteHeader(http.StatusOK)
		return
	}
	rc.settings.logger.WarnContext(r.Context(), "alerts: delivery refused",
		"status", refused.status, "reason", refused.reason, "error", refused.cause)
	switch refused.status {
	case http.StatusMethodNotAllowed:
		w.Header().Set("Allow", "GET, POST")
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	}
	http.Error(w, refused.reason, refused.status)
}

// refusal is why a delivery is not taken over. The sender is told the reason, the log the cause as well.
type refusal struct {
	status int
	reason string
	cause  error
}

func refuse(status int, reason string, cause ...error) *refusal {
	return &refusal{status, reason, errors.Join(cause...)}
}

// read reads and verifies a request.
func (rc *Receiver) read(w http.ResponseWriter, r *http.Request) (*Delivery, *refusal) {
	if r.Method != http.MethodPost && r.Method != http.MethodGet {
		return nil, refuse(http.StatusMethodNotAllowed, "a delivery is a POST or a GET")
	}
	if r.Body == nil {
		r.Body = http.NoBody // As it may be where no server made the request.
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, rc.settings.maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, refuse(http.StatusRequestEntityTooLarge, "the body is too large")
	case err != nil:
		return nil, refuse(http.StatusBadRequest, "the body cannot be read", err)
	}
	headers, err := rc.verifier.Verify(r, body)
	switch {
	case errors.Is(err, ErrHeader):
		return nil, refuse(http.StatusBadRequest, "a header is missing or cannot be read", err)
	case err != nil:
		return nil, refuse(http.StatusUnauthorized, "the delivery is not verified", err)
	case !headers.Timestamp.IsZero() && !fresh(headers.Timestamp, rc.settings.clock(), rc.settings.tolerance):
		return nil, refuse(http.StatusUnauthorized, "the timestamp is too far from the present")
	case !rc.settings.contentIntact(r, body, &headers):
		return nil, refuse(http.StatusUnauthorized, "the content does not have the hash that was signed")
	}
	delivery := &Delivery{
		PayloadType: rc.settings.payloadType, Method: r.Method, RawQuery: r.URL.RawQuery, Headers: headers,
	}
	if r.Method == http.MethodGet && len(body) == 0 {
		return delivery, nil
	}
	if !json.Valid(body) {
		return nil, refuse(http.StatusBadRequest, "the payload is not JSON")
	}
	delivery.Payload = body
	return delivery, nil
}

// carryOut runs the callback unless the delivery was here before.
func (rc *Receiver) carryOut(r *http.Request, delivery *Delivery) *refusal {
	marks := marksOf(&delivery.Headers)
	switch rc.guard.claim(rc.settings.clock(), marks) {
	case repeated:
		return refuse(http.StatusConflict, "the delivery was here before")
	case underway:
		return refuse(http.StatusServiceUnavailable, "the delivery is being carried out")
	case full:
		return refuse(http.StatusServiceUnavailable, "too many deliveries in a short time")
	}
	failed := true // Unless the callback returns: it may panic instead.
	defer func() { rc.guard.settle(rc.settings.clock(), marks, failed) }()
	err := rc.callback(r.Context(), delivery)
	failed = err != nil && !isPermanent(err)
	switch {
	case failed:
		return refuse(http.StatusInternalServerError, "the delivery could not be carried out", err)
	case err != nil:
		return refuse(http.StatusUnprocessableEntity, "the delivery is not wanted", err)
	}
	return nil
}

// fresh tells whether a time is within the tolerance of the present, either side of it.
func fresh(timestamp, now time.Time, tolerance time.Duration) bool {
	return !timestamp.Before(now.Add(-tolerance)) && !timestamp.After(now.Add(tolerance))
}
