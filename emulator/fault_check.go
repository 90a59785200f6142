package emulator

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/leaf"
)

// FaultError is a fault that makes no sense.
type FaultError struct {
	// Field is the field to blame, by its name in JSON.
	Field string
	// Rule is what it must be.
	Rule string
}

// Error names the field and the rule.
func (e *FaultError) Error() string { return "emulator: fault: " + e.Field + " " + e.Rule }

// check returns what is wrong with a fault, or nil.
func (f Fault) check(known *operations) error {
	for _, find := range []func() *FaultError{
		func() *FaultError { return f.checkOperation(known) }, f.checkWhen, f.checkWhat, f.checkArguments,
	} {
		if found := find(); found != nil {
			return found
		}
	}
	return nil
}

func (f Fault) checkOperation(known *operations) *FaultError {
	op := known.byID[f.Operation]
	if f.Operation != "" && op == nil {
		return &FaultError{"operation", fmt.Sprintf("must be the id of an operation, %q is none", f.Operation)}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Params)) {
		if !known.hasParam(f.Operation, name) {
			return &FaultError{"params", fmt.Sprintf("must be path parameters of the operation, %q is none", name)}
		}
	}
	if pagings := effects[f.Effect].pagings; pagings != nil && op != nil && !slices.Contains(pagings, op.Paging) {
		return &FaultError{"operation", fmt.Sprintf("must be a listing by %s for %q", strings.Join(pagings, " or "), f.Effect)}
	}
	return nil
}

func (f Fault) checkWhen() *FaultError {
	for _, count := range []struct {
		field string
		value int
	}{{"after", f.After}, {"every", f.Every}, {"times", f.Times}} {
		if count.value < 0 {
			return &FaultError{count.field, "must not be negative"}
		}
	}
	switch {
	case !(f.Probability >= 0 && f.Probability <= 1): // Neither is NaN.
		return &FaultError{"probability", "must be from 0 to 1"}
	case f.Seed != 0 && f.Probability == 0:
		return &FaultError{"seed", "needs a probability"}
	}
	return nil
}

func (f Fault) checkWhat() *FaultError {
	_, known := effects[f.Effect]
	least, most := 400, 599
	switch f.Effect {
	case HTML:
		least = 200
	case Redirect:
		least, most = 300, 399
	}
	switch {
	case !known:
		return &FaultError{"effect", fmt.Sprintf("must be one that is known, %q is none", f.Effect)}
	case !f.breaks() && f.Latency == 0:
		return &FaultError{"effect", "is required where there is neither a latency nor a status"}
	case f.Latency < 0:
		return &FaultError{"latency", "must not be negative"}
	case f.Status != 0 && (f.Status < least || f.Status > most):
		return &FaultError{"status", fmt.Sprintf("must be from %d to %d", least, most)}
	}
	return nil
}

// checkArguments checks what belongs to one effect or another.
func (f Fault) checkArguments() *FaultError {
	for _, argument := range []struct {
		field string
		given bool
	}{
		{"status", f.Status != 0}, {"retryAfter", f.RetryAfter != ""}, {"contentType", f.ContentType != ""},
		{"location", f.Location != ""}, {"limit", f.Limit != 0}, {"interval", f.Interval != 0},
		{"pointer", f.Pointer != ""}, {"value", f.Value != nil},
	} {
		if argument.given && !slices.Contains(effects[f.Effect].takes, argument.field) {
			return &FaultError{argument.field, fmt.Sprintf("does not go with the effect %q", f.Effect)}
		}
	}
	location, err := url.Parse(f.Location)
	switch {
	case f.RetryAfter != "" && f.Status < 400:
		return &FaultError{"retryAfter", "needs a status from 400 on"}
	case strings.ContainsAny(f.RetryAfter+f.ContentType+f.Location, "\r\n\x00"):
		return &FaultError{"effect", "must not break the line of a header"}
	case f.Location != "" && (err != nil || location.Host == ""):
		return &FaultError{"location", "must be an absolute address"}
	case f.Effect == LowerLimit && f.Limit < 1:
		return &FaultError{"limit", "must be at least 1"}
	case f.Interval < 0:
		return &FaultError{"interval", "must not be negative"}
	case slices.Contains(effects[f.Effect].takes, "pointer") && leaf.Check(f.Pointer) != nil:
		return &FaultError{"pointer", leaf.ErrPointer.Error()}
	}
	return nil
}
