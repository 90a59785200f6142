package webhooks

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// Receiver is an http.Handler for the deliveries of one webhook or stream. It runs its callback once for each verified
// delivery, and responds with one of these statuses:
//
//	200  the callback accepted the delivery, now or when it came before; or the request has no signature, as the
//	     service's pings, and is ignored
//	400  a header is missing, duplicate or invalid; the body cannot be read; the payload is not JSON in UTF-8
//	401  no token verifies the delivery, or its timestamp is too old or too new
//	405  the method is neither POST nor GET
//	408  the body did not arrive in time
//	413  the payload is too large, as it was sent or uncompressed
//	415  the body has a Content-Encoding other than gzip
//	422  the callback rejected the delivery, now or when it came before (see Permanent)
//	500  the callback failed; the sender should retry
//	503  the delivery is being executed, too many deliveries are remembered, or the store cannot be reached;
//	     the sender should retry after the seconds in Retry-After
//
// The method and the headers are checked first, so that no body is read for an unsigned or an old request. The body is
// then read and uncompressed within the limit of [WithMaxBody]. It must arrive within the ReadTimeout of the
// http.Server, or within 10 seconds if that has none: without ReadTimeout, an http.Handler around the Receiver that
// passes its own http.ResponseWriter must give it an Unwrap method. The time for the headers and the number of
// connections are limited by the http.Server: set its ReadHeaderTimeout.
//
// A delivery is a duplicate if its signature is known. It gets the first response again, and the callback does not run.
// If the callback is still running, the response is a 503 and not a 409, because a sender may never retry after a 4xx,
// and the callback may yet fail.
//
// Without [WithDedupStore], each Receiver remembers only its own deliveries: two programs that receive the same
// delivery both run their callback. A Receiver is safe for concurrent use. Use [NewReceiver] to make one.
type Receiver struct {
	scheme   Scheme
	callback Callback
	settings receiverSettings
}

// NewReceiver returns a Receiver that runs the callback for deliveries that the verifier accepts.
func NewReceiver(verifier Scheme, callback Callback, options ...ReceiverOption) (*Receiver, error) {
	if verifier == nil {
		return nil, errors.New("webhooks: a receiver needs a verifier")
	}
	if callback == nil {
		return nil, errors.New("webhooks: a receiver needs a callback")
	}
	settings := receiverSettings{
		tolerance: 5 * time.Minute, maxBody: 1 << 20, maxTracked: 100_000, clock: time.Now,
		logger: slog.New(slog.DiscardHandler),
	}
	for _, apply := range options {
		if apply == nil {
			return nil, errors.New("webhooks: an option of a receiver must not be nil")
		}
		if err := apply(&settings); err != nil {
			return nil, err
		}
	}
	if settings.store == nil {
		settings.store = newMemoryStore(settings.maxTracked, settings.clock)
	}
	return &Receiver{verifier, callback, settings}, nil
}

// ServeHTTP handles one delivery.
func (rc *Receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	delivery, rejected := rc.read(w, r)
	if rejected == nil {
		rejected = rc.handle(r.Context(), delivery)
	}
	if rejected == nil {
		w.WriteHeader(http.StatusOK)
		return
	}
	rc.settings.logger.WarnContext(r.Context(), "webhooks: delivery rejected",
		"status", rejected.status, "reason", rejected.reason, "error", printable(rejected.cause))
	switch rejected.status {
	case http.StatusMethodNotAllowed:
		w.Header().Set("Allow", "GET, POST")
	case http.StatusUnsupportedMediaType:
		w.Header().Set("Accept-Encoding", "gzip")
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	}
	http.Error(w, rejected.reason, rejected.status)
}

// rejection is the response to a rejected delivery. The sender gets the reason; the log contains the cause as well.
type rejection struct {
	status int
	reason string
	cause  error
}

// printable returns the text of an error for a log, on one line. It may quote the sender.
func printable(err error) any {
	if err == nil {
		return nil
	}
	return redact.Printable(err.Error())
}

// handle runs the callback unless the delivery is a duplicate.
func (rc *Receiver) handle(ctx context.Context, delivery *Delivery) *rejection {
	sum := sha256.Sum256([]byte(delivery.Headers.Signature))
	claim := Claim{Delivery: hex.EncodeToString(sum[:]), Name: rand.Text()}
	if delivery.Headers.Signature == "" {
		err := rc.callback(ctx, delivery)
		return respond(outcomeOf(err), err)
	}
	if rc.settings.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, rc.settings.timeout)
		defer cancel()
	}
	status, err := rc.settings.store.Claim(ctx, claim, rc.settings.timeout)
	if err != nil {
		return &rejection{http.StatusServiceUnavailable, "the store of deliveries failed", err}
	}
	switch status {
	case ClaimGranted:
		return rc.runClaimed(ctx, delivery, claim)
	case ClaimDone:
		rc.settings.logger.InfoContext(ctx, "webhooks: duplicate delivery")
	}
	return respond(status, nil)
}

// runClaimed runs the callback for a granted delivery, and settles the claim even if the callback panics.
func (rc *Receiver) runClaimed(ctx context.Context, delivery *Delivery, claim Claim) *rejection {
	outcome := ClaimFailed
	defer func() { rc.settle(ctx, claim, outcome) }()
	// While the body arrived, the store may have forgotten an earlier copy of the delivery. It forgets a
	// delivery only when its timestamp is too old, so check the timestamp again after the claim.
	if rejected := rc.checkTime(&delivery.Headers); rejected != nil {
		return rejected
	}
	err := rc.callback(ctx, delivery)
	outcome = outcomeOf(err)
	return respond(outcome, err)
}

// settleTimeout limits the time to settle a claim, even if the sender has closed the connection.
const settleTimeout = 5 * time.Second

// settle stores the outcome of a callback. If it fails, the outcome still determines the response, since a retry would
// run the callback again.
func (rc *Receiver) settle(ctx context.Context, claim Claim, outcome ClaimStatus) {
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTimeout)
	defer cancel()
	// A timestamp can be ahead by the tolerance, and is then valid for twice the tolerance.
	if err := rc.settings.store.Settle(within, claim, outcome, 2*rc.settings.tolerance); err != nil {
		rc.settings.logger.ErrorContext(ctx, "webhooks: the result of a delivery was not stored",
			"outcome", outcome, "error", printable(err))
	}
}

// outcomeOf returns the outcome of a callback that returned this error.
func outcomeOf(err error) ClaimStatus {
	switch {
	case err == nil:
		return ClaimDone
	case errors.As(err, new(*permanentError)):
		return ClaimRejected
	}
	return ClaimFailed
}

// respond returns the response to a delivery with this status, which is nil if the delivery was accepted.
func respond(status ClaimStatus, cause error) *rejection {
	switch status {
	case ClaimDone:
		return nil
	case ClaimRejected:
		return &rejection{http.StatusUnprocessableEntity, "the callback rejected the delivery", cause}
	case ClaimFailed:
		return &rejection{http.StatusInternalServerError, "the callback failed", cause}
	case ClaimInProgress:
		return &rejection{http.StatusServiceUnavailable, "the delivery is in progress", nil}
	}
	return &rejection{http.StatusServiceUnavailable, "too many deliveries in a short time", nil}
}
