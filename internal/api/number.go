package api

import (
	"math"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// integer reads an integer, or a string that contains one.
func integer(s *scan.Scanner) int64 {
	at := s.Mark().At
	text := s.Spelled()
	value, err := strconv.ParseInt(string(text), 10, 64)
	if err == nil && (s.Data[at] != '"' || isNumber(string(text))) {
		return value
	}
	value, valid := parseInteger(strings.ToLower(string(text)))
	if !valid {
		s.Fail(scan.Unreadable, at, nil)
	}
	return value
}

// parseInteger parses an integer, optionally with a fraction of zeros, or a short number with an exponent that a
// float64 represents exactly.
func parseInteger(literal string) (value int64, valid bool) {
	if !isNumber(literal) {
		return 0, false
	}
	digits, fraction, _ := strings.Cut(literal, ".")
	if value, err := strconv.ParseInt(digits, 10, 64); err == nil && strings.Trim(fraction, "0") == "" {
		return value, true
	}
	exact, err := strconv.ParseFloat(literal, 64)
	if err != nil || len(literal) > 15 || strings.Contains(literal, "e-") || exact != math.Trunc(exact) ||
		math.Abs(exact) > 1<<53 {
		return 0, false
	}
	return int64(exact), true
}

// float reads a number, or a string that contains one.
func float(s *scan.Scanner) float64 {
	at := s.Mark().At
	text := string(s.Spelled())
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !isNumber(text) {
		s.Fail(scan.Unreadable, at, nil)
		return 0
	}
	return value
}

// isNumber reports whether a text is a JSON number. It excludes forms that only strconv accepts, such as underscores,
// infinities and spaces.
func isNumber(text string) bool {
	s := scan.New([]byte(text))
	defer s.Release()
	return len(s.Number()) == len(text) && text != ""
}
