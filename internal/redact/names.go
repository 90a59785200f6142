package redact

import (
	"regexp"
	"slices"
	"strings"
)

// kind is the kind of value that a name suggests.
type kind int

const (
	ordinary kind = iota
	// suspect is a name such as "key". Its value is a secret if it looks like one.
	suspect
	// secret is a name such as "token". In a sentence, another word may follow it.
	secret
	// header is the name of a header, such as "x-api-key", which does not occur in a sentence.
	header
	// cookies and authorization are headers with values of more than one word.
	cookies
	authorization
)

// secretNames are the endings of names of secrets, in lower case and without dashes.
var secretNames = []string{
	"token", "secret", "password", "passwd", "passphrase", "pwd", "credential", "jwt", "sessionid", "mnemonic",
	"apikey", "secretkey", "privatekey", "accesskey", "signingkey", "encryptionkey", "authkey",
}

// suspectNames are the last parts of names of possible secrets.
var suspectNames = []string{"key", "auth", "bearer", "session", "sid", "sig", "signature", "pass", "passcode"}

// kindOf classifies a name by its end. The name may be written accessToken, access_token, X-Access-Token, tokens,
// token2 or tokenValue.
func kindOf(name string) kind {
	const longest = 24 // No ending is longer.
	name = strings.TrimRight(name, "0123456789-_")
	end := strings.ToLower(withoutDashes.Replace(name[max(0, len(name)-longest):]))
	end = strings.TrimSuffix(strings.TrimSuffix(end, "value"), "s")
	switch {
	case strings.HasSuffix(end, "cookie"):
		return cookies
	case strings.HasSuffix(end, "authorization"):
		return authorization
	case slices.ContainsFunc(secretNames, func(known string) bool { return strings.HasSuffix(end, known) }):
		if strings.Contains(name, "-") {
			return header
		}
		return secret
	case slices.Contains(suspectNames, lastPart(name)) && end != "publickey":
		return suspect
	}
	return ordinary
}

var withoutDashes = strings.NewReplacer("-", "", "_", "")

// lastPart returns the last part of a name, in lower case.
func lastPart(name string) string {
	from := len(name)
	for from > 0 && !hasClass(name[from-1], dash) {
		from--
		if from > 0 && name[from] < 'a' && name[from-1] >= 'a' {
			break
		}
	}
	return strings.ToLower(name[from:])
}

// named hides the value after the word if the word is the name of a secret.
func (s *scanner) named(from, end int) int {
	name := valueName{kind: kindOf(s.plain[from:end]), quoted: s.isAt(end, quote), end: end}
	if name.kind == ordinary {
		return 0
	}
	at := end
	if name.quoted {
		at++
	}
	at = s.span(at, white)
	if !s.isAt(at, separator) {
		return s.hideAdjacent(name, from, at)
	}
	name.equals = s.has(at, "=")
	at++
	for s.isAt(at, separator|angle) && !s.has(at, "<") {
		at++ // As in "=>" and ":=".
	}
	between := blank
	if name.quoted {
		between = white
	}
	at = s.span(at, between)
	switch {
	case s.isAt(at, quote):
		return s.hideQuoted(name, at)
	case s.isAt(at, opening):
		return s.hideComposite(name, at)
	}
	return s.hideUnquoted(name, at)
}

// valueName is the name of a value.
type valueName struct {
	kind   kind
	quoted bool
	// end is the end of the name, before its closing quote if it is quoted.
	end int
	// equals is set if an equals sign separates name and value, as in a query, and not a colon, as in a sentence.
	equals bool
}

// mark returns the mark, in the quotes of the name if it is quoted.
func (s *scanner) mark(name valueName) string {
	if !name.quoted {
		return Placeholder
	}
	spelled := s.spelled(name.end)
	return spelled + Placeholder + spelled
}

// hideAdjacent hides a value if only space or a tag separates it from its name.
func (s *scanner) hideAdjacent(name valueName, from, at int) int {
	end := name.end
	if s.has(end, ">") && s.isAt(from-1, angle|separator) {
		stop := s.until(end+1, angle)
		if stop > end+1 && s.has(stop, "</") && name.kind > suspect {
			return s.hide(end+1, stop, Placeholder)
		}
	}
	if at == end {
		return 0
	}
	if s.isAt(at, quote) {
		at++
	}
	if stop := s.span(at, inSegment); isRandom(s.plain[at:stop]) {
		return s.hide(at, stop, Placeholder)
	}
	return 0
}

