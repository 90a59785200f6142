package redact

import (
	"regexp"
	"slices"
	"strings"
)

// isRandom reports whether a path parameter looks like a token and not like a word, a name or an id: letters and digits
// alternate, or it is long and contains both, or it is very long. "s3cr3tpath" and 40 hexadecimal digits look random.
// "eth-mainnet-2", "getBlockByNumber", numbers, UUIDs, and public hashes and addresses of chains, which begin with 0x,
// do not.
func isRandom(text string) bool {
	if rest := cutPublic(text); len(rest) < len(text) {
		return isRandom(rest)
	}
	word := formOf(text)
	size := word.letters + word.digits
	switch {
	case word.digits == 0 || word.letters == 0:
		return word.letters >= 32 && word.longest >= 32
	case word.turns >= 4, size >= 8 && word.turns >= 3, size >= 16 && word.turns >= 2:
		return true
	}
	return word.longest >= 16 && word.hexadecimal || word.longest >= 32
}

// lengthy hides a separate word if it is at least as long as the service's tokens, and letters and digits alternate in
// it.
func (s *scanner) lengthy(from, end int) int {
	const least = 40
	if end-from < least {
		return 0
	}
	if word := formOf(cutPublic(s.plain[from:end])); word.letters+word.digits < least || word.allTurns < 6 {
		return 0
	}
	return s.hide(from, end, Placeholder)
}

// form describes a word.
type form struct {
	letters, digits int
	// longest is the length of the longest part between dashes, dots and similar characters. hexadecimal reports whether
	// that part contains only hexadecimal digits.
	longest     int
	hexadecimal bool
	// turns is the maximum number of changes between letters and digits in one part. allTurns is their number in all
	// parts.
	turns, allTurns int
}

func formOf(text string) form {
	var word form
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isAlphanumeric(r) }) {
		digits, turns := 0, 0
		for i := range len(part) {
			isDigit := hasClass(part[i], digit)
			if isDigit {
				digits++
			}
			if i > 0 && isDigit != hasClass(part[i-1], digit) {
				turns++
			}
		}
		word.digits += digits
		word.letters += len(part) - digits
		word.allTurns += turns
		word.turns = max(word.turns, turns)
		if len(part) > word.longest {
			word.longest, word.hexadecimal = len(part), strings.Trim(part, hexDigits) == ""
		}
	}
	return word
}

const hexDigits = "0123456789abcdefABCDEF"

// publicPrefix matches a UUID, or a hash or address of a chain, at the beginning of a text.
var publicPrefix = regexp.MustCompile(`^(0[xX][0-9a-fA-F]*|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})`)

// cutPublic removes a public value from the beginning of a text.
func cutPublic(text string) string { return text[len(publicPrefix.FindString(text)):] }

// address hides everything but the scheme and host of a URL if the word is its scheme: the URL of an endpoint contains
// its token in the path.
func (s *scanner) address(from, end int) int {
	if !s.has(end, "://") || !hasClass(s.plain[from+strings.LastIndexAny(s.plain[from:end], "-_")+1], letter) {
		return 0
	}
	from = end + len("://")
	end = s.endOfAddress(from)
	authority := s.plain[from:s.endOfAuthority(from, end)]
	host := strings.LastIndexByte(authority, '@') + 1
	if !isHost(authority[host:]) {
		return s.hide(from, end, Placeholder)
	}
	s.hide(from, from+host, "")
	if path := from + len(authority); host > 0 || strings.Trim(s.plain[path:end], `/\`) != "" {
		s.hide(path, end, "/"+Placeholder)
	}
	return end
}

// endOfAuthority returns the offset of the path of a URL, or the end of the URL. A backslash counts as a slash, also
// before a letter that it does not escape.
func (s *scanner) endOfAuthority(from, end int) int {
	for i := from; i < end; i++ {
		if strings.IndexByte(`/?#\`, s.plain[i]) >= 0 || s.isAt(i, alphanumeric) && strings.HasPrefix(s.spelled(i), `\`) {
			return i
		}
	}
	return end
}

// endOfAddress returns the end of a URL, without the punctuation of the sentence.
func (s *scanner) endOfAddress(from int) int {
	end := s.until(from, endsAddress)
	for s.isAt(end-1, punctuation) && !s.isPercent(end-1) {
		end--
	}
	return end
}

