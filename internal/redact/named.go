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
	// equals is set where an equals sign stands between name and value, as in a query, and not a colon, as in a
	// sentence.
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
		stop := s.until(end+1, angle)
		if stop > end+1 && s.has(stop, "</") && kindOf(s.plain[from:end]) > suspect {
			return s.hide(end+1, stop, Mark)
		}
	case at > end:
		if s.isAt(at, quote) {
			at++
		}
		if stop := s.span(at, inSegment); kindOf(s.plain[from:end]) != ordinary && isRandom(s.plain[at:stop]) {
			return s.hide(at, stop, Mark)
		}
	}
	return 0
}

// text hides a value in quotes.
func (s *scanner) text(name name, open int) int {
	if name.kind == suspect && s.isWord(open+1) {
		return 0
	}
	stop := s.closing(open)
	content := s.plain[open+1 : stop]
	if isHarmless(content) || !name.quoted && strings.IndexFunc(content, func(r rune) bool { return r >= 0x80 || is(byte(r), alphanumeric) }) < 0 {
		return stop
	}
	if stop == len(s.plain) {
		return s.hide(open+1, stop, Mark+s.spelled(open))
	}
	return s.hide(open+1, stop, Mark)
}

// record hides a list or a record, whatever it holds.
func (s *scanner) record(name name, open int) int {
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

// bare hides a value without quotes. Behind a colon it may be the next word of a sentence.
func (s *scanner) bare(name name, from int) int {
	if from == len(s.plain) || s.isAt(from, endsValue) && !s.isPercent(from) {
		return 0 // What is named like this may be a secret itself.
	}
	if end := s.number(from); name.quoted && end > from {
		if name.kind == suspect || toLower(s.plain[name.end-1]) == 's' {
			return end // Behind a plural it is a count.
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
