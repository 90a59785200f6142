package main

import (
	"fmt"
	"strconv"
)

// percent is a place or a length along the width of a plot. Plots are as wide as there is room, and their text keeps its
// size.
type percent float64

// String implements fmt.Stringer.
func (p percent) String() string { return strconv.FormatFloat(float64(p), 'f', 2, 64) + "%" }

// bars is a plot of bars, one below the other.
type bars struct {
	Title, Note string
	// Failed reports whether the bars are of failed calls.
	Failed bool
	Height int
	Bars   []bar
}

// bar is one of them: a line of text and the bar below it.
type bar struct {
	// Name is cut to what fits a narrow screen; Label has all of it.
	Name, Value, Label string
	TextY, BarY        int
	Length             percent
}

const (
	barHeight   = 34
	mostBars    = 12
	longestName = 26
)

// add adds a bar, as long as its part of the longest one.
func (b *bars) add(name, value, label string, part float64) {
	y := b.Height
	b.Height += barHeight
	b.Bars = append(b.Bars, bar{short(name, longestName), value, name + ": " + label, y + 14, y + 20, percent(100 * part)})
}

// creditBars plots shares, which begin with the largest. Those that are too many become one.
func creditBars(title, note string, shares []share, total int64) *bars {
	plot := &bars{Title: title, Note: note}
	if len(shares) > mostBars {
		rest := share{Name: fmt.Sprintf("%d others", len(shares)-mostBars+1)}
		for _, more := range shares[mostBars-1:] {
			rest.Credits += more.Credits
		}
		shares = append(shares[:mostBars-1:mostBars-1], rest)
	}
	most := int64(1)
	for _, s := range shares {
		most = max(most, s.Credits)
	}
	for _, s := range shares {
		label := number(s.Credits) + " credits"
		if total > 0 {
			label += fmt.Sprintf(", %.1f%% of %s", 100*float64(s.Credits)/float64(total), number(total))
		}
		plot.add(s.Name, number(s.Credits), label, float64(max(s.Credits, 0))/float64(most))
	}
	return plot
}
