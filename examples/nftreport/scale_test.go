package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestScaleMapsEvenly(t *testing.T) {
	for _, test := range []struct {
		name  string
		scale scale
		value float64
		want  px
	}{
		{"the low end", scale{0, 10, 100, 200}, 0, 100},
		{"the high end", scale{0, 10, 100, 200}, 10, 200},
		{"between", scale{0, 10, 100, 200}, 2.5, 125},
		{"beyond", scale{0, 10, 100, 200}, 12, 220},
		{"low that is not zero", scale{2, 4, 0, 100}, 2.5, 25},
		{"upwards, the low end", scale{0, 10, 200, 100}, 0, 200},
		{"upwards, between", scale{0, 10, 200, 100}, 2.5, 175},
		{"upwards, the high end", scale{0, 10, 200, 100}, 10, 100},
		{"below zero", scale{-1, 1, 0, 100}, -0.5, 25},
	} {
		assert.Equal(t, test.want, test.scale.at(test.value), test.name)
	}
}

func TestRoundValues(t *testing.T) {
	for _, test := range []struct {
		name      string
		low, high float64
		steps     int
		want      []string
	}{
		{"tenths", 1.92, 2.88, 5, []string{"1.8", "2.0", "2.2", "2.4", "2.6", "2.8", "3.0"}},
		{"whole numbers", 0, 9.5, 2, []string{"0", "5", "10"}},
		{"exactly on the steps", 0, 10, 5, []string{"0", "2", "4", "6", "8", "10"}},
		{"small", 0.0007, 0.0011, 4, []string{"0.0007", "0.0008", "0.0009", "0.0010", "0.0011"}},
		{"large", 12_000, 47_000, 4, []string{"10000", "20000", "30000", "40000", "50000"}},
		{"across zero", -1, 1, 4, []string{"-1.0", "-0.5", "0.0", "0.5", "1.0"}},
		{"all the same", 100, 100, 2, []string{"95", "100", "105"}},
		{"all zero", 0, 0, 2, []string{"-1", "0", "1"}},
		{"tiny", 0, 2e-10, 2, []string{"0", "1e-10", "2e-10"}},
		{"huge", 0, 2e12, 2, []string{"0", "1e+12", "2e+12"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			values := roundValues(test.low, test.high, test.steps)
			require.Greater(t, len(values), 1)
			var labels []string
			for _, value := range values {
				labels = append(labels, scaleLabel(value, values[1]-values[0]))
			}
			assert.Equal(t, test.want, labels)
		})
	}
}

// FuzzRoundValues makes sure that any two values that can be drawn get an axis that encloses them.
func FuzzRoundValues(f *testing.F) {
	for _, seed := range [][2]float64{
		{1.92, 2.88}, {0, 0}, {5, 5}, {1e-100, 1e100}, {-1e100, 1e100}, {1e100, 1e100}, {1e-100, 1e-100}, {-1e-100, 1e-100},
		{1e16, 1e16 + 2}, {1, 1.0000000011}, {0.1, 0.3}, {-0.0007, -0.0001},
	} {
		f.Add(seed[0], seed[1], uint8(5))
	}
	f.Fuzz(func(t *testing.T, low, high float64, number uint8) {
		if low > high || !drawable(&low) || !drawable(&high) {
			t.Log("not to be drawn")
			return
		}
		steps := int(number%20) + 1
		values := roundValues(low, high, steps)
		require.GreaterOrEqual(t, len(values), 2)
		require.LessOrEqual(t, len(values), steps+3)
		slack := max(math.Abs(low), math.Abs(high)) * 1e-9
		require.LessOrEqual(t, values[0], low+slack)
		require.GreaterOrEqual(t, values[len(values)-1], high-slack)
		for i := range values[1:] {
			require.Greater(t, values[i+1], values[i])
		}
	})
}
