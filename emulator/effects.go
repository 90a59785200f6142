package emulator

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// Effect is a way in which a request or its response fails. Effects on the connection need a server of HTTP/1.1
// directly in front of the emulator, as [Start] and [Emulator.Client] have. Elsewhere the request is aborted.
type Effect string

// These effects prevent that the request is served.
const (
	// EffectCloseConnection closes the connection without a byte, which is close to a refused connection.
	EffectCloseConnection Effect = "close-connection"
	// EffectResetBeforeResponse resets the connection without a byte.
	EffectResetBeforeResponse Effect = "reset-before-response"
	// EffectHTML responds with a page of HTML, as a gateway does.
	EffectHTML Effect = "html"
	// EffectRedirect redirects the client to another origin, where nothing responds.
	EffectRedirect Effect = "redirect"
	// EffectEndlessBody responds with a body that ends only when the client closes the connection, or after 256 MiB.
	EffectEndlessBody Effect = "endless-body"
)

// These effects change the response to a request that was served.
const (
	// EffectLoseResponse closes the connection without a byte: the request succeeds but the response is lost.
	EffectLoseResponse Effect = "lose-response"
	// EffectResetDuringResponse resets the connection in the middle of the body.
	EffectResetDuringResponse Effect = "reset-during-response"
	// EffectResetAfterResponse resets the connection after the whole response.
	EffectResetAfterResponse Effect = "reset-after-response"
	// EffectTruncate closes the connection in the middle of the body.
	EffectTruncate Effect = "truncate"
	// EffectSlowBody sends the body a byte at a time.
	EffectSlowBody Effect = "slow-body"
	// EffectWrongContentType sends the body under another Content-Type.
	EffectWrongContentType Effect = "wrong-content-type"
	// EffectWrongContentLength sends the whole body with half of its length in Content-Length.
	EffectWrongContentLength Effect = "wrong-content-length"
	// EffectInvalidGzip sends an uncompressed body with Content-Encoding gzip.
	EffectInvalidGzip Effect = "invalid-gzip"
	// EffectSetField sets a value in the body: one of another type, null, or an unknown field. If the response does not
	// have the place, it stays as it is, and the fault has not happened.
	EffectSetField Effect = "set-field"
	// EffectRemoveField removes a field or an element from the body. If the response does not have it, it stays as it
	// is, and the fault has not happened.
	EffectRemoveField Effect = "remove-field"
)

// These effects are for listings. They count only if they change the response.
const (
	// EffectLowerLimit lowers the size of the page below the one in the request.
	EffectLowerLimit Effect = "lower-limit"
	// EffectRepeatPage responds to a request for a later page with the first one.
	EffectRepeatPage Effect = "repeat-page"
	// EffectRepeatCursor responds with the right page and a cursor that leads to that page again.
	EffectRepeatCursor Effect = "repeat-cursor"
)

// Effects returns all effects, sorted by name.
func Effects() []Effect {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(effects)), func(e Effect) bool { return e == "" })
}

// effectRule implements an [Effect].
type effectRule struct {
	// takes are the arguments of the effect: fields of Fault by their names in JSON.
	takes []string
	// pagings are the kinds of paging that an operation needs for the effect. Without any, it is for every operation.
	pagings []string

	// unserved is set if the request is not served: see respond.
	unserved bool
	// ask changes the request, and reports whether there was anything to change.
	ask func(Fault, *request) bool
	// change changes the response, and reports whether there was anything to change.
	change func(Fault, *request, *responseBuffer) bool
	// send sends the response in another way.
	send func(Fault, http.ResponseWriter, *http.Request, *responseBuffer)
	// silent is set if not even a status reaches the client.
	silent bool
}

// effects are all effects by name. The one without a name responds with a status.
var effects = map[Effect]effectRule{
	"":                        {takes: []string{"status", "retryAfter", "header", "body"}, unserved: true},
	EffectHTML:                {takes: []string{"status", "retryAfter"}, unserved: true},
	EffectRedirect:            {takes: []string{"status", "location"}, unserved: true},
	EffectCloseConnection:     {unserved: true, silent: true, send: sendRaw(net.Conn.Close, nothing)},
	EffectResetBeforeResponse: {unserved: true, silent: true, send: sendRaw(reset, nothing)},
	EffectEndlessBody:         {unserved: true, send: sendEndless},

	EffectLoseResponse:        {silent: true, send: sendRaw(net.Conn.Close, nothing)},
	EffectResetDuringResponse: {send: sendRaw(reset, half)},
	EffectResetAfterResponse:  {send: sendRaw(reset, func(r *responseBuffer) string { return whole(r, r.body.Len()) })},
	EffectTruncate:            {send: sendRaw(net.Conn.Close, half)},
	EffectWrongContentLength: {
		send: sendRaw(net.Conn.Close, func(r *responseBuffer) string { return whole(r, r.body.Len()/2) })},
	EffectSlowBody:         {takes: []string{"interval"}, send: sendSlowly},
	EffectWrongContentType: {takes: []string{"contentType"}, change: changeHeader},
	EffectInvalidGzip:      {change: changeHeader},
	EffectSetField: {takes: []string{"pointer", "value"},
		change: func(f Fault, _ *request, r *responseBuffer) bool { return r.set(f.Pointer, f.Value) }},
	EffectRemoveField: {takes: []string{"pointer"},
		change: func(f Fault, _ *request, r *responseBuffer) bool { return r.set(f.Pointer, removedValue{}) }},

	EffectLowerLimit:   {takes: []string{"limit"}, pagings: []string{"offset", "cursor"}, ask: lowerLimit},
	EffectRepeatPage:   {pagings: []string{"offset", "cursor"}, ask: askForTheFirstPage},
	EffectRepeatCursor: {pagings: []string{"cursor"}, change: repeatCursor},
}