// isHost reports whether a text could be a host, with or without a port.
func isHost(text string) bool {
	name, port := text, ""
	if colon := strings.LastIndexByte(text, ':'); colon > strings.LastIndexByte(text, ']') {
		name, port = text[:colon], text[colon+1:]
	}
	if strings.HasPrefix(name, "[") {
		return strings.Trim(name, "[]:."+hexDigits) == "" && allOf(port, digit)
	}
	return allOf(strings.ReplaceAll(name, ".", ""), inName) && allOf(port, digit)
}

// host hides the path after a host without a scheme if the word begins the host: a name with a port, a name with dots
// that ends in letters, or an IPv4 address. A number alone stays: it is the size of a network.
func (s *scanner) host(from, _ int) int {
	if s.isAt(from-1, inPath) || s.has(from-1, "/") && !s.has(from-2, "//") && !s.has(from-2, ":/") {
		return 0 // A path parameter, or a later part of the name.
	}
	end := s.span(from, inSegment)
	name, port := s.plain[from:end], ""
	if s.has(end, ":") && s.isAt(end+1, digit) {
		colon := end
		end = s.span(colon+1, digit)
		port = s.plain[colon+1 : end]
	}
	if !s.has(end, "/") || !isHost(name) || !leadsTo(name, port) {
		return 0
	}
	number := s.span(end+1, digit)
	if number > end+1 && !s.isAt(number, inCredential) {
		return number
	}
	path := end
	end = s.endOfAddress(path)
	if strings.Trim(s.plain[path:end], `/\`) == "" {
		return 0
	}
	return s.hide(path, end, "/"+Placeholder)
}

// leadsTo reports whether a name before a slash is a host and not another word.
func leadsTo(name, port string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case port != "":
		return !allOf(name, digit)
	case allOf(last, digit):
		return strings.Count(name, ".") == 3 && allOf(strings.ReplaceAll(name, ".", ""), digit)
	}
	return name == "localhost" || len(last) > 1 && len(last) < len(name) && allOf(last, letter)
}

// parameter hides a path parameter that looks random.
func (s *scanner) parameter(from, _ int) int {
	if !s.has(from-1, "/") && (!s.has(from-2, "/") || s.isAt(from-1, white|quote)) {
		return 0
	}
	end := s.endOfSegment(from)
	if !isRandom(s.plain[from:end]) {
		return 0
	}
	return s.hide(from, end, Placeholder)
}

// endOfSegment returns the end of a path parameter or a token, without the dots that end the sentence.
func (s *scanner) endOfSegment(from int) int {
	return len(strings.TrimRight(s.plain[:s.span(from, inSegment)], "."))
}

// user hides a password: the text between a colon and an @ if the word is the user before it.
func (s *scanner) user(from, end int) int {
	if !s.has(end, ":") || end < s.noUser || s.plain[from:end] == "mailto" {
		return 0
	}
	at := s.until(end+1, endsUser)
	if at == end+1 || !s.has(at, "@") || !s.isAt(at+1, alphanumeric|opening) {
		s.noUser = at
		return 0
	}
	return s.hide(end+1, at, Placeholder)
}

// longestWord is longer than the words of a sentence.
const longestWord = 20

// isWord reports whether the text at an offset could be a word of a sentence, a name or a path in a record, such as
// "expired", "invalid_token" or "endpoint.label": letters, not in random case.
func (s *scanner) isWord(from int) bool {
	i, capitals := from, 0
	for ; i-from < longestWord && s.isAt(i, letter|dash) || i > from && s.has(i, ".") && s.isAt(i+1, letter); i++ {
		if i > from && s.plain[i-1] >= 'a' && s.plain[i] < 'a' && s.isAt(i, letter) {
			capitals++
		}
	}
	s.work += i - from + 1
	return i > from && capitals < 3 && (i == len(s.plain) || s.isAt(i, endsValue|punctuation) || s.has(i, "]"))
}

// isHarmless reports whether a value is empty, or a word such as "enabled", "true" or "null".
func isHarmless(value string) bool { return slices.Contains(harmless, value) }

var harmless = []string{"", "enabled", "disabled", "true", "false", "null", "nil", "none", "None", "undefined"}
