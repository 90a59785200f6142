package rpcfleet

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// addressShape matches the addresses of accounts and contracts, in any case.
var addressShape = regexp.MustCompile(`^0[xX][0-9a-fA-F]{40}$`)

// walletID checks what names a wallet: an address or an ENS name. Which of the two it is depends on the dot that every
// name has in it.
func walletID(field, value string) *ValidationError {
	switch {
	case value == "":
		return required(field, value)
	case addressShape.MatchString(value) || isENSName(value):
		return nil
	}
	return &ValidationError{
		Field: field, Rule: "must be an address (0x and 40 hexadecimal digits) or an ENS name (such as name.eth)", Value: shown(value),
	}
}

// isENSName reports whether a text has the form of a name: labels with dots between them. A label may be in any script,
// pictures included.
func isENSName(text string) bool {
	labels := strings.Split(text, ".")
	for _, label := range labels {
		if label == "" {
			return false
		}
	}
	return len(labels) > 1 && utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	})
}
