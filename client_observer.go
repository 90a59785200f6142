package rpcfleet

import (
	"context"
	"time"
)

// Observer is told of every call that is sent: when it begins, and through the function that it returns, when it has
// ended. The context that it returns is the call's from then on, so that a span can be put in it. It is called
// concurrently.
//
//	func trace(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
//		ctx, span := tracer.Start(ctx, op.ID)
//		return ctx, func(outcome rpcfleet.Outcome) {
//			span.SetAttributes(attribute.Int("attempts", outcome.Attempts))
//			span.RecordError(outcome.Err)
//			span.End()
//		}
//	}
//
// The operation's id and path template are few, and hold nothing of the arguments: they can be names and labels. A
// call that a [ValidationError] keeps from being sent is not observed. The single attempts of a call go through the
// transport of [WithHTTPClient], where [OperationFromContext] names them.
type Observer func(ctx context.Context, op Operation) (context.Context, func(Outcome))

// Outcome is how a call ended.
type Outcome struct {
	// StatusCode is that of the last response, or 0 where none came.
	StatusCode int
	// Attempts is the number of attempts that were made.
	Attempts int
	// Duration is the time from the first attempt to the end of the last, waits between them included.
	Duration time.Duration
	// Err is what the call returns: nil, or an [*Error], or a [*DecodeError].
	Err error
}

// WithObserver adds an observer of all calls of the client. Given several times, all are told: the first is the
// outermost, which is told of the beginning first and of the end last, and each begins in the context that the one
// before it returned. A nil observer is refused.
func WithObserver(observer Observer) Option {
	return clientOption(func(s *clientSettings) error {
		if observer == nil {
			return &ValidationError{Field: "observer", Rule: "must not be nil"}
		}
		s.observer = s.observer.around(observer)
		return nil
	})
}

// around returns an observer that is told as o is, with inner told in between.
func (o Observer) around(inner Observer) Observer {
	if o == nil {
		return inner
	}
	return func(ctx context.Context, op Operation) (context.Context, func(Outcome)) {
		ctx, endOuter := o.begin(ctx, op)
		ctx, endInner := inner.begin(ctx, op)
		return ctx, func(outcome Outcome) {
			defer endOuter(outcome) // Even where inner panics: a span that has begun is to end.
			endInner(outcome)
		}
	}
}

// begin tells the observer that a call begins.
func (o Observer) begin(ctx context.Context, op Operation) (context.Context, func(Outcome)) {
	observed, end := o(ctx, op)
	if observed == nil {
		observed = ctx
	}
	if end == nil {
		end = func(Outcome) {}
	}
	return observed, end
}
