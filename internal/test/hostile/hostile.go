// Package hostile contains bodies that are slow to decode, and measures the work of decoding them.
package hostile

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// Bodies maps names to functions that return a slow body of about size bytes.
var Bodies = map[string]func(size int) string{
	// Nesting: at the limit, repeatedly, and deeper.
	"errors in errors, as deep as the size": func(size int) string {
		return Nested(`{"error":{"errors":[`, `{}`, `,1]}}`, size/27)
	},
	"errors in errors, many":     padded(`{"errors":[`, Nested(`{"error":{"errors":[`, `{}`, `,1]}}`, 32), `]}`),
	"messages in messages":       padded(`{"message":[`, Nested(`{"message":[1,`, `"no"`, `]}`, 48), `]}`),
	"data in data":               padded(`{"data":[`, Nested(`{"data":{"error":1,"data":`, `7`, `}}`, 48), `]}`),
	"lists, as deep as the size": func(size int) string { return Nested(`[`, `1`, `]`, size/2) },
	"a text in the deep, of another shape": func(size int) string {
		return `{"data":{"id":[],"x":` + Nested(`{"x":[`, `"`+strings.Repeat("x", size)+`"`, `]}`, 48) + `}}`
	},
	"a text in the deep, with a repeated name": func(size int) string {
		return `{"data":{"id":"a","x":` + Nested(`{"x":1,"x":`, `"`+strings.Repeat("x", size)+`"`, `}`, 97) + `}}`
	},
	"texts all the way down": func(size int) string {
		return `{"error":` + Nested(`{"message":"`+strings.Repeat("x", size/95)+`","error":`, `1`, `}`, 95) + `}`
	},

	// Width.
	"names":          padded(`{"data":{"id":7,`, `"name%08d":1`, `}}`),
	"names at last":  padded(`{"data":{"extra":{`, `"name%08d":"1"`, `},"id":[]}}`),
	"empty records":  padded(`{"data":[`, `{}`, `]}`),
	"empty lists":    padded(`{"errors":[`, `[]`, `],"data":[[]]}`),
	"numbers":        padded(`[`, `1`, `]`),
	"texts":          padded(`{"errors":[`, `"no"`, `]}`),
	"quotes":         func(size int) string { return `{"error":"` + strings.Repeat(`\"`, size/2) + `"}` },
	"backslashes":    func(size int) string { return `{"message":["` + strings.Repeat(`\\`, size/2) + `"]}` },
	"one number":     func(size int) string { return `{"data":{"id":` + strings.Repeat("9", size) + `}}` },
	"a long integer": func(size int) string { return `{"data":{"count":1.` + strings.Repeat("0", size) + `}}` },
	"a far integer":  func(size int) string { return `{"data":{"count":1e` + strings.Repeat("9", size) + `}}` },
	"a long name":    func(size int) string { return Padded(`{`, `"`+strings.Repeat("n", size/4)+`":1`, `}`, size) },
	"space":          func(size int) string { return `{"data":` + strings.Repeat(" ", size) + `{"id":7}}` },

	// Duplicate names.
	"a name again and again":  padded(`{`, `"data":{"id":"a"}`, `}`),
	"a name of another shape": padded(`{`, `"data":[]`, `,"data":{"id":"a"}}`),
	"two names in turn":       padded(`{"data":{`, `"id":"a","tags":[]`, `}}`),
	"a name twice in each":    padded(`{"data":[`, `{"id":"a","id":"b"}`, `]}`),
	"many names twice": func(size int) string {
		half := Padded(``, `"n%08d":1`, ``, size/2)
		return `{` + half + `,` + half + `}`
	},
	"repeats in what is replaced": func(size int) string { return `{"data":` + repeats(size) + `,"data":{"id":"a"}}` },
	"repeats in what is not": func(size int) string {
		return `{"data":1,"data":{"id":"a","x":` + repeats(size) + `}}`
	},
	"repeats in the deep":          padded(`{"data":[`, Nested(`{"a":1,"a":`, `1`, `}`, 97), `]}`),
	"repeats around repeats":       padded(`{"data":[`, Nested(`{"a":{"b":1,"b":2},"a":`, `1`, `}`, 97), `]}`),
	"errors again and again":       padded(`{`, `"errors":[{"message":"no"}]`, `}`),
	"an error in many spellings":   padded(`{`, `"error":{"error":"no"},"message":["a"]`, `}`),
	"errors with repeats in each":  padded(`{"errors":[`, `{"message":[],"message":"no"}`, `]}`),
	"a name in different escapes":  padded(`{"data":{`, `"id":1,"\u0069d":2`, `}}`),
	"repeats of different objects": padded(`[`, `{"a":{"a":1},"a":{"a":1}}`, `]`),

	// Errors at the end.
	"cut short":     padded(`{"data":[`, `{"id":"a","id":"b"}`, ``),
	"goes on":       padded(`{"data":[`, `{"id":"a","id":"b"}`, `]} x`),
	"is no JSON":    padded(`{"data":[`, `{"id":7}`, `,x]}`),
	"a plain text":  func(size int) string { return strings.Repeat("no ", size/3) },
	"a plain brace": func(size int) string { return strings.Repeat("{", size) },

	// Graph.
	"edges of no shape": padded(edges, `{"node":{"nft":7}}`, `]}}}}}`),
	"edges, the type's name last": padded(edges, `{"node":{"nft":{"collection":{"address":"0xa",`+
		`"__typename":"ERC721Collection"},"__typename":"ERC721NFT"}}}`, `]}}}}}`),
	"an edge, the type's name behind many fields": padded(edges+`{"node":{"nft":{"collection":{`,
		`"x":{"__typename":1}`, `,"__typename":"ERC721Collection"},"__typename":"ERC721NFT"}}}]}}}}}`),
	"an edge with deep metadata": func(size int) string {
		return edges + `{"node":{"nft":{"__typename":"ERC721NFT","metadata":` +
			Nested(`[{"a":`, `1`, `}]`, size/8) + `}}}]}}}}}`
	},
	"shapes around a text": func(size int) string {
		return `{"data":{"shape":` +
			Nested(`{"x":"`+strings.Repeat("x", size/48)+`","inside":[`, ``, `],"__typename":"Polygon"}`, 48) + `}}`
	},
	"shapes with repeats": padded(`{"data":{"all":[`,
		Nested(`{"inside":7,"inside":[`, ``, `],"__typename":1,"__typename":"Polygon"}`, 48), `]}}`),
	"shapes of no type": padded(`{"data":{"all":[`, Nested(`{"inside":[`, ``, `]}`, 48), `]}}`),
	"graph errors":      padded(`{"errors":[`, `{"message":"no","path":["a",1]}`, `]}`),
	"a long path":       padded(`{"errors":[{"path":[`, `"a"`, `]}]}`),
	"codes in codes":    padded(`{"errors":[`, `{"extensions":`+Nested(`{"code":[`, `1`, `]}`, 45)+`}`, `]}`),
}

