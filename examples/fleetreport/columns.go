package main

import (
	"fmt"
	"math"
	"strconv"
)

// columns is a plot of error rates over time.
type columns struct {
	Columns []column
	Lines   []line
	Dates   []date
}

// column is one step of time. Without calls, it has no rate.
type column struct {
	Left, Width percent
	Y, Height   float64
	Label       string
}

// line is a line at a round rate, and date the name of a step of time.
type (
	line struct {
		Y     float64
		Label string
	}
	date struct {
		At     percent
		Anchor string
		Label  string
	}
)

// The plot of columns, in pixels from top to bottom.
const columnsTop, columnsBottom = 20.0, 180.0

// errorColumns plots moments.
func errorColumns(moments []moment, layout string) *columns {
	highest := 0.0
	for _, m := range moments {
		rate, _ := m.rate()
		highest = max(highest, rate)
	}
	if len(moments) == 0 {
		return nil
	}
	top, plot := roundUp(highest), &columns{}
	height := func(rate float64) float64 { return math.Round((columnsBottom-columnsTop)*rate/top*10) / 10 }
	plot.Lines = []line{{Y: columnsBottom}}
	for _, rate := range []float64{top / 2, top} {
		plot.Lines = append(plot.Lines, line{columnsBottom - height(rate), strconv.FormatFloat(rate, 'g', 3, 64) + "%"})
	}
	step := 100 / float64(len(moments))
	for i, m := range moments {
		c := column{Left: percent(float64(i)*step + step/10), Width: percent(step * 8 / 10), Label: m.Time.Format(layout) + " UTC: no calls"}
		if rate, some := m.rate(); some {
			c.Label = fmt.Sprintf("%s UTC: %s of %s calls failed", m.Time.Format(layout), m.percent(), number(int64(m.Calls)))
			c.Height = height(rate)
		}
		c.Y = columnsBottom - c.Height
		plot.Columns = append(plot.Columns, c)
	}
	plot.Dates = []date{{0, "start", moments[0].Time.Format(layout)}}
	if last := len(moments) - 1; last > 0 {
		plot.Dates = append(plot.Dates, date{100, "end", moments[last].Time.Format(layout)})
	}
	return plot
}

// roundUp returns the least of 1, 2, 5, 10, 20, 50 and 100 that is not below a rate.
func roundUp(rate float64) float64 {
	for _, round := range []float64{1, 2, 5, 10, 20, 50} {
		if rate <= round {
			return round
		}
	}
	return 100
}
