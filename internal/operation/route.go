package operation

import (
	"net/url"
	"strings"
)

// Diversion is a request that would reach another operation than its own.
type Diversion struct {
	// To is the operation that it would reach.
	To *Operation
	// Parameter and Value are the path parameter to blame, and what it is.
	Parameter, Value string
}

// Diverted returns where a request of op's to the path would end up in place of op, by the area's table, or nil where
// it reaches op. The path is escaped, and may begin with that of the area's address.
//
// Templates overlap, as "/v0/endpoints/{id}" and "/v0/endpoints/tags" do. A path that fits several of one method goes
// to the one with a fixed part at the first place where they differ: routers prefer what is fixed. An operation with
// another method does not count. A router that looks at the method gives it nothing, and one that looks at the path
// first responds that the method is not allowed, so that nothing else is carried out. A slash at the end is ignored, as
// many routers ignore it.
func Diverted(op *Operation, path string, table []*Operation) *Diversion {
	template := fields(op.Path)
	parts := strings.Split(strings.TrimSuffix(path, "/"), "/")
	if !strings.Contains(op.Path, "{") || len(parts) < len(template) {
		return nil
	}
	parts = parts[len(parts)-len(template):]
	for i, part := range parts {
		if text, err := url.PathUnescape(part); err == nil {
			parts[i] = text
		}
	}
	for _, rival := range table {
		if rival.Method != op.Method {
			continue
		}
		if at := preferred(fields(rival.Path), template, parts); at >= 0 {
			return &Diversion{rival, strings.Trim(template[at], "{}"), parts[at]}
		}
	}
	return nil
}

// FixedParts are all fixed parts of the paths in the tables. No other value of a path parameter can divert a request.
func FixedParts(tables map[string][]*Operation) map[string]bool {
	fixed := map[string]bool{}
	for _, table := range tables {
		for _, op := range table {
			for _, part := range fields(op.Path) {
				if !isParameter(part) {
					fixed[part] = true
				}
			}
		}
	}
	return fixed
}

// preferred returns the place where a rival's template has a fixed part that makes routers prefer it to the template,
// or -1 where they do not.
func preferred(rival, template, parts []string) int {
	if len(rival) != len(template) {
		return -1
	}
	at := -1
	for i, part := range parts {
		switch {
		case isParameter(rival[i]):
			if at < 0 && !isParameter(template[i]) {
				return -1 // The template has the fixed part here.
			}
		case rival[i] != part:
			return -1
		case at < 0 && isParameter(template[i]):
			at = i
		}
	}
	return at
}

// fields are what stands between the slashes of a template. One at the end is ignored.
func fields(template string) []string { return strings.Split(strings.Trim(template, "/"), "/") }

func isParameter(part string) bool { return strings.HasPrefix(part, "{") }
