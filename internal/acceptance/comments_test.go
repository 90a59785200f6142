package acceptance

import (
	"go/doc"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

var request = regexp.MustCompile(`(?m)^(?:GET|POST|PUT|PATCH|DELETE) /\S+$`)

// TestEveryMethodNamesItsRequest reconciles the comments of the services' methods with the tables of operations: a
// method names the request that it sends, which is one of its service's, and every operation is named by a method.
func TestEveryMethodNamesItsRequest(t *testing.T) {
	requests := map[string]string{"POST /graphql": "Graph"} // The service of each request.
	for _, a := range areas {
		for _, op := range a.table {
			requests[op.Method+" "+a.prefix+op.Path] = op.Tag
		}
	}
	named := map[string]bool{}
	for _, service := range facade(t).Types {
		tag, is := strings.CutSuffix(service.Name, "Service")
		if !is {
			continue
		}
		for _, method := range service.Methods {
			name := tag + "." + method.Name
			found := request.FindAllString(method.Doc, -1)
			if tag == "Graph" { // All send the same.
				found = request.FindAllString(service.Doc, -1)
			}
			if local[name] {
				continue
			}
			if !assert.NotEmpty(t, found, "%s names no request", name) {
				continue
			}
			for _, r := range found {
				named[r] = true
				assert.Equal(t, tag, requests[r], "%s names %s", name, r)
			}
		}
	}
	for r, tag := range requests {
		assert.True(t, named[r], "no method of %s names %s", tag, r)
	}
}

// local are methods that send nothing by themselves.
var local = map[string]bool{"Graph.With": true}

// facade is the documentation of the root package.
func facade(t *testing.T) *doc.Package {
	t.Helper()
	return documentation(t, "../..")
}
