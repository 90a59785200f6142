package redact_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// errorBodies are bodies of about 6 KB, of kinds that services and gateways send.
func errorBodies() map[string]string {
	const size = 6 << 10
	fill := func(piece string) string { return strings.Repeat(piece, size/len(piece)) }
	records := make([]string, 0, 32)
	for i := range 32 {
		records = append(records, fmt.Sprintf(`{"id":"%d","label":"production %[1]d","network":"ethereum-mainnet",`+
			`"http_url":"https://calm-sun-%[1]d.example.com/%040x/","tags":[{"tag_id":%[1]d,"label":"a"}]}`, i, i*7919))
	}
	page := `{"data":[` + strings.Join(records, ",") + `]}`
	return map[string]string{
		"prose":   `{"data":null,"error":"` + fill("the endpoint could not be found, and nothing was changed; ") + `"}`,
		"records": page,
		"escaped": `{"data":null,"error":` + quoted(page) + `}`,
		"HTML":    fill(`<p class="x">502 Bad Gateway &quot;nginx&quot; <a href="/help">help</a></p>`),
		"letters": fill("x"),
	}
}

// BenchmarkClean cleans the part of a body that an error keeps, and the whole body. Beside it stands the cost to see if
// the body is JSON.
func BenchmarkClean(b *testing.B) {
	for name, body := range errorBodies() {
		b.Run(name+"/excerpt", func(b *testing.B) {
			for b.Loop() {
				redact.Excerpt([]byte(body), 1<<10, "made-up-key-0001")
			}
		})
		b.Run(name+"/whole", func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				redact.Text(body, "made-up-key-0001")
			}
		})
		if json.Valid([]byte(body)) {
			b.Run(name+"/json.Valid", func(b *testing.B) {
				b.SetBytes(int64(len(body)))
				for b.Loop() {
					json.Valid([]byte(body))
				}
			})
		}
	}
}
