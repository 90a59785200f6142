package main

import "slices"

func seconds(s sample) float64 { return s.time.Seconds() }
func bytes(s sample) float64   { return s.bytes }
func allocs(s sample) float64  { return s.allocs }

// median returns the middle value.
func median(of []sample, value func(sample) float64) float64 { return quantile(of, value, 0.5) }

// quantile returns the value below which the given part of the samples lies.
func quantile(of []sample, value func(sample) float64, part float64) float64 {
	values := make([]float64, len(of))
	for i, s := range of {
		values[i] = value(s)
	}
	slices.Sort(values)
	at := part * float64(len(values)-1)
	low := int(at)
	if low+1 == len(values) {
		return values[low]
	}
	return values[low] + (at-float64(low))*(values[low+1]-values[low])
}

// ratio returns the ratio of the medians of two series.
func ratio(of, with []sample, value func(sample) float64) float64 {
	return median(of, value) / median(with, value)
}

// spread returns the width of the middle half of the samples relative to the median.
func spread(of []sample, value func(sample) float64) float64 {
	return (quantile(of, value, 0.75) - quantile(of, value, 0.25)) / median(of, value)
}
