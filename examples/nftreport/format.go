package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// none stands for what the service does not tell.
const none = "-"

// longest is how many characters a cell may have. The largest balance that fits in 256 bits fits here as well.
const longest = 80

// clean makes text from the service fit for a line of a terminal or a page: without characters that move the cursor or
// turn the direction of writing around, and not too long.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.TrimSpace(s))
	if runes := []rune(s); len(runes) > longest {
		return string(runes[:longest-1]) + "…"
	}
	return s
}

// text reads text that the service may leave out.
func text(s *string) string {
	if s == nil || *s == "" {
		return none
	}
	return *s
}

// count reads a number that the service may leave out.
func count(n *int) string {
	if n == nil {
		return none
	}
	return strconv.Itoa(*n)
}

// integer reads an integer of any size that the service may leave out.
func integer(n *scalar.BigInt) string {
	if n == nil {
		return none
	}
	return n.String()
}

// id shows the id of a token. Some collections make ids of hashes: of those, the ends.
func id(n *scalar.BigInt) string {
	digits := integer(n)
	if len(digits) <= 24 {
		return digits
	}
	return digits[:12] + "…" + digits[len(digits)-8:]
}

// short shows the ends of an address.
func short(address string) string {
	if len(address) <= 12 {
		return address
	}
	return address[:6] + "…" + address[len(address)-4:]
}

// amount shows four digits of an amount, and all those before the point.
func amount(v *float64) string {
	if v == nil {
		return none
	}
	size := math.Abs(*v)
	switch {
	case size == 0:
		return "0"
	case size < 1e-9 || size >= 1e15:
		return strconv.FormatFloat(*v, 'g', 4, 64)
	}
	decimals := max(3-int(math.Floor(math.Log10(size))), 0)
	if size == math.Trunc(size) {
		decimals = 0
	}
	return strconv.FormatFloat(*v, 'f', decimals, 64)
}

// whole shows a balance in whole tokens. Where the service does not tell how many units make one, it stays in the
// token's smallest unit, and says so.
func whole(balance *graph.TokenBalance) string {
	if amount, known := balance.Amount(); known {
		return amount
	}
	return balance.TotalBalance.String() + " units"
}

// standard shows the standard that the name of a collection's type stands for, or the name of an unknown one.
func standard(typename string) string {
	switch typename {
	case "ERC721Collection":
		return "ERC-721"
	case "ERC1155Collection":
		return "ERC-1155"
	}
	return typename
}

// day shows a day, in UTC.
func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// moment shows a time to the minute, in UTC.
func moment(t scalar.Time) string {
	if !t.Valid() {
		return none
	}
	return t.UTC().Format("2006-01-02 15:04")
}

// note says what of a listing is shown.
func note(shown, total int) string {
	switch {
	case total < 0:
		return fmt.Sprintf("the first %d", shown)
	case shown < total:
		return fmt.Sprintf("%d of %d", shown, total)
	}
	return ""
}
