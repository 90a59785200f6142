package rpcfleet

import (
	"reflect"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
)

// nothing is the type of a payload that is not asked for.
var nothing = reflect.TypeFor[struct{}]()

// bodyAsItCame reports whether a body that is not JSON becomes a value of the type as it came.
func bodyAsItCame(payload reflect.Type) bool {
	return payload == reflect.TypeFor[[]byte]() || payload == reflect.TypeFor[string]()
}

// acceptAny lets the service choose the content type of its response, unless another option has chosen it.
var acceptAny = callOption(func(s *callSettings) error {
	s.extras = s.extras.with(func(e *extras) {
		if e.header["Accept"] == nil {
			e.header.Set("Accept", "*/*")
		}
	})
	return nil
})

// responseKind returns the kind of response that a payload of the type is read from. That of an operation whose response
// only says whether it happened stays what it is, where nothing else is asked for. Where the record is not promised, it
// is read as one that may not be there, which takes names to know it by.
func responseKind(op *api.Operation, bare, lenient bool, payload reflect.Type) string {
	bare = isBare(op.Area, bare)
	bytes := payload.Kind() == reflect.Slice && payload.Elem().Kind() == reflect.Uint8 // They are JSON as it is.
	list := payload.Kind() == reflect.Slice && !bytes
	page := kindOfPage(payload)
	switch {
	case payload == nothing && !bringsPayload(op):
		return op.Response
	case payload == nothing && bare:
		return api.ResponseEmpty
	case payload == nothing:
		return api.ResponseConfirm
	case lenient && envelope.HasNames(payload):
		return api.ResponseMaybe
	case bare && (list || page != ""):
		return api.ResponseArray
	case bare:
		return api.ResponseRecord
	case page != "":
		return page
	case list:
		return api.ResponseList
	}
	return api.ResponseData
}

// isBare reports whether the payload of a response is its whole body.
func isBare(area string, said bool) bool { return said || area == api.AreaAlerts }

// promisesPayload reports whether the response to an operation of the tables has to bring a payload.
func promisesPayload(op *api.Operation) bool {
	return bringsPayload(op) && op.Response != "" && op.Response != api.ResponseMaybe
}

// kindOfPage returns the kind of response for a type that is a page, or a pointer to one, and nothing for any other.
func kindOfPage(payload reflect.Type) string {
	if payload.Kind() == reflect.Pointer {
		payload = payload.Elem()
	}
	if page, is := reflect.New(payload).Interface().(interface{ kind() string }); is {
		return page.kind()
	}
	return ""
}

func (*Page[T]) kind() string       { return api.ResponsePage }
func (*CursorPage[T]) kind() string { return api.ResponseCursor }
