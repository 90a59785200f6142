package redact

import "strings"

// headerValue hides the value of a header that has more than one word, or returns nothing if it does not look like one.
func (s *scanner) headerValue(name name, from int) int {
	end := s.span(from, inSegment)
	if name.kind == cookies {
		if s.has(end, "=") {
			return s.hide(from, s.endOfHeader(from), s.mark(name))
		}
		return 0
	}
	credential := s.span(end, blank)
	if credential == end || credential == len(s.plain) || s.isAt(credential, endsLine) {
		return 0
	}
	switch scheme := strings.ToLower(s.plain[from:end]); {
	case scheme == "bearer" || scheme == "basic":
		return s.hide(credential, s.until(credential, endsValue), Mark)
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
	end := s.until(from, endsLine)
	for s.isAt(end, quote) && s.has(end-1, "=") {
		end = s.until(min(s.closing(end)+1, len(s.plain)), endsLine)
	}
	return end
}

// authorized hides a credential behind the name of its scheme. Behind "Bearer", spelled like in a header, only the
// words that a sentence is likely to have there are left.
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
	stop := s.span(at, inCredential)
	if stop-at < 8 {
		return 0
	}
	return s.hide(at, stop, Mark)
}

// webToken hides a JSON Web Token, signed, encrypted or cut off.
func (s *scanner) webToken(from, end int) int {
	const begins, least = "eyJ", len("eyJ") + 8
	found := strings.Index(s.plain[from:end], begins)
	if found < 0 || found > 0 && !s.isAt(from+found-1, dash) {
		return 0
	}
	from += found
	if end-from < least && end < len(s.plain) {
		return 0
	}
	stop := s.span(from, inName|inPath)
	for s.plain[stop-1] == '.' {
		stop--
	}
	return s.hide(from, stop, Mark)
}
