package rpcfleet

import (
	"net/http"
	"reflect"
	"regexp"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

var shapeOfMethods = regexp.MustCompile(`^[A-Z]+(-[A-Z]+)*$`)

func checkMethod(method string) *ValidationError {
	switch {
	case !shapeOfMethods.MatchString(method):
		return &ValidationError{Field: "Method", Rule: "must be an HTTP method in capitals", Value: method}
	case method == http.MethodConnect, method == http.MethodTrace: // One asks for a tunnel, the other for an echo of the key.
		return &ValidationError{Field: "Method", Rule: "must not be CONNECT or TRACE", Value: method}
	}
	return nil
}

func checkName(name string) *ValidationError {
	for _, r := range name {
		if r < ' ' || r > '~' {
			return &ValidationError{Field: "Operation", Rule: "must be printable ASCII", Value: name}
		}
	}
	return nil
}

func checkArea(area string) *ValidationError {
	switch area {
	case "", api.AreaAdmin, api.AreaAlerts:
		return nil
	}
	return &ValidationError{Field: "Area", Rule: `must be "admin" or "alerts"`, Value: area}
}

var (
	fixedPart = regexp.MustCompile(`^[A-Za-z0-9._~:@!$&'()*+,=-]+$`)
	parameter = regexp.MustCompile(`^\{[A-Za-z0-9._-]+\}$`)
)

// checkTemplate checks a path template. What stands between two slashes is a parameter or text that needs no escaping,
// so that a path is what its template looks like. The last slash may end it.
func checkTemplate(path string) *ValidationError {
	broken := func(rule string) *ValidationError { return &ValidationError{Field: "Path", Rule: rule, Value: path} }
	rest, absolute := strings.CutPrefix(path, "/")
	if !absolute {
		return broken("must begin with a slash")
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(rest, "/"), "/") {
		switch {
		case part == "." || part == "..":
			return broken("must not have dot segments")
		case part == "":
			return broken("must not have empty parts")
		case strings.ContainsAny(part, "?#"):
			return broken("must not have a query or a fragment: see Query")
		case !fixedPart.MatchString(part) && !parameter.MatchString(part):
			return broken("must consist of {parameters} and of text that needs no escaping: see PathParams")
		}
	}
	return nil
}

// checkBody refuses bytes, which would be written as a text in base64.
func checkBody(body any) *ValidationError {
	if _, is := body.([]byte); is {
		return &ValidationError{Field: "Body", Rule: "must not be a []byte: a json.RawMessage is JSON that is sent as it is"}
	}
	return nil
}

// checkPayload refuses a type of the payload that the response cannot become.
func checkPayload(method string, bare bool, payload reflect.Type) *ValidationError {
	switch {
	case method == http.MethodHead && payload != nothing:
		return &ValidationError{Field: "T", Rule: "must be struct{} for HEAD, whose response has no body"}
	case kindOfPage(payload) == api.ResponseCursor && bare:
		return &ValidationError{Field: "T", Rule: "must not be a CursorPage where the payload is the whole body: the cursor stands beside it"}
	}
	return nil
}

// checkIdempotent refuses to take an operation for idempotent that is known not to be.
func checkIdempotent(said bool, op *api.Operation) *ValidationError {
	if said && !op.Idempotent {
		return &ValidationError{Field: "Idempotent", Rule: "must not be set: " + op.Method + " " + op.Path + " is known not to be idempotent"}
	}
	return nil
}
