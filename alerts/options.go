package alerts

import (
	"crypto/subtle"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"time"
)

// ReceiverOption configures a Receiver.
type ReceiverOption func(*receiverSettings) error

type receiverSettings struct {
	payloadType PayloadType
	tolerance   time.Duration
	maxBody     int64
	readTimeout time.Duration
	maxNonces   int
	memory      DedupStore
	contentHash func(r *http.Request, body []byte) string
	clock       func() time.Time
	logger      *slog.Logger
}

// option makes an option, which is an error if its argument is bad.
func option(bad bool, rule string, set func(*receiverSettings)) ReceiverOption {
	return func(s *receiverSettings) error {
		if bad {
			return errors.New("alerts: " + rule)
		}
		set(s)
		return nil
	}
}

func defaultReceiverSettings() receiverSettings {
	return receiverSettings{
		tolerance:   5 * time.Minute,
		maxBody:     1 << 20,
		readTimeout: 10 * time.Second,
		maxNonces:   100_000,
		clock:       time.Now,
		logger:      slog.New(slog.DiscardHandler),
	}
}

// WithPayloadType states the layout of the payloads, 1 to 7, which a delivery does not tell. It is that of the
// destination: a Receiver is for one destination, as is its token.
func WithPayloadType(payloadType PayloadType) ReceiverOption {
	return option(!payloadType.Valid(), "the payload type must be from 1 to 7",
		func(s *receiverSettings) { s.payloadType = payloadType })
}

// WithTolerance sets how far the timestamp of a delivery may be from the present, either side of it; 5 minutes unless
// set. Nonces are remembered for twice as long.
func WithTolerance(tolerance time.Duration) ReceiverOption {
	return option(tolerance <= 0 || tolerance > math.MaxInt64/2,
		"the tolerance must be more than zero, and twice of it must be a time.Duration",
		func(s *receiverSettings) { s.tolerance = tolerance })
}

// WithMaxBody sets the size of the largest body that is accepted, in bytes; 1 MiB unless set. A request that announces
// a larger one is refused before any of it is read.
func WithMaxBody(bytes int64) ReceiverOption {
	return option(bytes < 1, "the largest body must have at least 1 byte",
		func(s *receiverSettings) { s.maxBody = bytes })
}

// WithReadTimeout sets how long a body may take to arrive, from the moment that the headers were verified; 10 seconds
// unless set. A shorter ReadTimeout of the http.Server holds as well.
//
// The limit is a read deadline of the connection, which is set through http.ResponseController. An http.Handler around
// the Receiver that hands it a http.ResponseWriter of its own must therefore give that an Unwrap method. Without it, a
// body that trickles in is still cut off, but only the server's ReadTimeout ends one that stalls.
func WithReadTimeout(timeout time.Duration) ReceiverOption {
	return option(timeout <= 0, "the time to read a body must be more than zero",
		func(s *receiverSettings) { s.readTimeout = timeout })
}

// WithMaxTracked sets how many deliveries are remembered at most, 100,000 unless set. When there are as many within
// twice the tolerance, further ones get a 503 and come again later: forgetting one that could be replayed
// is no way out. A delivery takes some 300 bytes.
func WithMaxTracked(deliveries int) ReceiverOption {
	return option(deliveries < 1, "at least 1 nonce must be remembered",
		func(s *receiverSettings) { s.maxNonces = deliveries })
}

// WithDedupStore sets where deliveries are remembered, in the place of a memory of the Receiver's own. Receivers that
// share one, in this process or in others, run their callbacks once for a delivery over all of them. [WithMaxTracked]
// does not concern it.
//
// Where the memory cannot be reached, a delivery gets a 503, and the callback is not run. Where it cannot be reached at
// the end of a callback, the response is that of the callback. The delivery is then carried out a second time if it
// comes once more after the lease, as it is when a process is killed between the end of its callback and the settling
// of it: no memory can tell that from a process that is killed before its callback has done anything. A callback for
// which that matters has to make its work and a note of it one, in a database, say. [Delivery.Fence] tells claims
// apart.
func WithDedupStore(memory DedupStore) ReceiverOption {
	return option(memory == nil, "the replay memory must not be nil", func(s *receiverSettings) { s.memory = memory })
}

// WithContentHash makes a Receiver hold the content of each delivery against its content hash: the function makes the
// hash of a request, spelled as the header spells it. How the service makes it is not stated.
func WithContentHash(hash func(r *http.Request, body []byte) string) ReceiverOption {
	return option(hash == nil, "the content hash function must not be nil",
		func(s *receiverSettings) { s.contentHash = hash })
}

// WithClock sets where a Receiver takes the time from, time.Now unless set. It is called concurrently.
func WithClock(clock func() time.Time) ReceiverOption {
	return option(clock == nil, "the clock must not be nil", func(s *receiverSettings) { s.clock = clock })
}

// WithLogger sets the logger that receives a warning for each delivery that is refused (status, reason, and the error
// of the verifier or the callback), and a note for each that came again after it was carried out. Of its own the
// Receiver adds no token, value of a header or payload.
func WithLogger(logger *slog.Logger) ReceiverOption {
	return option(logger == nil, "the logger must not be nil", func(s *receiverSettings) { s.logger = logger })
}

// hashFits reports whether the content is what its hash was made of, as far as that is to be checked.
func (s *receiverSettings) hashFits(r *http.Request, body []byte, headers *Headers) bool {
	if s.contentHash == nil {
		return true
	}
	made := s.contentHash(r, body)
	return subtle.ConstantTimeCompare([]byte(made), []byte(headers.ContentHash)) == 1
}