func changeHeader(f Fault, _ *request, r *responseBuffer) bool {
	if f.Effect == EffectInvalidGzip {
		r.header.Set("Content-Encoding", "gzip")
	} else {
		r.header.Set("Content-Type", cmp.Or(f.ContentType, "application/octet-stream"))
	}
	return true
}

const gatewayPage = "<!DOCTYPE html>\n<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>\n"

// respond makes the response of a fault in the place of the handler. Without a status there is none.
func (f Fault) respond(r *request, response *responseBuffer) {
	maps.Copy(response.header, f.Header.Clone())
	if f.RetryAfter != "" {
		response.header.Set("Retry-After", f.RetryAfter)
	}
	write := func(contentType, body string) {
		response.header.Set("Content-Type", cmp.Or(response.header.Get("Content-Type"), contentType))
		response.status = max(f.Status, http.StatusOK)
		response.body.WriteString(body)
	}
	switch {
	case f.Effect == EffectHTML:
		write("text/html; charset=utf-8", gatewayPage)
	case f.Effect == EffectRedirect:
		response.header.Set("Location", cmp.Or(f.Location, "https://elsewhere.example/"))
		response.status = cmp.Or(f.Status, http.StatusTemporaryRedirect)
	case f.scripted():
		write("application/json", f.Body)
	case f.Status != 0:
		r.op.area.reject(response, &serve.Error{Status: f.Status, Reason: "an injected fault"})
	}
}

// sendRaw takes the connection from net/http, writes a text to it, and ends it. Over HTTP/2 and in a recorder there is
// no connection to take, and the request is aborted.
func sendRaw(end func(net.Conn) error, text func(*responseBuffer) string) func(Fault, http.ResponseWriter,
	*http.Request, *responseBuffer) {
	return func(_ Fault, w http.ResponseWriter, _ *http.Request, response *responseBuffer) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(conn, text(response)) // A client that has gone away needs no response.
		_ = end(conn)
	}
}

// reset closes a connection so that the peer sees a reset. A connection that is not a socket is closed.
func reset(conn net.Conn) error {
	if socket, is := conn.(*net.TCPConn); is {
		_ = socket.SetLinger(0)
	}
	return conn.Close()
}

func nothing(*responseBuffer) string { return "" }

// whole returns the response with a Content-Length.
func whole(r *responseBuffer, length int) string { return head(r, length) + r.body.String() }

// half returns the response up to half of its body, or half of the head without one.
func half(r *responseBuffer) string {
	text := head(r, r.body.Len())
	if r.body.Len() == 0 {
		return text[:len(text)/2]
	}
	return text + r.body.String()[:r.body.Len()/2]
}

// head returns the response up to its body.
func head(r *responseBuffer, length int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "HTTP/1.1 %d %s\r\n", r.status, http.StatusText(r.status))
	_ = r.header.Write(&text) // A builder's Write never fails.
	if length > 0 || r.status != http.StatusNoContent {
		fmt.Fprintf(&text, "Content-Length: %d\r\n", length)
	}
	return text.String() + "\r\n"
}

func sendSlowly(f Fault, w http.ResponseWriter, r *http.Request, response *responseBuffer) {
	body := response.body.Bytes()
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(response.status)
	control := http.NewResponseController(w)
	for i := range body {
		_ = control.Flush() // Without flushing, all bytes arrive at the end.
		if !wait(r.Context(), cmp.Or(f.Interval, 100*time.Millisecond)) {
			panic(http.ErrAbortHandler)
		}
		if _, err := w.Write(body[i : i+1]); err != nil {
			return
		}
	}
}

// sendEndless ends after 256 MiB, so that a recorder does not take all memory.
func sendEndless(_ Fault, w http.ResponseWriter, _ *http.Request, _ *responseBuffer) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_, err := io.WriteString(w, `{"data":"`)
	more := bytes.Repeat([]byte{'x'}, 64<<10)
	for sent := 0; err == nil && sent < 256<<20; sent += len(more) {
		_, err = w.Write(more)
	}
	panic(http.ErrAbortHandler)
}

