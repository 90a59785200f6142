package main

import (
	"fmt"
	"strconv"
	"strings"
)

// How things are said to people.

// On says which options are on.
func (e *endpoint) On() string {
	switch {
	case e.Protection.unknown() && len(e.Protection.On) == 0:
		return "not known"
	case e.Protection.open():
		return strings.Join(append([]string{"NO GUARD"}, e.Protection.On...), ", ")
	}
	return strings.Join(e.Protection.On, ", ")
}

// Open reports whether all guards are off.
func (e *endpoint) Open() bool { return e.Protection.open() }

// Lists says how many entries there are.
func (e *endpoint) Lists() string {
	var counts []string
	for _, list := range e.Protection.filled() {
		counts = append(counts, fmt.Sprintf("%s %d", list.Option, list.Count))
	}
	return strings.Join(counts, ", ")
}

// Failed says how many of the calls failed.
func (e *endpoint) Failed() string { return e.Measured.percent() }

// percent says how much of the traffic failed, or nothing where there was none.
func (t traffic) percent() string {
	rate, some := t.rate()
	switch {
	case !some:
		return ""
	case rate > 0 && rate < 0.01:
		return "<0.01%"
	}
	return strconv.FormatFloat(rate, 'f', 2, 64) + "%"
}

// Count says how many endpoints a finding is about.
func (f finding) Count() string {
	if len(f.IDs) == 0 {
		return "-"
	}
	return strconv.Itoa(len(f.IDs))
}

// Which names some of them.
func (f finding) Which() string {
	const most = 5
	switch {
	case len(f.Names) == 0:
		return f.Meaning
	case len(f.Names) <= most:
		return strings.Join(f.Names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(f.Names[:most], ", "), len(f.Names)-most)
}

// number writes a number with its digits in groups of three.
func number(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// whole writes a count that was measured.
func whole(n float64) string { return strconv.FormatFloat(n, 'f', 0, 64) }

// dash stands for nothing where people read.
func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// short cuts a text that is too long for its place.
func short(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
