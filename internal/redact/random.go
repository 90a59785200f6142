package redact

import "strings"

// isRandom reports whether a path parameter looks like a token rather than like a word, a name or an id: letters and
// digits take turns in it, or it is long and mixes them, or it is very long. So "s3cr3tpath" and 40 hexadecimal digits
// are hidden; "eth-mainnet-2", "getBlockByNumber", numbers, UUIDs, and the public hashes and addresses of chains, which
// begin with 0x, are not.
func isRandom(text string) bool {
	if rest := cutPublic(text); len(rest) < len(text) {
		return isRandom(rest)
	}
	look := lookAt(text)
	switch {
	case look.digits == 0 || look.letters == 0:
		return look.letters >= 32 && look.longest >= 32
	case look.turns >= 4, look.total() >= 8 && look.turns >= 3, look.total() >= 16 && look.turns >= 2:
		return true
	}
	return look.longest >= 16 && look.hexadecimal || look.longest >= 32
}

// lengthy hides a word that stands for itself, of the length of the service's tokens or longer, in which letters and
// digits take turns.
func (s *scanner) lengthy(from, end int) int {
	word := s.plain[from:end]
	if look := lookAt(cutPublic(word)); look.total() < 40 || look.allTurns < 6 {
		return 0
	}
	return s.hide(from, end, Mark)
}

// look is what there is to see of a word.
type look struct {
	letters, digits int
	// longest is the length of the longest part without a dash, a dot or the like; hexadecimal says of what it
	// consists.
	longest     int
	hexadecimal bool
	// turns is how often letters and digits change over within one part, at most, and allTurns in all parts together.
	turns, allTurns int
}

func (l *look) total() int { return l.letters + l.digits }

func lookAt(text string) look {
	var seen look
	turns, length, hex := 0, 0, true
	for i := 0; i <= len(text); i++ {
		if i == len(text) || !is(text[i], alphanumeric) {
			seen.allTurns += turns
			seen.turns = max(seen.turns, turns)
			if length > seen.longest {
				seen.longest, seen.hexadecimal = length, hex
			}
			turns, length, hex = 0, 0, true
			continue
		}
		isDigit := is(text[i], digit)
		if isDigit {
			seen.digits++
		} else {
			seen.letters++
			hex = hex && toLower(text[i]) <= 'f'
		}
		if length > 0 && isDigit != is(text[i-1], digit) {
			turns++
		}
		length++
	}
	return seen
}

const hexDigits = "0123456789abcdefABCDEF"

// cutPublic cuts a UUID, or a hash or an address of a chain, off the beginning of a text, if it has one.
func cutPublic(text string) string {
	if len(text) > 1 && text[0] == '0' && toLower(text[1]) == 'x' {
		return strings.TrimLeft(text[2:], hexDigits)
	}
	const uuid = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
	if len(text) < len(uuid) {
		return text
	}
	for i := range len(uuid) {
		isHex := strings.IndexByte(hexDigits, text[i]) >= 0
		if isHex != (uuid[i] == 'x') || !isHex && text[i] != '-' {
			return text
		}
	}
	return text[len(uuid):]
}
