package emulator

import (
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// arrayParameters are the query parameters that take several values, as the generated record of them tells.
var arrayParameters = func() (names []string) {
	for field := range reflect.TypeFor[adminapi.ListEndpointsParams]().Fields() {
		if field.Type.Kind() == reflect.Slice {
			name, _, _ := strings.Cut(field.Tag.Get("form"), ",")
			names = append(names, name)
		}
	}
	return names
}()

// acceptBrackets lets arrays be sent as "networks[]=a&networks[]=b" beside "networks=a&networks=b": the service's own
// clients disagree about which it is. The generated server reads the latter.
func acceptBrackets(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query, bracketed := r.URL.Query(), false
		for _, name := range arrayParameters {
			if values := query[name+"[]"]; len(values) > 0 {
				query[name] = slices.Concat(query[name], values)
				delete(query, name+"[]")
				bracketed = true
			}
		}
		if bracketed {
			r = r.Clone(r.Context())
			r.URL.RawQuery = query.Encode()
		}
		next.ServeHTTP(w, r)
	})
}
