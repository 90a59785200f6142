package alerts

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// Receiver is an http.Handler for the webhook of one destination. It runs its callback once for each verified delivery,
// and responds with one of these statuses:
//
//	200  the callback accepted the delivery, now or when it came before
//	400  a header is missing, duplicate or invalid; the body cannot be read; the payload is not JSON in UTF-8
//	401  no token verifies the delivery, its timestamp is too old or too new, or its content does not match the signature
//	405  the method is neither POST nor GET
//	408  the body did not arrive in time
//	409  the nonce or the signature belongs to another delivery
//	413  the body is too large
//	415  the body has a Content-Encoding
//	422  the callback rejected the delivery, now or when it came before (see Permanent)
//	500  the callback failed; the sender should retry
//	503  the delivery is being executed, too many deliveries are remembered, or the store cannot be reached;
//	     the sender should retry after the seconds in Retry-After
//
// The headers are checked first: method, required headers, signature, timestamp and Content-Encoding, of which the
// Receiver supports none. If a check fails, the delivery is rejected before its body is read. The body is then read
// within the limits of [WithMaxBody] and [WithReadTimeout]. The time for the headers and the number of connections are
// limited by the http.Server: set its ReadHeaderTimeout.
//
// A delivery is a duplicate if its nonce, content hash and signature are known. It gets the first response again, and
// the callback does not run. If the callback is still running, the response is a 503 and not a 409, because a sender
// may never retry after a 4xx, and the callback may yet fail. If only some of the three are known, the delivery was
// altered or its sender has used a nonce twice, and the response is a 409. The body is not compared: if it is not
// checked (see [WithContentHash] and [ContentVerifier]), a duplicate's body is ignored.
//
// Without [WithDedupStore], each Receiver remembers only its own deliveries: two programs that receive the same
// delivery both run their callback. A Receiver is safe for concurrent use. Use [NewReceiver] to make one.
type Receiver struct {
	verifier Verifier
	callback Callback
	settings receiverSettings
}

// NewReceiver returns a Receiver that runs the callback for deliveries that the verifier accepts.
func NewReceiver(verifier Verifier, callback Callback, options ...ReceiverOption) (*Receiver, error) {
	if verifier == nil {
		return nil, errors.New("alerts: a receiver needs a verifier")
	}
	if callback == nil {
		return nil, errors.New("alerts: a receiver needs a callback")
	}
	settings := receiverSettings{
		tolerance: 5 * time.Minute, maxBody: 1 << 20, readTimeout: 10 * time.Second, maxNonces: 100_000,
		clock: time.Now, logger: slog.New(slog.DiscardHandler),
	}
	for _, apply := range options {
		if apply == nil {
			return nil, errors.New("alerts: an option of a receiver must not be nil")
		}
		if err := apply(&settings); err != nil {
			return nil, err
		}
	}
	if settings.memory == nil {
		settings.memory = newMemoryDedupStore(settings.maxNonces, settings.clock)
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
	rc.settings.logger.WarnContext(r.Context(), "alerts: delivery rejected",
		"status", rejected.status, "reason", rejected.reason, "error", onOneLine(rejected.cause))
	switch rejected.status {
	case http.StatusMethodNotAllowed:
		w.Header().Set("Allow", "GET, POST")
	case http.StatusUnsupportedMediaType:
		w.Header().Set("Accept-Encoding", "identity")
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

// onOneLine wraps an error for a log. Its text may quote the sender, or contain the lines of several errors.
func onOneLine(err error) error {
	if err == nil {
		return nil
	}
	return &loggedError{err}
}

// loggedError prints an error on one line.
type loggedError struct{ cause error }

func (e *loggedError) Error() string { return redact.Printable(e.cause.Error()) }
func (e *loggedError) Unwrap() error { return e.cause }

func reject(status int, reason string, cause ...error) *rejection {
	return &rejection{status, reason, errors.Join(cause...)}
}

// settleTimeout limits the time to settle a claim, even if the sender has closed the connection.
const settleTimeout = 5 * time.Second

// handle runs the callback unless the delivery is a duplicate.
func (rc *Receiver) handle(ctx context.Context, delivery *Delivery) *rejection {
	id := delivery.Headers.Identity()
	if len(id.Keys) == 0 {
		_, rejected := rc.run(ctx, delivery)
		return rejected
	}
	claimed := time.Now()
	// A timestamp can be ahead by the tolerance, and is then valid for twice the tolerance.
	claim, err := rc.settings.memory.Claim(ctx, id, 2*rc.settings.tolerance)
	if err != nil {
		return reject(http.StatusServiceUnavailable, "the store of deliveries failed", err)
	}
	switch claim.Status {
	case ClaimGranted:
	case ClaimDone:
		rc.settings.logger.InfoContext(ctx, "alerts: duplicate delivery")
		return nil
	case ClaimRejected:
		return rejectPermanently()
	case ClaimInProgress:
		return reject(http.StatusServiceUnavailable, "the delivery is in progress")
	case ClaimConflict:
		return reject(http.StatusConflict, "the nonce or the signature belongs to another delivery")
	default:
		return reject(http.StatusServiceUnavailable, "too many deliveries in a short time")
	}
	delivery.FencingToken = claim.FencingToken
	if claim.Lease > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadlineCause(ctx, claimed.Add(claim.Lease), errLeaseExpired)
		defer cancel()
	}
	return rc.runClaimed(ctx, delivery, claim)
}

var errLeaseExpired = errors.New("alerts: the lease of the delivery has expired")

// runClaimed runs the callback for a granted delivery, and settles the claim even if the callback panics.
func (rc *Receiver) runClaimed(ctx context.Context, delivery *Delivery, claim Claim) (rejected *rejection) {
	outcome := ClaimFailed // The callback may panic.
	defer func() {
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTimeout)
		defer cancel()
		err := rc.settings.memory.Settle(within, claim, outcome)
		switch {
		case errors.Is(err, ErrClaimLost) && outcome != ClaimFailed: // The new holder of the claim responds.
			rejected = reject(http.StatusServiceUnavailable, "another receiver is processing the delivery", err)
		case err != nil: // The callback's result stands, since a retry would run it again.
			rc.settings.logger.ErrorContext(ctx, "alerts: the result of a delivery was not stored",
				"outcome", outcome.String(), "error", onOneLine(err))
		}
	}()
	// While the body arrived, the store may have forgotten an earlier delivery with the same identity. It forgets a
	// delivery only when its timestamp is too old, so check the timestamp again after the claim.
	if rejected := rc.checkTime(&delivery.Headers); rejected != nil {
		return rejected
	}
	outcome, rejected = rc.run(ctx, delivery)
	return rejected
}

// run runs the callback.
func (rc *Receiver) run(ctx context.Context, delivery *Delivery) (ClaimStatus, *rejection) {
	err := rc.callback(ctx, delivery)
	switch {
	case err == nil:
		return ClaimDone, nil
	case errors.As(err, new(*permanentError)):
		return ClaimRejected, rejectPermanently(err)
	default:
		return ClaimFailed, reject(http.StatusInternalServerError, "the callback failed", err)
	}
}

func rejectPermanently(cause ...error) *rejection {
	return reject(http.StatusUnprocessableEntity, "the callback rejected the delivery", cause...)
}
