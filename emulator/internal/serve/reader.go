package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/oapi-codegen/runtime"
)

// Need says whether a part of a request may be left out.
type Need bool

// A part of a request is required or optional.
const (
	Required Need = true
	Optional Need = false
)

// Reader reads the parts of a request. After the first part that cannot be read, it reads no more.
type Reader struct {
	request *http.Request
	query   url.Values
	err     error
}

func newReader(r *http.Request) *Reader { return &Reader{request: r, query: r.URL.Query()} }

// Path reads a path parameter.
func (in *Reader) Path(name string, into any) {
	if in.err != nil {
		return
	}
	in.note(name, runtime.BindStyledParameterWithOptions("simple", name, chi.URLParam(in.request, name), into,
		runtime.BindStyledParameterOptions{
			ParamLocation:    runtime.ParamLocationPath,
			Required:         true,
			ValueIsUnescaped: in.request.URL.RawPath == "",
		}))
}

// Query reads a query parameter that takes one value.
func (in *Reader) Query(name string, need Need, into any) {
	if in.err != nil {
		return
	}
	in.note(name, runtime.BindQueryParameterWithOptions(
		"form", true, bool(need), name, in.query, into, runtime.BindQueryParameterOptions{}))
}

// QueryArray reads a query parameter that takes several values: its name is repeated, with or without brackets behind
// it, or its values are joined with commas. The service's own clients disagree about which it is. A comma that is
// percent-encoded belongs to a value.
func (in *Reader) QueryArray(name string, need Need, into any) {
	var values []string
	for pair := range strings.SplitSeq(in.request.URL.RawQuery, "&") {
		key, joined, _ := strings.Cut(pair, "=")
		if key, err := url.QueryUnescape(key); err != nil || strings.TrimSuffix(key, "[]") != name {
			continue
		}
		for value := range strings.SplitSeq(joined, ",") {
			if value, err := url.QueryUnescape(value); err == nil { // As url.URL.Query does, it skips others.
				values = append(values, value)
			}
		}
	}
	if len(values) > 0 {
		in.query[name] = values
	}
	in.Query(name, need, into)
}

// note keeps the error of a parameter.
func (in *Reader) note(name string, err error) {
	var missing *runtime.RequiredParameterError
	switch {
	case errors.As(err, &missing):
		in.err = unreadable("Query argument " + name + " is required, but not found")
	case err != nil:
		in.err = unreadable("Invalid format for parameter " + name + ": " + err.Error())
	}
}

// unreadable says why a parameter cannot be read, in the words of the generator's own server.
type unreadable string

// Error implements error.
func (u unreadable) Error() string { return string(u) }

// Body reads a JSON body. An optional one that was left out stays nil.
func Body[T any](in *Reader, need Need, into **T) {
	if in.err != nil {
		return
	}
	body := new(T)
	switch err := json.NewDecoder(in.request.Body).Decode(body); {
	case err == nil:
		*into = body
	case need == Required || !errors.Is(err, io.EOF):
		in.err = fmt.Errorf("can't decode JSON body: %w", err)
	}
}
