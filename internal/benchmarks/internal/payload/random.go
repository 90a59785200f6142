package payload

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// random generates parts of records.
type random struct{ *rand.Rand }

// hex returns n hexadecimal digits.
func (r random) hex(n int) string {
	const digits = "0123456789abcdef"
	var text strings.Builder
	for range n {
		text.WriteByte(digits[r.IntN(len(digits))])
	}
	return text.String()
}

// of returns one of the texts.
func (r random) of(texts ...string) string { return texts[r.IntN(len(texts))] }

// sometimes returns the value, or nil once in n.
func sometimes[T any](r random, n int, value T) *T {
	if r.IntN(n) == 0 {
		return nil
	}
	return &value
}

// some returns up to most items.
func some[T any](r random, most int, item func(random) T) []T {
	items := make([]T, r.IntN(most+1))
	for i := range items {
		items[i] = item(r)
	}
	return items
}

// subdomain returns a name like the service's.
func (r random) subdomain() string {
	return r.of("quiet", "long", "sparkling", "dark", "morning") + "-" +
		r.of("river", "mountain", "meadow", "cloud", "sea") + "-" + r.hex(4)
}

// address returns the address of an endpoint.
func (r random) address(scheme, subdomain, network string) string {
	return fmt.Sprintf("%s://%s.%s.example.com/%s/", scheme, subdomain, network, r.hex(40))
}

// method returns the name of an RPC method.
func (r random) method() string {
	return r.of("eth_call", "eth_getLogs", "eth_blockNumber", "eth_getTransactionReceipt", "eth_getBlockByNumber")
}
