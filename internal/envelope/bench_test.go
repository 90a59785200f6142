package envelope_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
)

// listing is a page of 250 endpoints.
func listing() []byte {
	var page bytes.Buffer
	page.WriteString(`{"data":[`)
	for i := range 250 {
		if i > 0 {
			page.WriteByte(',')
		}
		fmt.Fprintf(&page, `{"id":"ep%d","name":"calm-sun-%d","label":"backend %d","status":"active","chain":"ethereum",`+
			`"network":"mainnet","is_dedicated":false,"is_flat_rate":false,"is_multichain":true,`+
			`"http_url":"https://calm-sun-%d.mainnet.example.com/%040d/","wss_url":"wss://calm-sun-%d.mainnet.example.com/%040d/",`+
			`"tags":[{"tag_id":1,"label":"production"},{"tag_id":2,"label":"team-a"}]}`, i, i, i, i, i, i, i)
	}
	page.WriteString(`],"pagination":{"total":1000,"limit":250,"offset":0},"error":null}`)
	return page.Bytes()
}

// BenchmarkRead decodes a page of a listing and reports the time as a ratio to encoding/json (version 1), side by side
// in one run: below 1 is faster.
func BenchmarkRead(b *testing.B) {
	body := listing()
	contestant := func() error {
		var page struct {
			Data       []admin.Endpoint `json:"data"`
			Error      *string          `json:"error"`
			Pagination *envelope.Page   `json:"pagination"`
		}
		return json.Unmarshal(body, &page)
	}
	ours := func() error {
		_, err := read[[]admin.Endpoint](api.ResponsePage, jsonType, body)
		return err
	}
	var mine, theirs time.Duration
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		require.NoError(b, ours())
		middle := time.Now()
		require.NoError(b, contestant())
		mine, theirs = mine+middle.Sub(start), theirs+time.Since(middle)
	}
	b.ReportMetric(float64(mine)/float64(theirs), "x-encoding/json")
}
