package acceptance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// node is a JSON value that keeps details that a map would lose: the order and the duplicates of names, and the
// spelling of its literals, which need not be valid.
type node struct {
	kind     byte // '{', '[', or '"' for a text, or 0 for any other literal.
	names    []string
	children []*node
	literal  string // As it stands in the JSON.
}

// stale is another value that can be read in the place of this one.
func (n *node) stale() string {
	switch {
	case n.kind == '{':
		return "{}"
	case n.kind == '[':
		return "[]"
	case n.kind == '"' && strings.Trim(n.literal, `"0123456789`) == "": // Texts that are read as numbers.
		return `"7"`
	case n.isTime():
		return `"2001-02-03T04:05:06Z"`
	case n.kind == '"':
		return `"stale"`
	case n.literal == "null", n.literal == "true", n.literal == "false":
		return "null"
	}
	return "7"
}

// place is the position of a value in a tree. Its path has a star for the index of an item.
type place struct {
	path   string
	parent *node
	index  int
}

// with renders the tree around a place that has another value for the time being.
func (n *node) with(p place, literal string) []byte {
	was := p.parent.children[p.index]
	p.parent.children[p.index] = &node{literal: literal}
	defer func() { p.parent.children[p.index] = was }()
	return n.render()
}

// without renders the tree without a field.
func (n *node) without(p place) []byte {
	was := *p.parent
	p.parent.names = slices.Delete(slices.Clone(was.names), p.index, p.index+1)
	p.parent.children = slices.Delete(slices.Clone(was.children), p.index, p.index+1)
	defer func() { *p.parent = was }()
	return n.render()
}

// parse reads a body. Each call makes a separate tree.
func parse(t testing.TB, body []byte) *node {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	root, err := next(decoder)
	require.NoError(t, err, "%.300s", body)
	require.ErrorIs(t, second(decoder.Token()), io.EOF)
	return root
}

func next(decoder *json.Decoder) (*node, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	opening, is := token.(json.Delim)
	if !is {
		literal, err := json.Marshal(token)
		n := &node{literal: string(literal)}
		if literal[0] == '"' {
			n.kind = '"'
		}
		return n, err
	}
	n := &node{kind: byte(opening)}
	for decoder.More() {
		if n.kind == '{' {
			name, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			n.names = append(n.names, fmt.Sprintf("%q", name))
		}
		child, err := next(decoder)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, child)
	}
	_, err = decoder.Token()
	return n, err
}

// render writes the tree.
func (n *node) render() []byte {
	if n.kind != '{' && n.kind != '[' {
		return []byte(n.literal)
	}
	out := []byte{n.kind}
	for i, child := range n.children {
		if i > 0 {
			out = append(out, ',')
		}
		if n.kind == '{' {
			out = append(append(out, n.names[i]...), ':')
		}
		out = append(out, child.render()...)
	}
	return append(out, n.kind+2) // In ASCII, each closing bracket comes two after its opening one.
}

// places lists the values inside the tree. Of items of a list, which look alike, each path is listed once.
func (n *node) places() []place {
	seen := map[string]bool{}
	var found []place
	var visit func(path string, parent *node)
	visit = func(path string, parent *node) {
		for i, child := range parent.children {
			step := "*"
			if parent.kind == '{' {
				step, _ = strconv.Unquote(parent.names[i])
			}
			inside := path + "/" + step
			if !seen[inside] {
				seen[inside], found = true, append(found, place{inside, parent, i})
			}
			visit(inside, child)
		}
	}
	visit("", n)
	return found
}

// each calls f for the tree's values, with the name of the field that contains each. It leaves out values that the
// client hands on unchanged.
func (n *node) each(name string, f func(name string, n *node)) {
	if slices.Contains([]string{`"metadata"`, `"abi"`, `"result"`, `"logs"`}, name) {
		return
	}
	f(name, n)
	for i, child := range n.children {
		inside := name
		if n.kind == '{' {
			inside = n.names[i]
		}
		child.each(inside, f)
	}
}

// text reports whether a value is a text that means nothing to the client: a number in quotes has to stay one, and a
// cursor is sent back.
func (n *node) text(name string) bool {
	return n.kind == '"' && !quotedNumber.MatchString(n.literal) && !cursors[name]
}

// isTime reports whether a value is a time.
func (n *node) isTime() bool {
	return n.kind == '"' && strings.HasPrefix(n.literal, `"20`) && strings.HasSuffix(n.literal, `Z"`)
}

var (
	quotedNumber = regexp.MustCompile(`^"-?(0x)?\d+(\.\d+)?"$`)
	cursors      = map[string]bool{`"next_at"`: true, `"endCursor"`: true, `"cursor"`: true}
)

