package clienttest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// fleet responds with pages of 250 of 10,000 endpoints, each page after 20 ms.
func fleet() responder {
	const pages, size = 40, 250
	bodies := make([]string, pages)
	for page := range bodies {
		items := make([]string, size)
		for i := range items {
			n := page*size + i
			items[i] = fmt.Sprintf(`{"id":"ep%d","label":"endpoint number %d","status":"active","chain":"ethereum","network":"mainnet",`+
				`"http_url":"https://a%d.example.com/t0k3n%d/","wss_url":"wss://a%d.example.com/t0k3n%d/","dedicated":false,`+
				`"is_flat_rate":false,"tags":[{"id":%d,"label":"production"}]}`, n, n, n, n, n, n, i)
		}
		bodies[page] = fmt.Sprintf(`{"data":[%s],"pagination":{"total":%d,"limit":%d,"offset":%d},"error":null}`,
			strings.Join(items, ","), pages*size, size, page*size)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		time.Sleep(20 * time.Millisecond)
		says(200, bodies[offset/size])(w, r)
	}
}

// BenchmarkPrefetch iterates over 10,000 endpoints, at 20 ms a page, and gives the time in relation to what the pages
// take one after another.
func BenchmarkPrefetch(b *testing.B) {
	_, server := scripted(b, fleet())
	var sequential time.Duration
	for _, ahead := range []int{0, 4, 8} {
		b.Run(fmt.Sprint(ahead), func(b *testing.B) {
			client := server.client(b, rpcfleet.WithPrefetch(ahead), rpcfleet.WithPageSize(250))
			for b.Loop() {
				for _, err := range client.Endpoints.All(b.Context(), admin.ListEndpointsParams{}) {
					require.NoError(b, err)
				}
			}
			each := b.Elapsed() / time.Duration(b.N)
			if ahead == 0 {
				sequential = each
			}
			if sequential > 0 {
				b.ReportMetric(each.Seconds()/sequential.Seconds(), "of-sequential")
			}
		})
	}
}
