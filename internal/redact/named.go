package redact

import "strings"

// named hides the value that the word names, where the word is the name of a secret.
func (s *scanner) named(from, end int) int {
	if !mayBeSecret(s.plain[from:end]) {
		return 0
	}
	name := name{quoted: s.isAt(end, quote), end: end}
	at := end
	if name.quoted {
		at++
	}
	at = s.span(at, white)
	if !s.isAt(at, separator) {
		return s.apart(from, end, at)
	}
	if name.kind = kindOf(s.plain[from:end]); name.kind == ordinary {
		return 0
	}
	name.equals = s.has(at, "=")
	at++
	for n := 0; n < 2 && s.isAt(at, separator|angle) && !s.has(at, "<"); n++ {
		at++ // As in "=>" and ":=".
	}
	between := blank
	if name.quoted {
		between = white
	}
	at = s.span(at, between)
	switch {
	case s.isAt(at, quote):
		return s.text(name, at)
	case s.isAt(at, opening):
		return s.record(name, at)
	}
	return s.bare(name, at)
}

// name is the name of a value.
type name struct {
	kind   kind
	quoted bool
	// end is where the name ends, with a quote if it is quoted.
	end int
	// equals is set where an equals sign stands between name and value, as in a query, and not a colon, as in a sentence.
	equals bool
}

// mark returns the mark in the quotes of the name, if it has them.
func (s *scanner) mark(name name) string {
	if !name.quoted {
		return Mark
	}
	spelled := s.spelled(name.end)
	return spelled + Mark + spelled
}

// apart hides a value that only space or a tag separates from its name.
func (s *scanner) apart(from, end, at int) int {
	switch {
	case s.has(end, ">") && s.isAt(from-1, angle|separator):
		close := s.until(end+1, angle)
		if close > end+1 && s.has(close, "</") && kindOf(s.plain[from:end]) > suspect {
			return s.hide(end+1, close, Mark)
		}
	case at > end:
		if s.isAt(at, quote) {
			at++
		}
		if !s.isAt(at, inName) || kindOf(s.plain[from:end]) == ordinary {
			return 0
		}
		if close := s.span(at, inSegment); isRandom(s.plain[at:close]) {
			return s.hide(at, close, Mark)
		}
	}
	return 0
}

// text hides a value in quotes.
func (s *scanner) text(name name, open int) int {
	if name.kind == suspect && s.isWord(open+1) {
		return 0
	}
	close := s.closing(open)
	content := s.plain[open+1 : close]
	if isHarmless(content) || !name.quoted && strings.IndexFunc(content, func(r rune) bool { return r >= 0x80 || is(byte(r), alphanumeric) }) < 0 {
		return close
	}
	if close == len(s.plain) {
		return s.hide(open+1, close, Mark+s.spelled(open))
	}
	return s.hide(open+1, close, Mark)
}

// record hides a list or a record, whatever it holds.
func (s *scanner) record(name name, open int) int {
	if name.kind == suspect {
		return 0
	}
	quoteSize := 0
	if name.quoted {
		quoteSize = len(s.spelled(name.end))
	}
	close := s.matching(open, quoteSize)
	if strings.Trim(s.plain[open:close], "[]{}, \t\r\n") == "" {
		return close
	}
	if !name.quoted {
		close = s.untilEnd(open, close, endOfValue)
	}
	return s.hide(open, close, s.mark(name))
}

// bare hides a value without quotes. Behind a colon it may be the next word of a sentence.
func (s *scanner) bare(name name, from int) int {
	if from == len(s.plain) || s.isAt(from, endOfValue) && !s.isPercent(from) {
		return 0
	}
	if end := s.number(from); name.quoted && end > from {
		if name.kind == suspect || toLower(s.plain[name.end-1]) == 's' {
			return end // Behind a plural it is a count.
		}
		return s.hide(from, end, s.mark(name))
	}
	if !name.equals && name.kind >= cookies {
		if end := s.headerValue(name.kind, from); end > 0 {
			return end
		}
	}
	if end := s.span(from, letter); isHarmless(s.plain[from:end]) && !s.isAt(end, inCredential) {
		return end
	}
	if name.kind != header && !name.equals && s.isWord(from) {
		return 0
	}
	return s.hide(from, s.until(from, endOfValue), s.mark(name))
}

