package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

var newYear = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// candleOn makes the prices of a day of January.
func candleOn(date int, open, high, low, last, volume *float64) graph.Candle {
	return graph.Candle{
		Timestamp: scalar.NewTime(newYear.AddDate(0, 0, date-1)),
		Open:      open, High: high, Low: low, Close: last, Volume: volume, Count: 1,
	}
}

func TestChartPutsPricesInTheirPlaces(t *testing.T) {
	made := draw(&prices{"Quiet Harbors", "ETH", []graph.Candle{
		candleOn(1, new(10.0), new(20.0), new(10.0), new(15.0), new(4.0)),
		// The 2nd is not there at all.
		candleOn(3, nil, new(18.0), new(12.0), new(13.0), new(1.0)),
		candleOn(4, new(19.0), new(20.0), new(10.0), new(11.0), nil),
	}}, "chart-1")
	require.NotNil(t, made)
	assert.Equal(t, "It opens at 10 ETH on 2025-01-01 and closes at 11 ETH on 2025-01-04. Of 4 days, 2 are blank.", made.Summary)

	// 10 to 20 over 236 pixels upwards, and 0 to 4 over 64; four days over 764.
	assert.Equal(t, "[{268.0 10} {220.8 12} {173.6 14} {126.4 16} {79.2 18} {32.0 20}]", fmt.Sprint(made.Prices.Marks))
	assert.Equal(t, []mark{{376, "0"}, {344, "2"}, {312, "4"}}, made.Volumes.Marks)
	assert.Equal(t, []mark{{167.5, "2025-01-01"}, {358.5, "2025-01-02"}, {549.5, "2025-01-03"}, {740.5, "2025-01-04"}}, made.Dates)

	require.Len(t, made.Days, 3)
	assert.Equal(t, tradingDay{
		Left: 72, Width: 191, Label: "2025-01-01: open 10, high 20, low 10, close 15, volume 4 (ETH); sales 1",
		Candle: &candle{X: 167.5, High: 32, Low: 268, Body: box{157.5, 150, 20, 118}},
		Bar:    &box{157.5, 312, 20, 64},
	}, made.Days[0])
	assert.Equal(t, tradingDay{
		Left: 454, Width: 191, Label: "2025-01-03: open -, high 18, low 12, close 13, volume 1 (ETH); sales 1",
		Bar: &box{539.5, 360, 20, 16},
	}, made.Days[1], "a price is missing")
	assert.Equal(t, px(645), made.Days[2].Left)
	assert.True(t, made.Days[2].Candle.Fell)
	assert.Equal(t, "{730.5 55.6 20.0 188.8}", fmt.Sprint(made.Days[2].Candle.Body))
	assert.Nil(t, made.Days[2].Bar, "the volume is missing")
}

func TestFlatDaysDoNotFall(t *testing.T) {
	one, two := new(1.0), new(2.0)
	made := draw(&prices{Candles: []graph.Candle{
		candleOn(1, one, two, one, one, one), candleOn(2, one, two, one, two, one), candleOn(3, two, two, one, one, one),
	}}, "chart-1")
	require.NotNil(t, made)
	for i, fell := range []bool{false, false, true} {
		assert.Equal(t, fell, made.Days[i].Candle.Fell, i+1)
	}
}

func TestChartOfNothing(t *testing.T) {
	one := new(1.0)
	for name, candles := range map[string][]graph.Candle{
		"no day":         nil,
		"no prices":      {candleOn(1, nil, nil, nil, nil, one)},
		"never all four": {candleOn(1, one, one, one, nil, one), candleOn(2, nil, one, one, one, one)},
		"out of bounds":  {candleOn(1, one, new(1e300), one, one, one)},
	} {
		assert.Nil(t, draw(&prices{Candles: candles}, "chart-1"), name)
	}
}

// TestChartStaysInItsFrame draws prices and days of all sizes.
func TestChartStaysInItsFrame(t *testing.T) {
	at := func(year int, price float64) graph.Candle {
		c := candleOn(1, new(price), new(price/2), new(price*2), new(price/3), new(price))
		c.Timestamp = scalar.NewTime(time.Date(year, time.March, 1, year%24, 0, 0, 0, time.UTC))
		return c
	}
	many := []graph.Candle{}
	for date := range 4000 {
		many = append(many, candleOn(date+1, new(1.0), new(2.0), new(0.5), new(float64(date%3)), new(0.0)))
	}
	for name, candles := range map[string][]graph.Candle{
		"one day":              {at(2025, 1)},
		"all prices zero":      {at(2025, 0)},
		"below zero":           {at(2025, -5)},
		"tiny":                 {at(2025, 1e-90), at(2026, 2e-90)},
		"tiny and huge":        {at(2025, 1e-90), at(2026, 1e90)},
		"a volume out of size": {candleOn(1, new(1.0), new(1.0), new(1.0), new(1.0), new(1e200))},
		"all of history":       {at(1, 1), at(9999, 2)},
		"twice the same day":   {at(2025, 1), at(2025, 2)},
		"eleven years of days": many,
	} {
		t.Run(name, func(t *testing.T) {
			made := draw(&prices{Candles: candles}, "chart-1")
			require.NotNil(t, made)
			require.Len(t, made.Days, len(candles))
			assert.LessOrEqual(t, len(made.Dates), dateMarks+1)
			for _, m := range made.Dates {
				inside(t, plotLeft, m.At, plotRight)
			}
			for _, d := range made.Days {
				inside(t, plotLeft, d.Left, plotRight)
				inside(t, plotLeft, d.Left+d.Width, plotRight)
				if c := d.Candle; c != nil {
					inside(t, pricesTop, c.High, c.Body.Y)
					inside(t, c.Body.Y+c.Body.Height-1, c.Low, priceBottom)
					assert.GreaterOrEqual(t, c.Body.Height, px(1))
					assert.GreaterOrEqual(t, c.Body.Width, px(1))
				}
				if d.Bar != nil {
					inside(t, volumeTop, d.Bar.Y, volumeBottom)
				}
			}
		})
	}
}

// inside makes sure that a position is a number between two others.
func inside(t *testing.T, low, position, high px) {
	t.Helper()
	const slack = 1e-6
	require.True(t, position >= low-slack && position <= high+slack, "%v is not within %v and %v", position, low, high)
}
