package redact

import "strings"

// address hides all but scheme and host of the address whose scheme the word is: an endpoint's address carries its
// token in the path.
func (s *scanner) address(from, end int) int {
	if !s.has(end, "://") || !is(s.plain[from+strings.LastIndexAny(s.plain[from:end], "-_")+1], letter) {
		return 0
	}
	from = end + len("://")
	end = s.endOfAddress(from)
	authority := s.plain[from:s.endOfAuthority(from, end)]
	host := strings.LastIndexByte(authority, '@') + 1
	if !isHost(authority[host:]) {
		return s.hide(from, end, Mark)
	}
	s.hide(from, from+host, "")
	if path := from + len(authority); host > 0 || strings.Trim(s.plain[path:end], `/\`) != "" {
		s.hide(path, end, "/"+Mark)
	}
	return end
}

// endOfAuthority returns where the path of an address begins, or its end. A backslash may stand for the slash, also
// before a letter, which it does not change.
func (s *scanner) endOfAuthority(from, end int) int {
	for i := from; i < end; i++ {
		if strings.IndexByte(`/?#\`, s.plain[i]) >= 0 || s.isAt(i, alphanumeric) && strings.HasPrefix(s.spelled(i), `\`) {
			return i
		}
	}
	return end
}

// endOfAddress returns the end of an address, without the punctuation of a sentence that it ends.
func (s *scanner) endOfAddress(from int) int {
	end := s.until(from, endsAddress)
	for s.isAt(end-1, punctuation) && !s.isPercent(end-1) {
		end--
	}
	return end
}

// isHost reports whether a text could be a host, with a port or without, and nothing else.
func isHost(text string) bool {
	name, port := text, ""
	if colon := strings.LastIndexByte(text, ':'); colon > strings.LastIndexByte(text, ']') {
		name, port = text[:colon], text[colon+1:]
	}
	if strings.HasPrefix(name, "[") {
		return strings.Trim(name, "[]:."+hexDigits) == "" && consists(port, digit)
	}
	return consists(strings.ReplaceAll(name, ".", ""), inName) && consists(port, digit)
}

// host hides the path behind a host without a scheme that the word begins: a name with a port, a name with dots that
// ends in letters, or an IPv4 address. A number alone is left: it is the size of a network.
func (s *scanner) host(from, _ int) int {
	if s.isAt(from-1, inPath) || s.has(from-1, "/") && !s.has(from-2, "//") && !s.has(from-2, ":/") {
		return 0 // It is a path parameter, or a later part of the name.
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
	return s.hide(path, end, "/"+Mark)
}

// leadsTo reports whether a name before a slash is that of a host, and not another word.
func leadsTo(name, port string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case port != "":
		return !consists(name, digit)
	case consists(last, digit):
		return strings.Count(name, ".") == 3 && consists(strings.ReplaceAll(name, ".", ""), digit)
	}
	return name == "localhost" || len(last) > 1 && len(last) < len(name) && consists(last, letter)
}

// parameter hides a path parameter that looks random.
func (s *scanner) parameter(from, _ int) int {
	if !s.has(from-1, "/") && (!s.has(from-2, "/") || s.isAt(from-1, white|quote)) {
		return 0
	}
	end := s.span(from, inSegment)
	for s.plain[end-1] == '.' {
		end--
	}
	if !isRandom(s.plain[from:end]) {
		return 0
	}
	return s.hide(from, end, Mark)
}

// user hides what stands between a colon and an @, as passwords do. The word is the user.
func (s *scanner) user(from, end int) int {
	if !s.has(end, ":") || end < s.noUser || s.plain[from:end] == "mailto" {
		return 0
	}
	at := s.until(end+1, endsUser)
	if at == end+1 || !s.has(at, "@") || !s.isAt(at+1, alphanumeric|opening) {
		s.noUser = at
		return 0
	}
	return s.hide(end+1, at, Mark)
}
