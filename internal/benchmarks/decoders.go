package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/decoder"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
)

// compareDecoders measures several ways to decode a page without a call, and prints a table for each page: the lead of
// the generated decoder over each of the others, with and without scalars.
func (s settings) compareDecoders(out io.Writer) error {
	random := rand.New(rand.NewPCG(s.seed, 0))
	for _, page := range decoder.Pages {
		body, ways := bodyOf(page), decoder.Of(page)
		calls := make([]contestant.Call, len(ways))
		for i, way := range ways {
			calls[i] = func(context.Context) (contestant.Result, error) { return contestant.Result{}, way.Decode(body) }
		}
		samples, err := s.interleave(context.Background(), calls, random)
		if err != nil {
			return err
		}
		of := map[string][]sample{}
		for i, way := range ways {
			of[way.Name] = samples[i]
		}
		var text strings.Builder
		fmt.Fprintf(&text, "### Decoding %s, %d bytes\n\n", page, len(body))
		text.WriteString("| decoder | a page | lead of ours | lead of ours without scalars |\n|---|---|---|---|\n")
		for i, way := range ways {
			fmt.Fprintf(&text, "| %s | %s | %s | %s |\n", way.Name, absolutes(samples[i]),
				lead(of[decoder.Ours], samples[i]), lead(of[decoder.OursPlain], samples[i]))
		}
		fmt.Fprintf(&text,
			"\nA page is time / bytes / allocations; a lead is how many times as long the decoder takes in the same round. "+
				"Medians of %d rounds, with their middle half, by %s clock.\n\n", s.rounds, s.clock)
		if _, err := io.WriteString(out, text.String()); err != nil {
			return err
		}
	}
	return nil
}

// lead is the ratio of the other decoder's time to ours, round by round: the median and the middle half.
func lead(own, other []sample) string {
	if len(other) != len(own) {
		return absent
	}
	times := make([]sample, len(own))
	for i := range own {
		times[i].allocs = ratio(other[i:i+1], own[i:i+1], seconds)
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", median(times, allocs), quantile(times, allocs, 0.25),
		quantile(times, allocs, 0.75))
}

// bodyOf returns the body of a payload.
func bodyOf(name string) []byte {
	for _, p := range payload.All {
		if p.Name == name {
			return p.Body()
		}
	}
	return nil
}
