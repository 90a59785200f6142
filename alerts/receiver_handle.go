package alerts

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// settleTimeout is how long the end of a delivery may take to be remembered, whether or not its sender still waits.
const settleTimeout = 5 * time.Second

// handle runs the callback unless the delivery was here before.
func (rc *Receiver) handle(ctx context.Context, delivery *Delivery) *rejection {
	id := delivery.Headers.Identity()
	if len(id.Marks) == 0 {
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
	case Granted:
	case CarriedOut:
		rc.settings.logger.InfoContext(ctx, "alerts: delivery came again")
		return nil
	case Unwanted:
		return refuseUnwanted()
	case Underway:
		return refuse(http.StatusServiceUnavailable, "the delivery is being carried out")
	case Altered:
		return refuse(http.StatusConflict, "the nonce or the signature is known from another delivery")
	default:
		return refuse(http.StatusServiceUnavailable, "too many deliveries in a short time")
	}
	delivery.Fence = claim.Fence
	if claim.Lease > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadlineCause(ctx, claimed.Add(claim.Lease), errLeaseOver)
		defer cancel()
	}
	return rc.carryOutClaimed(ctx, delivery, claim)
}

var errLeaseOver = errors.New("alerts: the lease of the delivery is over")

// carryOutClaimed runs the callback for a delivery that was granted, and settles the claim, even if the callback panics.
func (rc *Receiver) carryOutClaimed(ctx context.Context, delivery *Delivery, claim Claim) (refused *rejection) {
	outcome := Failed // Unless the callback returns: it may panic instead.
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
func (rc *Receiver) carryOut(ctx context.Context, delivery *Delivery) (Standing, *rejection) {
	err := rc.callback(ctx, delivery)
	switch {
	case err == nil:
		return CarriedOut, nil
	case isPermanent(err):
		return Unwanted, refuseUnwanted(err)
	default:
		return Failed, refuse(http.StatusInternalServerError, "the delivery could not be carried out", err)
	}
}

// unsettled is the response to a delivery whose end could not be remembered. One that another claim was granted is that
// one's to respond to. Otherwise the callback has had its way, and asking for the delivery again would have it run once
// more.
func (rc *Receiver) unsettled(ctx context.Context, refused *rejection, outcome Standing, err error) *rejection {
	if errors.Is(err, ErrClaimLost) && outcome != Failed {
		return refuse(http.StatusServiceUnavailable, "the delivery is being carried out by another receiver", err)
	}
	rc.settings.logger.ErrorContext(ctx, "alerts: the end of a delivery is not remembered",
		"outcome", outcome.String(), "error", onOneLine(err))
	return refused
}

func refuseUnwanted(cause ...error) *rejection {
	return refuse(http.StatusUnprocessableEntity, "the delivery is not wanted", cause...)
}
