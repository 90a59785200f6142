package transport

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// The maximum lengths of lines in a dump.
const (
	dumpedHeader = 4 << 10
	dumpedBody   = 64 << 10
)

// dumping protects the writers of all transports, which may share one.
var dumping sync.Mutex

// dump writes a request and its response, or the reason that there is none, with one call of Write. The headers are the
// final ones. Each header and each body is one line without secrets and control characters.
func (s *callState) dump(req *http.Request, err error) {
	d := dumper{secrets: s.result.Secrets}
	d.line(dumpedHeader, req.Method+" "+req.URL.RequestURI())
	d.line(dumpedHeader, "Host: "+req.URL.Host)
	d.rest(req.Header, s.call.Body)
	if response := s.attempt.response; response != nil {
		d.line(dumpedHeader, fmt.Sprintf("%s %d %s", response.Protocol, response.Status, http.StatusText(response.Status)))
		d.rest(response.Header, response.Body)
	}
	if err != nil {
		d.line(dumpedHeader, "No complete response: "+err.Error())
		d.text.WriteByte('\n')
	}
	dumping.Lock()
	defer dumping.Unlock()
	_, _ = s.transport.config.Dump.Write(d.text.Bytes()) // A dump that fails must not fail the call.
}

// dumper collects the text of a dump.
type dumper struct {
	text    bytes.Buffer
	secrets []string
}

// rest adds the headers, sorted, and the body.
func (d *dumper) rest(header http.Header, body []byte) {
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, value := range header[name] {
			d.line(dumpedHeader, name+": "+value)
		}
	}
	d.text.WriteByte('\n')
	if len(body) > 0 {
		d.line(dumpedBody, string(body))
		d.text.WriteByte('\n')
	}
}

// line adds a redacted line.
func (d *dumper) line(limit int, text string) {
	d.text.WriteString(redact.Excerpt([]byte(text), limit, d.secrets...))
	d.text.WriteByte('\n')
}
