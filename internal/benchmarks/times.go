package main

import (
	"fmt"
	"strings"
)

// times returns a Markdown table of the time of a call on several fields.
func times(tables []table) string {
	var text strings.Builder
	tables[0].settings.rows(&text, func(contestant, payload int) string {
		cells := make([]string, len(tables))
		for i, t := range tables {
			of, with := t.columns[payload][contestant], t.columns[payload][0]
			if len(of) == 0 {
				return absent
			}
			cells[i] = fmt.Sprintf("%.2f", ratio(of, with, seconds))
		}
		return strings.Join(cells, " / ")
	})
	titles := make([]string, len(tables))
	for i, t := range tables {
		titles[i] = t.title()
	}
	fmt.Fprintf(&text, "\nEach cell is the %s of a call over %s; by hand with encoding/json over the same is 1. "+
		"The middle half of its rounds spread over %.0f%% of the median at most.\n",
		tables[0].clock(), strings.Join(titles, " / over "), 100*noise(tables...))
	return text.String()
}