// Nested adds brackets around a text.
func Nested(before, inside, after string, times int) string {
	return strings.Repeat(before, times) + inside + strings.Repeat(after, times)
}

// Padded adds items, numbered if they contain a verb, until the text has a size.
func Padded(before, item, after string, size int) string {
	var b strings.Builder
	b.WriteString(before)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		if strings.Contains(item, "%") {
			fmt.Fprintf(&b, item, i)
		} else {
			b.WriteString(item)
		}
	}
	b.WriteString(after)
	return b.String()
}

// edges begin a page of the tokens of a wallet.
const edges = `{"data":{"chain":{"wallet":{"walletNFTs":{"edges":[`

// padded returns a function that calls Padded with a size.
func padded(before, item, after string) func(size int) string {
	return func(size int) string { return Padded(before, item, after, size) }
}

var repeats = padded(`[`, `{"a":1,"b":[],"a":2}`, `]`)

// Linear reads every hostile body with every reader, at two sizes. It fails if memory grows faster than the size, or if
// reading a body takes a hundred times as long as it should, which any work that is not linear does at these sizes.
func Linear(t *testing.T, readers map[string]func(raw []byte)) {
	t.Helper()
	race.Skip(t)
	const size = 1 << 16
	for name, build := range Bodies {
		small, large := []byte(build(size)), []byte(build(2*size))
		growth := float64(len(large)) / float64(len(small))
		for way, read := range readers {
			memory, _ := measure(read, small)
			moreMemory, elapsed := measure(read, large)
			assert.LessOrEqual(t, moreMemory, 1.5*growth*memory+1<<16, "%s: %s: memory", name, way)
			assert.Less(t, elapsed, time.Second, "%s: %s", name, way)
		}
	}
}

// measure returns the memory in bytes that reading a body allocates, and the time.
func measure(read func([]byte), raw []byte) (memory float64, elapsed time.Duration) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	read(raw)
	elapsed = time.Since(start)
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc), elapsed
}