// wait waits, and returns false if the context ends first.
func wait(ctx context.Context, delay time.Duration) bool {
	select {
	case <-time.After(delay):
		return true
	case <-ctx.Done():
		return false
	}
}

// lowerLimit lowers the limit in the request, or sets one. A query without the variable has a limit of its own.
func lowerLimit(f Fault, req *request) bool {
	name := "limit"
	if req.op.ID == graphOperation {
		name = "first"
	}
	limit := req.argument(name)
	sent, err := strconv.Atoi(limit)
	if err == nil && sent <= f.Limit || err != nil && (limit != "" || req.op.ID == graphOperation) {
		return false
	}
	req.setArgument(name, f.Limit)
	return true
}

// position returns the argument that says where the page begins, or nothing for the first page.
func (r *request) position() (name, value string) {
	for _, name := range []string{"offset", "next_at", "cursor", "after"} {
		if value := r.argument(name); value != "" && value != "0" {
			return name, value
		}
	}
	return "", ""
}

// askForTheFirstPage removes the position in the listing from the request.
func askForTheFirstPage(_ Fault, req *request) bool {
	name, _ := req.position()
	if name == "" {
		return false
	}
	req.setArgument(name, nil)
	return true
}

// pageEnd matches what a connection of the graph area says about its end.
var pageEnd = regexp.MustCompile(`"(endCursor|hasNextPage)":("[^"]*"|null|true|false)`)

// repeatCursor replaces the next cursor by the request's own.
func repeatCursor(_ Fault, req *request, response *responseBuffer) bool {
	name, cursor := req.position()
	if name == "" || req.op.ID != graphOperation {
		return name != "" && response.set("/"+name, cursor)
	}
	before := response.body.String()
	after := pageEnd.ReplaceAllStringFunc(before, func(said string) string {
		if strings.HasPrefix(said, `"endCursor"`) {
			return fmt.Sprintf(`"endCursor":%q`, cursor)
		}
		return `"hasNextPage":true`
	})
	response.replace([]byte(after))
	return after != before
}

// argument returns a parameter of the query, or a variable of the graph area's query, or "".
func (r *request) argument(name string) string {
	if r.op.ID != graphOperation {
		return r.http.URL.Query().Get(name)
	}
	var sent struct{ Variables map[string]any }
	_ = json.Unmarshal(r.body, &sent) // The graph area rejects an invalid body.
	if sent.Variables[name] == nil {
		return ""
	}
	return fmt.Sprint(sent.Variables[name])
}

// setArgument sets such a parameter or variable. nil removes it.
func (r *request) setArgument(name string, value any) {
	if r.op.ID == graphOperation {
		r.body, _ = setLeaf(r.body, "/variables/"+name, value)
		return
	}
	query := r.http.URL.Query()
	query.Del(name)
	if value != nil {
		query.Set(name, fmt.Sprint(value))
	}
	r.http.URL.RawQuery = query.Encode()
}

// The functions here change one place of a JSON text, which a JSON pointer names (RFC 6901).

// isPointer reports whether a text is a pointer to a place below the root.
func isPointer(pointer string) bool { return pointer != "" && jsontext.Pointer(pointer).IsValid() }

// removedValue is the value that removes a place.
type removedValue struct{}

// setLeaf sets an existing field or element, or a new field of an object, or removes an existing one. Without such a
// place, it returns the text as it was and false.
func setLeaf(text []byte, pointer string, value any) ([]byte, bool) {
	var root any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&root) != nil || !isPointer(pointer) {
		return text, false
	}
	changed, found := setAt(root, slices.Collect(jsontext.Pointer(pointer).Tokens()), value)
	edited, err := json.Marshal(changed)
	if !found || err != nil {
		return text, false
	}
	return edited, true
}

// setAt sets the place with a path inside a value. It returns the changed value, and whether there was such a place.
func setAt(holder any, path []string, value any) (changed any, found bool) {
	if len(path) == 0 {
		return value, true
	}
	switch holder := holder.(type) {
	case map[string]any:
		inner, has := holder[path[0]]
		if !has && (len(path) > 1 || value == (removedValue{})) {
			return holder, false
		}
		if holder[path[0]], found = setAt(inner, path[1:], value); holder[path[0]] == (removedValue{}) {
			delete(holder, path[0])
		}
		return holder, found
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(holder) || strconv.Itoa(i) != path[0] {
			return holder, false
		}
		if holder[i], found = setAt(holder[i], path[1:], value); holder[i] == (removedValue{}) {
			return slices.Delete(holder, i, i+1), true
		}
		return holder, found
	}
	return holder, false
}