// number returns the end of a number of JSON, or where it would begin.
func (s *scanner) number(from int) int {
	end := from
	for s.isAt(end, digit) || end < len(s.plain) && strings.IndexByte("-+.eE", s.plain[end]) >= 0 {
		end++
	}
	s.work += end - from + 1
	if s.isAt(end, inSegment) {
		return from
	}
	return end
}

// headerValue hides the value of a header that has more than one word, or returns nothing if it does not look like one.
func (s *scanner) headerValue(kind kind, from int) int {
	end := s.span(from, inSegment)
	if kind == cookies {
		if s.has(end, "=") {
			return s.hide(from, s.endOfHeader(from), Mark)
		}
		return 0
	}
	credential := s.span(end, blank)
	if credential == end || credential == len(s.plain) || s.isAt(credential, endOfLine) {
		return 0
	}
	switch scheme := strings.ToLower(s.plain[from:end]); {
	case scheme == "bearer" || scheme == "basic":
		return s.hide(credential, s.until(credential, endOfValue), Mark)
	case isScheme(scheme):
		return s.hide(credential, s.endOfHeader(credential), Mark)
	}
	return 0
}

// isScheme reports whether a word names a scheme of authentication whose credential may be of several words.
func isScheme(word string) bool {
	switch word {
	case "digest", "token", "apikey", "api-key", "key", "negotiate", "ntlm", "oauth", "hawk", "hmac", "signature":
		return true
	}
	return strings.HasPrefix(word, "aws4-") || strings.HasPrefix(word, "hmac-")
}

// endOfHeader returns where the value of a header ends: at the end of the line, or where the text ends that quotes it.
// A quote behind an equals sign belongs to the value.
func (s *scanner) endOfHeader(from int) int {
	end := s.until(from, endOfLine)
	for s.isAt(end, quote) && s.has(end-1, "=") {
		end = s.until(min(s.closing(end)+1, len(s.plain)), endOfLine)
	}
	return end
}

// authorized hides a credential behind the name of its scheme. Behind "Bearer", spelled like in a header, only the words
// that a sentence is likely to have there are left.
func (s *scanner) authorized(from, end int) int {
	word := s.plain[from:end]
	if toLower(word[0]) != 'b' || !strings.EqualFold(word, "bearer") && !strings.EqualFold(word, "basic") {
		return 0
	}
	at := s.span(end, white)
	if at == end || !s.isAt(at, inCredential) {
		return 0
	}
	if s.isWord(at) {
		next := s.plain[at:s.span(at, letter)]
		if word != "Bearer" || len(next) < 8 || strings.HasPrefix(next, "authenticat") || strings.HasPrefix(next, "authoriz") || strings.HasPrefix(next, "credential") {
			return 0
		}
	}
	close := s.span(at, inCredential)
	if close-at < 8 {
		return 0
	}
	return s.hide(at, close, Mark)
}

// webToken hides a JSON Web Token, signed, encrypted or cut off.
func (s *scanner) webToken(from, end int) int {
	const begins, least = "eyJ", len("eyJ") + 8
	if end-from < least && end < len(s.plain) {
		return 0
	}
	found := strings.Index(s.plain[from:end], begins)
	if found < 0 || found > 0 && !s.isAt(from+found-1, dash) {
		return 0
	}
	from += found
	close := s.span(from, inName|inPath)
	for s.plain[close-1] == '.' {
		close--
	}
	if close < len(s.plain) && close-from < least {
		return 0
	}
	return s.hide(from, close, Mark)
}

// longestWord is more than words of a sentence have.
const longestWord = 20

// isWord reports whether what stands at a place could be a word of a sentence, a name or a place in a record, such as
// "expired", "invalid_token" or "endpoint.label": letters, and not in random case.
func (s *scanner) isWord(from int) bool {
	i, capitals := from, 0
	for ; i-from < longestWord && s.isAt(i, letter|dash) || i > from && s.has(i, ".") && s.isAt(i+1, letter); i++ {
		if i > from && s.isAt(i-1, letter) && s.plain[i-1] >= 'a' && s.plain[i] < 'a' && s.isAt(i, letter) {
			capitals++
		}
	}
	s.work += i - from + 1
	return i > from && capitals < 3 && (i == len(s.plain) || s.isAt(i, endOfValue|punctuation) || s.has(i, "]"))
}

// isHarmless reports whether a value is none, or one of those that switches and the like have.
func isHarmless(value string) bool {
	switch value {
	case "", "enabled", "disabled", "true", "false", "null", "nil", "none", "None", "undefined":
		return true
	}
	return false
}
