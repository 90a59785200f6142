package redact_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// bodies are error bodies of about 6 KB, of the kinds that services send.
func bodies() map[string][]byte {
	fill := func(piece string) string { return strings.Repeat(piece, 6<<10/len(piece)) }
	quoted := func(text string) []byte { b, _ := json.Marshal(map[string]any{"data": nil, "error": text}); return b }
	page := func() string {
		var b strings.Builder
		b.WriteString(`{"data":[`)
		for i := 0; b.Len() < 6<<10; i++ {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"id":"%d","label":"production %d","network":"ethereum-mainnet","http_url":"https://calm-sun-%d.example.com/%040x/","tags":[{"tag_id":%d,"label":"a"}]}`, i, i, i, i*7919, i)
		}
		return b.String() + `]}`
	}
	return map[string][]byte{
		"prose":   quoted(fill("the endpoint could not be found, and nothing was changed; ")),
		"page":    []byte(page()),
		"escaped": quoted(page()),
		"html":    []byte("<html><body>" + fill(`<p class="x">502 Bad Gateway &quot;nginx&quot; <a href="/help">help</a></p>`)),
		"letters": []byte(fill("x")),
	}
}

func BenchmarkExcerpt(b *testing.B) {
	for name, body := range bodies() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				redact.Excerpt(body, 1<<10, "key-known-0001")
			}
		})
		b.Run(name+"/whole", func(b *testing.B) {
			text := string(body)
			for b.Loop() {
				redact.Text(text, "key-known-0001")
			}
		})
		b.Run(name+"/valid", func(b *testing.B) {
			for b.Loop() {
				json.Valid(body)
			}
		})
	}
	_ = io.Discard
}
