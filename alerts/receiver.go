package alerts

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// Receiver is an http.Handler for the webhook of one destination. It runs its callback once for each delivery that it
// has verified, and responds with one of these statuses:
//
//	200  the callback has taken the delivery over, now or when the same delivery came before
//	400  a header is missing, given twice or cannot be read; the body cannot be read; the payload is not JSON
//	401  no token verifies the delivery, its timestamp is too old or too new, or its content is not what was signed
//	405  the method is neither POST nor GET
//	408  the body did not arrive in time
//	409  the nonce or the signature is known from another delivery
//	413  the body is too large
//	415  the body has a Content-Encoding
//	422  the callback does not want the delivery, now or when the same delivery came before (see Permanent)
//	500  the callback failed; the sender should deliver it again
//	503  the same delivery is being carried out, too many deliveries are remembered, or the memory of deliveries cannot
//	     be reached; the sender should deliver it again after the seconds in Retry-After
//
// The headers are judged first: method, required headers, signature, timestamp and Content-Encoding, of which the
// Receiver undoes none. What fails there is refused before its body is read. Then the body is read, of at most the size
// that [WithMaxBody] sets and within the time that [WithReadTimeout] sets. How long the headers may take to arrive, and
// how many connections there may be, is for the http.Server to limit: set its ReadHeaderTimeout.
//
// A delivery that comes again, with the same nonce, content hash and signature, has a sender that did not get the first
// response. It gets the same response again, while the callback is not run. If the callback is still running, that is a
// 503 and not a 409: a sender may give up for good at a 4xx, and the attempt under way may yet fail. A delivery that
// shares only some of the three with a known one was altered on its way, or its sender uses a nonce twice; that is the
// 409. The body is no part of the comparison: where nothing checks it (see [WithContentHash] and [ContentVerifier]),
// that of a repetition is ignored.
//
// Unless [WithDedupStore] says otherwise, deliveries are remembered by this Receiver alone: two programs that receive
// the same deliveries each run their callback. A Receiver is safe for concurrent use. Use [NewReceiver] to make one.
type Receiver struct {
	verifier Verifier
	callback Callback
	settings receiverSettings
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
	if settings.memory == nil {
		settings.memory = newLocalReplayMemory(settings.maxNonces, settings.clock)
	}
	return &Receiver{verifier, callback, settings}, nil
}

// ServeHTTP receives one delivery.
func (rc *Receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	delivery, refused := rc.read(w, r)
	if refused == nil {
		refused = rc.handle(r.Context(), delivery)
	}
	if refused == nil {
		w.WriteHeader(http.StatusOK)
		return
	}
	rc.settings.logger.WarnContext(r.Context(), "alerts: delivery refused",
		"status", refused.status, "reason", refused.reason, "error", onOneLine(refused.cause))
	switch refused.status {
	case http.StatusMethodNotAllowed:
		w.Header().Set("Allow", "GET, POST")
	case http.StatusUnsupportedMediaType:
		w.Header().Set("Accept-Encoding", "identity")
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	}
	http.Error(w, refused.reason, refused.status)
}

// rejection is why a delivery is not taken over. The sender is told the reason, the log the cause as well.
type rejection struct {
	status int
	reason string
	cause  error
}

// onOneLine is an error for a log: its text may quote the sender, or be that of several errors.
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

func refuse(status int, reason string, cause ...error) *rejection {
	return &rejection{status, reason, errors.Join(cause...)}
}

// settleTimeout is how long the end of a delivery may take to be remembered, whether or not its sender still waits.
const settleTimeout = 5 * time.Second

// handle runs the callback unless the delivery was here before.
func (rc *Receiver) handle(ctx context.Context, delivery *Delivery) *rejection {
	id := delivery.Headers.Identity()
	if len(id.Keys) == 0 {
		_, refused := rc.carryOut(ctx, delivery)
		return refused
	}
	claimed := time.Now()
	// A timestamp can be ahead by the tolerance, and is then acceptable for twice the tolerance.
	claim, err := rc.settings.memory.Claim(ctx, id, 2*rc.settings.tolerance)
	if err != nil {
		return refuse(http.StatusServiceUnavailable, "what was delivered before cannot be looked up", err)
	}
	switch claim.Standing {
	case ClaimGranted:
	case ClaimDone:
		rc.settings.logger.InfoContext(ctx, "alerts: delivery came again")
		return nil
	case ClaimRejected:
		return refuseUnwanted()
	case ClaimInProgress:
		return refuse(http.StatusServiceUnavailable, "the delivery is being carried out")
	case ClaimConflict:
		return refuse(http.StatusConflict, "the nonce or the signature is known from another delivery")
	default:
		return refuse(http.StatusServiceUnavailable, "too many deliveries in a short time")
	}
	delivery.FencingToken = claim.FencingToken
	if claim.Lease > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadlineCause(ctx, claimed.Add(claim.Lease), errLeaseOver)
		defer cancel()
	}
	return rc.carryOutClaimed(ctx, delivery, claim)
}

var errLeaseOver = errors.New("alerts: the lease of the delivery is over")

// carryOutClaimed runs the callback for a delivery that was granted, and settles the claim, even if the callback
// panics.
func (rc *Receiver) carryOutClaimed(ctx context.Context, delivery *Delivery, claim Claim) (refused *rejection) {
	outcome := ClaimFailed // Unless the callback returns: it may panic instead.
	defer func() {
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTimeout)
		defer cancel()
		if err := rc.settings.memory.Settle(within, claim, outcome); err != nil {
			refused = rc.unsettled(ctx, refused, outcome, err)
		}
	}()
	// While the body arrived, the memory may have forgotten that the delivery was here before. It forgets only what is
	// too old by then, so that a second look at the timestamp, after the claim, tells.
	if refused := rc.checkTime(&delivery.Headers); refused != nil {
		return refused
	}
	outcome, refused = rc.carryOut(ctx, delivery)
	return refused
}

// carryOut runs the callback.
func (rc *Receiver) carryOut(ctx context.Context, delivery *Delivery) (ClaimStatus, *rejection) {
	err := rc.callback(ctx, delivery)
	switch {
	case err == nil:
		return ClaimDone, nil
	case isPermanent(err):
		return ClaimRejected, refuseUnwanted(err)
	default:
		return ClaimFailed, refuse(http.StatusInternalServerError, "the delivery could not be carried out", err)
	}
}

// unsettled is the response to a delivery whose end could not be remembered. One that another claim was granted is that
// one's to respond to. Otherwise the callback has had its way, and asking for the delivery again would have it run once
// more.
func (rc *Receiver) unsettled(ctx context.Context, refused *rejection, outcome ClaimStatus, err error) *rejection {
	if errors.Is(err, ErrClaimLost) && outcome != ClaimFailed {
		return refuse(http.StatusServiceUnavailable, "the delivery is being carried out by another receiver", err)
	}
	rc.settings.logger.ErrorContext(ctx, "alerts: the end of a delivery is not remembered",
		"outcome", outcome.String(), "error", onOneLine(err))
	return refused
}

func refuseUnwanted(cause ...error) *rejection {
	return refuse(http.StatusUnprocessableEntity, "the delivery is not wanted", cause...)
}
