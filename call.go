package rpcfleet

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

const (
	// excerptSize bounds the piece of a body that an error keeps, and textSize each text in it, such as a message.
	excerptSize = 1 << 10
	textSize    = 4 << 10
)

// call is one operation with its arguments. It is all that a method has to say; the rest is the same for every one.
type call struct {
	op operation.Operation
	// build makes the request with the generated builder, relative to the base of the operation's area.
	build func(base string) (*http.Request, error)
	// checks are the results of the rules in check.go, in the order in which they are reported.
	checks []*ValidationError
	opts   []CallOption
}

// fetch carries out a call and returns the payload of its answer.
func fetch[T any](ctx context.Context, c *Client, call call) (T, error) {
	answer, err := exchange[T](ctx, c, call)
	return answer.Data, err
}

// change carries out a call that changes what the caller has named, and returns the record of it: the service's own, or
// where the service sent none, what was sent.
func change[T any](ctx context.Context, c *Client, call call, sent T) (*T, error) {
	answer, err := exchange[T](ctx, c, call)
	if err != nil {
		return nil, err
	}
	if answer.NoRecord {
		return &sent, nil
	}
	return &answer.Data, nil
}

// confirm carries out a call whose answer says only whether it happened.
func confirm(ctx context.Context, c *Client, call call) error {
	_, err := exchange[struct{}](ctx, c, call)
	return err
}

// confirmByID carries out an operation whose only argument is an id and whose answer says only whether it
// happened.
func (c *Client) confirmByID(
	ctx context.Context, op Operation, build func(base, id string) (*http.Request, error), id string, opts []CallOption,
) error {
	return confirm(ctx, c, call{
		op:     op,
		build:  func(base string) (*http.Request, error) { return build(base, id) },
		checks: []*ValidationError{segment("id", id)},
		opts:   opts,
	})
}

// exchange carries out a call and returns its answer. It is the one place where a body becomes a value.
func exchange[T any](ctx context.Context, c *Client, call call) (envelope.Answer[T], error) {
	report, err := c.send(ctx, call)
	if err != nil {
		return envelope.Answer[T]{}, err
	}
	if report.done {
		return envelope.Answer[T]{}, report.ended(nil)
	}
	reading, cancel := report.reading(ctx)
	defer cancel()
	answer, err := envelope.Read[T](reading, call.op, report.reply.Header.Get("Content-Type"), report.reply.Body)
	if err != nil {
		return envelope.Answer[T]{}, report.ended(report.unread(ctx, err))
	}
	report.recorded(!answer.NoRecord)
	return answer, report.ended(nil)
}

// report is what became of a call: its answer and what it took to get it.
type report struct {
	op    operation.Operation
	reply *transport.Reply
	trip  *transport.Trip
	// done is set where the answer needs no reading: a repeated delete found that it had succeeded before.
	done bool
	// end tells the observer; see ended.
	end func(Outcome)
	// capture is where the caller wants the response, or nil.
	capture *Response
}

// reading returns the context under which the response is read: what is left of the attempt's time belongs to it.
func (r *report) reading(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.reply.Deadline.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, r.reply.Deadline)
}

// recorded tells who captures the response whether it holds a record of the service's own.
func (r *report) recorded(own bool) {
	if r.capture != nil {
		r.capture.NoRecord = !own
	}
}

// send checks the arguments, builds the request and brings back an answer with a success status. The caller reads it
// and says with report.ended how the call ended; where send returns an error it has done so itself.
func (c *Client) send(ctx context.Context, call call) (*report, error) {
	if ctx == nil {
		return nil, &ValidationError{Operation: call.op.ID, Field: "context", Rule: "must not be nil"}
	}
	settings, err := c.callSettings(call.opts)
	if err != nil {
		return nil, err
	}
	if settings.capture != nil {
		*settings.capture = Response{} // What an earlier call has left there is none of this one's.
	}
	for _, broken := range call.checks {
		if broken != nil && (broken.essential || !settings.skipValidation) {
			broken.Operation = call.op.ID
			return nil, broken.cleaned()
		}
	}
	req, err := call.build(c.base(call.op))
	if err != nil {
		return nil, &ValidationError{Operation: call.op.ID, Field: "request", Rule: "cannot be built: " + shown(err.Error())}
	}
	if broken := ownRoute(call.op, req.URL.EscapedPath()); broken != nil {
		return nil, broken
	}
	settings.arrayQuery.apply(call.op, req.URL)
	report := &report{op: call.op, capture: settings.capture}
	ctx, report.end = c.observer.begin(ctx, call.op)
	report.reply, report.trip, err = c.transport.Send(ctx, req, transport.Call{
		Operation: call.op,
		Timeout:   settings.timeout,
		Retry:     transport.Policy(settings.retry),
		MaxBody:   settings.maxBody,
	})
	if settings.capture != nil {
		settings.capture.fill(report.trip.Last, report.trip)
	}
	switch {
	case err != nil:
		return nil, report.ended(report.unanswered(err))
	case report.reply.Status == http.StatusNotFound && report.trip.MayHaveActed && onlyDeletes(call.op):
		report.done = true // The answer to the try that deleted it got lost.
	case report.reply.Status < 200 || report.reply.Status > 299:
		return nil, report.ended(report.failed())
	}
	return report, nil
}

