package main

import (
	"math"
	"strconv"
)

// px is a length or a position in a chart.
type px float64

// String shows a tenth of a pixel, which is as much as can be seen.
func (p px) String() string { return strconv.FormatFloat(float64(p), 'f', 1, 64) }

// scale maps values evenly to positions: low to start, high to end. The end may lie before the start, as it does where
// values grow upwards.
type scale struct {
	low, high  float64
	start, end px
}

// at returns the position of a value.
func (s scale) at(value float64) px {
	return s.start + px((value-s.low)/(s.high-s.low))*(s.end-s.start)
}

// tolerance is how far from a round value is still round: fractions such as 0.0007 are not exact in floating point.
const tolerance = 1e-9

// roundStep returns the smallest of 1, 2, 5, 10, 20, 50 and so on, or of the tenths and hundredths of these, that takes
// no more than a number of steps over a span.
func roundStep(span float64, steps int) float64 {
	least := span / float64(steps)
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= least*(1-tolerance) {
			return factor * power
		}
	}
	return 10 * power
}

// roundValues returns the round values that enclose low and high, and those between them: as many as the steps, and up
// to two more. Both must be drawable. Where they are the same, it makes room around them.
func roundValues(low, high float64, steps int) []float64 {
	size := max(math.Abs(low), math.Abs(high))
	if high-low <= size*tolerance {
		room := size / 20
		if size == 0 {
			room = 1
		}
		low, high = low-room, high+room
	}
	step := roundStep(high-low, steps)
	from := math.Floor(low/step + tolerance)
	to := math.Ceil(high/step - tolerance)
	values := make([]float64, 0, int(to-from)+1)
	for i := range int(to-from) + 1 {
		values = append(values, (from+float64(i))*step)
	}
	return values
}

// drawable reports whether a value fits on a scale together with any other that does: far from where floating point
// ends. No price comes near.
func drawable(value *float64) bool {
	return value != nil && (*value == 0 || math.Abs(*value) >= 1e-100 && math.Abs(*value) <= 1e100)
}

// scaleLabel shows a value of a scale with the digits that its steps take.
func scaleLabel(value, step float64) string {
	decimals := max(-int(math.Floor(math.Log10(step)+tolerance)), 0)
	if decimals > 8 || math.Abs(value) >= 1e9 {
		return strconv.FormatFloat(value, 'g', 4, 64)
	}
	return strconv.FormatFloat(value, 'f', decimals, 64)
}