// hideQuoted hides a value in quotes.
func (s *scanner) hideQuoted(name valueName, open int) int {
	if name.kind == suspect && s.isWord(open+1) {
		return 0
	}
	stop := s.closing(open)
	content := s.plain[open+1 : stop]
	switch {
	case isHarmless(content), !name.quoted && !strings.ContainsFunc(content, isAlphanumeric):
		return stop
	case stop == len(s.plain):
		return s.hide(open+1, stop, Placeholder+s.spelled(open))
	}
	return s.hide(open+1, stop, Placeholder)
}

// hideComposite hides a list or a record with all its contents.
func (s *scanner) hideComposite(name valueName, open int) int {
	if name.kind == suspect {
		return 0
	}
	stop := s.matching(open, name)
	if strings.Trim(s.plain[open:stop], "[]{}, \t\r\n") == "" {
		return stop
	}
	if !name.quoted {
		stop = s.untilEnd(open, stop, endsValue)
	}
	return s.hide(open, stop, s.mark(name))
}

// hideUnquoted hides a value without quotes. After a colon, the value may be the next word of a sentence.
func (s *scanner) hideUnquoted(name valueName, from int) int {
	if from == len(s.plain) || s.isAt(from, endsValue) && !s.isPercent(from) {
		return 0 // The name may itself be a secret.
	}
	if end := s.number(from); name.quoted && end > from {
		if name.kind == suspect || s.plain[name.end-1]|0x20 == 's' {
			return end // After a plural it is a count.
		}
		return s.hide(from, end, s.mark(name))
	}
	if name.kind == authorization || name.kind == cookies && !name.equals {
		if end := s.headerValue(name, from); end > 0 {
			return end
		}
	}
	if end := s.span(from, letter); isHarmless(s.plain[from:end]) && !s.isAt(end, inCredential) && !s.isPercent(end) {
		return end
	}
	if name.kind != header && !name.equals && s.isWord(from) {
		return 0
	}
	return s.hide(from, s.until(from, endsValue), s.mark(name))
}

// number returns the end of a JSON number, or from if there is none.
func (s *scanner) number(from int) int {
	end := s.span(from, numeral)
	if s.isAt(end, inSegment) {
		return from
	}
	return end
}

// headerValue hides a header value of more than one word. It returns 0 if the text does not look like one.
func (s *scanner) headerValue(name valueName, from int) int {
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
		return s.hide(credential, s.until(credential, endsValue), Placeholder)
	case isScheme(scheme):
		return s.hide(credential, s.endOfHeader(credential), Placeholder)
	}
	return 0
}

// schemes are authentication schemes with credentials of possibly several words.
var schemes = []string{
	"digest", "token", "apikey", "api-key", "key", "negotiate", "ntlm", "oauth", "hawk", "hmac", "signature",
}

// isScheme reports whether a word is one of the schemes, or of a family of them.
func isScheme(word string) bool {
	return slices.Contains(schemes, word) || strings.HasPrefix(word, "aws4-") || strings.HasPrefix(word, "hmac-")
}

// endOfHeader returns the end of a header value: the end of the line, or the quote that ends the text around it. A
// quote after an equals sign belongs to the value.
func (s *scanner) endOfHeader(from int) int {
	end := s.until(from, endsLine)
	for s.isAt(end, quote) && s.has(end-1, "=") {
		end = s.until(min(s.closing(end)+1, len(s.plain)), endsLine)
	}
	return end
}

// ordinaryNext matches words that follow "Bearer" in a sentence.
var ordinaryNext = regexp.MustCompile(`^(authenticat|authoriz|credential)|^.{0,7}$`)

// authorized hides a credential after the name of its scheme. If "Bearer" is capitalized as in a header, only words
// that are likely in a sentence stay.
func (s *scanner) authorized(from, end int) int {
	word := s.plain[from:end]
	if !strings.EqualFold(word, "bearer") && !strings.EqualFold(word, "basic") {
		return 0
	}
	at := s.span(end, white)
	if at == end || !s.isAt(at, inCredential) {
		return 0
	}
	if s.isWord(at) && (word != "Bearer" || ordinaryNext.MatchString(s.plain[at:s.span(at, letter)])) {
		return 0
	}
	stop := s.span(at, inCredential)
	if stop-at < 8 {
		return 0
	}
	return s.hide(at, stop, Placeholder)
}

// webToken hides a JSON Web Token, whether signed, encrypted or truncated.
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
	return s.hide(from, s.endOfSegment(from), Placeholder)
}
