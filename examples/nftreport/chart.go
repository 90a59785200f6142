package main

import (
	"fmt"
	"math"

	"github.com/rpcfleet/rpcfleet-go/graph"
)

// The layout of a chart: a panel with the prices, one below it with the volumes, and the dates under both.
const (
	chartWidth, chartHeight px = 880, 408
	plotLeft, plotRight     px = 72, 836
	pricesTop, priceBottom  px = 32, 268
	volumeTop, volumeBottom px = 312, 376
	widestBody              px = 20

	priceSteps, volumeSteps, dateMarks = 5, 2, 7
)

// chart is a chart of candles with everything in its place. Its template only writes it down.
type chart struct {
	// Name tells it apart from the other charts of a page.
	Name            string
	Of, Unit        string
	Summary         string
	Width, Height   px
	Left, Right     px
	Prices, Volumes panel
	Dates           []mark
	Days            []tradingDay
}

// tradingDay is one day of a chart. One that has not all four prices has no candle, one that has no volume has no bar.
type tradingDay struct {
	Left, Width px
	Label       string
	Candle      *candle
	Bar         *box
}

// candle shows the prices of a day: a line from the highest to the lowest, and a body from the first to the last.
type candle struct {
	X, High, Low px
	Body         box
	// Fell reports whether the last price is below the first.
	Fell bool
}

// box is a rectangle.
type box struct{ X, Y, Width, Height px }

// draw draws prices, which are in the order of time. It returns nil where there is nothing to draw.
func draw(p *prices, name string) *chart {
	low, high, most := math.Inf(1), math.Inf(-1), 0.0
	for _, c := range p.Candles {
		if complete(c) {
			low = min(low, *c.Open, *c.High, *c.Low, *c.Close)
			high = max(high, *c.Open, *c.High, *c.Low, *c.Close)
		}
		if drawable(c.Volume) {
			most = max(most, *c.Volume)
		}
	}
	if low > high {
		return nil
	}
	if most == 0 {
		most = 1 // No bar is drawn, on an axis that has a length.
	}
	made := &chart{
		Name: name, Of: p.Of, Unit: p.Unit,
		Width: chartWidth, Height: chartHeight, Left: plotLeft, Right: plotRight,
		Prices:  newPanel(pricesTop, priceBottom, low, high, priceSteps),
		Volumes: newPanel(volumeTop, volumeBottom, 0, most, volumeSteps),
	}
	line := newTimeline(p.Candles[0].Timestamp.Time, p.Candles[len(p.Candles)-1].Timestamp.Time, plotLeft, plotRight)
	made.Dates = line.marks(dateMarks)
	for _, c := range p.Candles {
		made.Days = append(made.Days, made.day(line, c))
	}
	made.Summary = summary(p, line.count)
	return made
}

// day draws one day.
func (c *chart) day(line timeline, prices graph.Candle) tradingDay {
	left, width := line.at(prices.Timestamp.Time)
	middle, body := left+width/2, min(max(width*2/3, 1), widestBody)
	drawn := tradingDay{Left: left, Width: width, Label: label(prices, c.Unit)}
	if complete(prices) {
		drawn.Candle = &candle{
			X: middle,
			// The line takes in the body, also where the service is at odds with itself.
			High: c.Prices.scale.at(max(*prices.Open, *prices.High, *prices.Low, *prices.Close)),
			Low:  c.Prices.scale.at(min(*prices.Open, *prices.High, *prices.Low, *prices.Close)),
			Body: c.Prices.box(middle, body, *prices.Open, *prices.Close),
			Fell: *prices.Close < *prices.Open,
		}
	}
	if drawable(prices.Volume) && *prices.Volume > 0 {
		drawn.Bar = new(c.Volumes.box(middle, body, 0, *prices.Volume))
	}
	return drawn
}

// complete reports whether a candle has all four prices.
func complete(c graph.Candle) bool {
	return drawable(c.Open) && drawable(c.High) && drawable(c.Low) && drawable(c.Close)
}

// label says a day in words.
func label(c graph.Candle, unit string) string {
	return fmt.Sprintf("%s: open %s, high %s, low %s, close %s, volume %s (%s); sales %s", day(c.Timestamp.Time),
		amount(c.Open), amount(c.High), amount(c.Low), amount(c.Close), amount(c.Volume), unit, amount(&c.Count))
}

// summary says the whole in words, for those who cannot see it.
func summary(p *prices, days int) string {
	var drawn []graph.Candle
	for _, c := range p.Candles {
		if complete(c) {
			drawn = append(drawn, c)
		}
	}
	from, to := drawn[0], drawn[len(drawn)-1]
	text := fmt.Sprintf("It opens at %s %s on %s and closes at %s %s on %s.",
		amount(from.Open), p.Unit, day(from.Timestamp.Time), amount(to.Close), p.Unit, day(to.Timestamp.Time))
	if blank := days - len(drawn); blank > 0 {
		text += fmt.Sprintf(" Of %d days, %d are blank.", days, blank)
	}
	return text
}