// mutator stands between the client and the validator. It lets the emulator respond to a call once, and from then on
// gives that response again and again, changed. So the emulator's state stays as it is, and the validator sees only the
// emulator's responses.
type mutator struct {
	*httptest.Server
	t        testing.TB
	upstream http.Handler

	mu        sync.Mutex
	recording bool
	answers   []response
	// mutated stands in for the response at the index.
	index   int
	mutated mutated
}

// response is the emulator's response.
type response struct {
	request string
	sent    []byte
	graph   bool
	kind    string
	status  int
	header  http.Header
	body    []byte
}

// mutated is the response that the client gets instead. A lost response ends half way, as on a broken connection.
type mutated struct {
	status int
	body   []byte
	lost   bool
}

// mutate starts a mutator, which records until say sets a response.
func mutate(t testing.TB, upstream http.Handler) *mutator {
	m := &mutator{t: t, upstream: upstream, recording: true}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.Close)
	return m
}

// say sets the response that the client gets instead of the recorded one.
func (m *mutator) say(index int, instead mutated) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.recording, m.index, m.mutated = false, index, instead
}

// mutatedHeader contains the address of the mutator that a request is meant for. Tests in other processes may still
// send requests to a port that was theirs before.
const mutatedHeader = "Mutated"

// ServeHTTP implements http.Handler. A request that was not recorded goes to the emulator: an iteration makes one if a
// page contains less than it should.
func (m *mutator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get(mutatedHeader) != m.URL {
		http.Error(w, "a request of another test", http.StatusMisdirectedRequest)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	request := r.Method + " " + r.URL.RequestURI()
	if !m.recording {
		for i, known := range m.answers {
			if known.request == request {
				instead := mutated{status: known.status, body: known.body}
				if i == m.index {
					instead = m.mutated
				}
				known.give(w, instead)
				return
			}
		}
	}
	body, err := io.ReadAll(r.Body)
	if !assert.NoError(m.t, err) {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	recorder := httptest.NewRecorder()
	m.upstream.ServeHTTP(recorder, r)
	said := response{
		request: request, sent: body, status: recorder.Code, header: recorder.Header().Clone(),
		body: bytes.TrimSpace(recorder.Body.Bytes()),
	}
	said.header.Del("Content-Length")
	said.kind, said.graph = m.kind(r)
	repeated := slices.ContainsFunc(m.answers, func(known response) bool {
		return known.request == request && bytes.Equal(known.sent, body)
	})
	if m.recording && !repeated {
		m.answers = append(m.answers, said)
	}
	said.give(w, mutated{status: said.status, body: said.body})
}

func (a *response) give(w http.ResponseWriter, instead mutated) {
	maps.Copy(w.Header(), a.header)
	if len(instead.body) > 0 && w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	body := instead.body
	if instead.lost {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		body = body[:len(body)/2]
	}
	w.WriteHeader(instead.status)
	_, _ = w.Write(body)
}

// kind returns the way in which the operation's response is read.
func (m *mutator) kind(r *http.Request) (kind string, graph bool) {
	area, route, _, err := routeOf(r)
	if area == nil {
		return api.ResponseData, true
	}
	if !assert.NoError(m.t, err) {
		return "", false
	}
	name, _ := route.Operation.Extensions["x-response"].(string)
	return name, false
}

// takeExtras returns a value without the extras that its records keep beside their fields, and the extras themselves,
// record by record. The value may lose them, too.
func takeExtras(of any) (any, []scalar.Extra) {
	if of == nil {
		return nil, nil
	}
	var taken []scalar.Extra
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if v.Kind() == reflect.Interface && !v.IsNil() {
				content := reflect.New(v.Elem().Type()).Elem()
				content.Set(v.Elem())
				visit(content)
				v.Set(content)
			} else if !v.IsNil() {
				visit(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				visit(v.Index(i))
			}
		case reflect.Map:
			for _, name := range v.MapKeys() {
				entry := reflect.New(v.Type().Elem()).Elem()
				entry.Set(v.MapIndex(name))
				visit(entry)
				v.SetMapIndex(name, entry)
			}
		case reflect.Struct:
			if v.IsZero() && v.Type() != reflect.TypeFor[scalar.Extra]() {
				return // An absent record.
			}
			if extra, is := v.Addr().Interface().(*scalar.Extra); is {
				taken, *extra = append(taken, *extra), scalar.Extra{}
				return
			}
			for field, inside := range v.Fields() {
				switch {
				case !field.IsExported():
				case field.Name != "Extra" && inside.Type() == reflect.TypeFor[scalar.Extra]():
					inside.SetZero() // The attributes of a destination are an object with any fields.
				default:
					visit(inside)
				}
			}
		}
	}
	content := reflect.New(reflect.TypeOf(of)).Elem()
	content.Set(reflect.ValueOf(of))
	visit(content)
	return content.Interface(), taken
}
