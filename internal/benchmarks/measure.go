package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// series are the costs of a call, one for each round. It is empty if the contestant does not make the call.
type series struct{ time, bytes, allocs []float64 }

// column is the result of a payload on a field, with a series for each contestant.
type column []series

// measure measures all payloads on a field.
func (s settings) measure(origin *server, f field) (all []column, err error) {
	for _, p := range s.payloads {
		var calls []call
		for _, c := range contestants() {
			of, err := c.calls(origin.url(f), origin.client())
			if err != nil {
				return nil, err
			}
			calls = append(calls, of[p.name])
		}
		measured, err := s.compare(calls)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		all = append(all, measured)
	}
	return all, nil
}

// compare measures calls in turns, in a random order in each round, so that what disturbs the machine disturbs all.
func (s settings) compare(calls []call) (column, error) {
	measured := make(column, len(calls))
	for range s.rounds {
		for _, i := range rand.Perm(len(calls)) {
			if calls[i] == nil {
				continue
			}
			took, of, err := s.batch(calls[i])
			if err != nil {
				return nil, err
			}
			n, costs := float64(of.N), &measured[i]
			costs.time = append(costs.time, took.Seconds()/n)
			costs.bytes = append(costs.bytes, float64(of.MemBytes)/n)
			costs.allocs = append(costs.allocs, float64(of.MemAllocs)/n)
		}
	}
	return measured, nil
}

// batch makes a call many times, and once before that: it connects and fills pools, which is not counted.
func (s settings) batch(c call) (took time.Duration, of testing.BenchmarkResult, err error) {
	of = testing.Benchmark(func(b *testing.B) {
		if _, err = c(context.Background()); err != nil {
			b.FailNow()
		}
		start := processorTime()
		for b.Loop() {
			if _, err = c(context.Background()); err != nil {
				b.FailNow()
			}
		}
		took = processorTime() - start
	})
	if !s.cpu {
		took = of.T
	}
	return took, of, err
}

func median(values []float64) float64 { return quantile(values, 0.5) }

// quantile returns the value below which a part of the values lies.
func quantile(values []float64, part float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(part*float64(len(sorted)-1)+0.5)]
}

// noise returns the largest width of the middle half of the reference's rounds, relative to the median.
func noise(columns [][]column) (most float64) {
	for _, c := range slices.Concat(columns...) {
		most = max(most, (quantile(c[0].time, 0.75)-quantile(c[0].time, 0.25))/median(c[0].time))
	}
	return most
}
