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

// dumpedLine is the maximum length of a line in a dump.
const dumpedLine = 64 << 10

// dumping protects the writers of all transports, which may share one.
var dumping sync.Mutex

// dump writes a request and its response, or the reason that there is none, with one call of Write. The headers are the
// final ones. Each header and each body is one line without secrets and control characters.
func (s *callState) dump(req *http.Request, err error) {
	lines := []string{req.Method + " " + req.URL.RequestURI(), "Host: " + req.URL.Host}
	lines = append(lines, linesOf(req.Header, s.call.Body)...)
	if r := s.attempt.response; r != nil {
		lines = append(lines, fmt.Sprintf("%s %d %s", r.Protocol, r.Status, http.StatusText(r.Status)))
		lines = append(lines, linesOf(r.Header, r.Body)...)
	}
	if err != nil {
		lines = append(lines, "No complete response: "+err.Error(), "")
	}
	var text bytes.Buffer
	for _, line := range lines {
		text.WriteString(redact.Excerpt([]byte(line), dumpedLine, s.result.Secrets...) + "\n")
	}
	dumping.Lock()
	defer dumping.Unlock()
	_, _ = s.transport.config.Dump.Write(text.Bytes()) // A dump that fails must not fail the call.
}

// linesOf returns the headers, sorted, and the body, each followed by an empty line.
func linesOf(header http.Header, body []byte) (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, value := range header[name] {
			lines = append(lines, name+": "+value)
		}
	}
	if lines = append(lines, ""); len(body) > 0 {
		lines = append(lines, string(body), "")
	}
	return lines
}