// onlyDeletes tells whether an operation deletes something and answers with nothing else: when it is repeated and the
// thing is gone, it has done all that it was to do.
func onlyDeletes(op operation.Operation) bool {
	switch op.Answer {
	case operation.AnswerConfirm, operation.AnswerNone, operation.AnswerEmpty:
		return op.Method == http.MethodDelete
	}
	return false
}

// base returns the address that the operation's path is relative to.
func (c *Client) base(op operation.Operation) string {
	switch op.Area {
	case operation.AreaAlerts:
		return c.bases.alerts
	case operation.AreaGraph:
		return c.bases.graph
	}
	return c.bases.admin
}

// fault begins an *Error about the call.
func (r *report) fault() *Error {
	fault := &Error{
		Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path,
		Attempts: r.trip.Attempts, RetryQuotaExhausted: r.trip.QuotaExhausted,
	}
	if reply := r.trip.Last; reply != nil {
		fault.StatusCode = reply.Status
		fault.Body = r.excerpt(reply.Body)
		fault.RequestID = r.clean(reply.Header.Get("X-Request-Id"))
		fault.RetryAfter, _ = transport.RetryAfter(reply.Header, time.Now())
	}
	return fault
}

// failed describes an answer with another status than success.
func (r *report) failed() *Error {
	fault := r.fault()
	contentType := r.reply.Header.Get("Content-Type")
	fault.Message = r.clean(envelope.Explain(contentType, r.reply.Body))
	if fault.Message == "" && strings.HasPrefix(strings.ToLower(contentType), "text/html") {
		fault.Message = string(envelope.HTML)
	}
	if r.op.Area == operation.AreaGraph {
		fault.GraphQL = r.graphErrors(envelope.GraphErrors(contentType, r.reply.Body))
		if len(fault.GraphQL) > 0 {
			fault.Message = fault.GraphQL[0].Message // The others are beside it.
		}
	}
	if r.reply.Status >= 300 && r.reply.Status < 400 && r.reply.Header.Get("Location") != "" {
		fault.Message = "a redirect that is not followed: it leads to another origin, changes the method or cannot be read"
	}
	return fault
}

// unanswered describes a call whose last try brought no complete answer.
func (r *report) unanswered(err error) error {
	var failure *transport.Failure
	if errors.As(err, &failure) && (failure.Kind == transport.TooLarge || failure.Kind == transport.Truncated) {
		partial := r.trip.Partial
		return &DecodeError{
			Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path,
			Reason: DecodeReason(failure.Kind), Detail: r.clean(failure.Err.Error()),
			StatusCode: partial.Status, ContentType: r.clean(partial.Header.Get("Content-Type")),
			Body: r.excerpt(partial.Body), Attempts: r.trip.Attempts, RetryQuotaExhausted: r.trip.QuotaExhausted,
			cause: failure.Err,
		}
	}
	fault := r.fault()
	fault.cause, fault.why = err, r.clean(err.Error())
	return fault
}

// unread is unreadable, or describes an answer that there was no time left to read. The context is the caller's.
func (r *report) unread(caller context.Context, err error) error {
	switch {
	case !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
		return r.unreadable(err)
	case caller.Err() != nil:
		return r.unanswered(&transport.Failure{Kind: transport.Canceled, Err: transport.Ended(caller, caller.Err())})
	}
	return r.unanswered(&transport.Failure{Kind: transport.Timeout, Err: err})
}

// unreadable describes an answer with a success status that states a failure or cannot be used.
func (r *report) unreadable(err error) error {
	var refusal *envelope.Refusal
	if errors.As(err, &refusal) {
		fault := r.fault()
		fault.Message = r.clean(refusal.Error())
		return fault
	}
	var malformed *envelope.Malformed
	errors.As(err, &malformed)
	unread := &DecodeError{
		Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path,
		Reason: DecodeReason(malformed.Reason), Detail: r.clean(malformed.Detail),
		StatusCode: r.reply.Status, ContentType: r.clean(r.reply.Header.Get("Content-Type")),
		Body: r.excerpt(r.reply.Body), Attempts: r.trip.Attempts, RetryQuotaExhausted: r.trip.QuotaExhausted,
	}
	unread.carriedOut = !r.op.Idempotent && unread.lacksRecord()
	r.recorded(!unread.carriedOut)
	if malformed.Absent {
		fault := r.absent()
		fault.cause, fault.why = unread, string(unread.Reason)
		return fault
	}
	return unread
}

// clean takes out of a text what must not be shown, the credentials of the call included.
func (r *report) clean(text string) string {
	return redact.Excerpt([]byte(text), textSize, r.secrets()...)
}

func (r *report) excerpt(body []byte) string {
	return redact.Excerpt(body, excerptSize, r.secrets()...)
}

func (r *report) secrets() []string {
	var secrets []string
	for _, credentials := range r.trip.Credentials {
		secrets = append(secrets, credentials.APIKey.Reveal(), credentials.BearerToken.Reveal())
	}
	return secrets
}
