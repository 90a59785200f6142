//go:build contestants

package main_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/go-faster/jx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/benchmarks/internal/generated/ogenapi"
	"github.com/rpcfleet/rpcfleet-go/benchmarks/internal/payload"
	"github.com/rpcfleet/rpcfleet-go/benchmarks/internal/record"
	"github.com/rpcfleet/rpcfleet-go/internal/decode"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// BenchmarkDecoders compares the ways to decode the two pages. The table of its results is in package decode.
func BenchmarkDecoders(b *testing.B) {
	for _, page := range []string{payload.Endpoints, payload.Logs} {
		var body []byte
		for _, candidate := range payload.All {
			if candidate.Name == page {
				body = candidate.Body()
			}
		}
		ways := waysTo[[]admin.Endpoint, []record.Endpoint, ogenapi.EndpointPageEnvelope](readEndpoint, scanEndpoint)
		if page == payload.Logs {
			ways = waysTo[[]admin.LogEntry, []record.LogEntry, ogenapi.LogPageEnvelope](readLogEntry, scanLogEntry)
		}
		for _, way := range ways {
			b.Run(page+"/"+way.name, func(b *testing.B) {
				b.SetBytes(int64(len(body)))
				b.ReportAllocs()
				for b.Loop() {
					require.NoError(b, way.decode(body))
				}
			})
		}
	}
}

type way struct {
	name   string
	decode func(body []byte) error
}

// waysTo are the ways to decode a page: into records with scalars where the library's decoders are concerned, into plain
// ones elsewhere.
func waysTo[Rows, PlainRows, Ogen, Row any, Page interface {
	*Ogen
	Decode(*jx.Decoder) error
}](read func(*jsontext.Decoder, *Row), scanRow func(*scan.Scanner, *Row)) []way {
	return []way{
		{"encoding json", func(body []byte) error { return stdjson.Unmarshal(body, new(record.Envelope[PlainRows])) }},
		{"a1 v2 line with scalars", func(body []byte) error { return json.Unmarshal(body, new(record.Envelope[Rows])) }},
		{"a2 v2 line without scalars", func(body []byte) error { return json.Unmarshal(body, new(record.Envelope[PlainRows])) }},
		{"b jsontext", func(body []byte) error {
			dec := jsontext.NewDecoder(bytes.NewBuffer(body))
			var rows []Row
			members(dec, func(name string) {
				if name == "data" {
					items(dec, &rows, read)
				} else {
					skip(dec)
				}
			})
			return nil
		}},
		{"c jx", func(body []byte) error { return Page(new(Ogen)).Decode(jx.DecodeBytes(body)) }},
		{"d1 scan with scalars", func(body []byte) error {
			return scanPage(body, func(s *scan.Scanner) { decode.Record(s, new(Rows)) })
		}},
		{"d2 scan without scalars", func(body []byte) error {
			return scanPage(body, func(s *scan.Scanner) { scan.List(s, new([]Row), scanRow) })
		}},
	}
}

func scanPage(body []byte, rows func(*scan.Scanner)) error {
	s := scan.New(body)
	for s.Object(); s.Member(); {
		if string(s.Name()) == "data" {
			rows(s)
		} else {
			s.Skip()
		}
	}
	if !s.End() {
		return errors.New("the page is odd")
	}
	return nil
}

// The decoders over jsontext, as a template would write them, into plain records. Their errors are panics here.

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func members(dec *jsontext.Decoder, member func(name string)) {
	must(dec.ReadToken())
	for dec.PeekKind() == '"' {
		member(must(dec.ReadToken()).String())
	}
	must(dec.ReadToken())
}

func items[T any](dec *jsontext.Decoder, into *[]T, read func(*jsontext.Decoder, *T)) {
	must(dec.ReadToken())
	for dec.PeekKind() != ']' {
		var item T
		read(dec, &item)
		*into = append(*into, item)
	}
	must(dec.ReadToken())
}

func skip(dec *jsontext.Decoder) { must(0, dec.SkipValue()) }

func text(dec *jsontext.Decoder, into *string) { *into = must(dec.ReadToken()).String() }

func truth(dec *jsontext.Decoder, into *bool) { *into = must(dec.ReadToken()).Bool() }

func integer[T ~int | ~int64](dec *jsontext.Decoder, into *T) {
	*into = T(must(must(dec.ReadToken()).Int()))
}

func optional[T any](dec *jsontext.Decoder, into **T, read func(*jsontext.Decoder, *T)) {
	if dec.PeekKind() == 'n' {
		skip(dec)
		return
	}
	*into = new(T)
	read(dec, *into)
}

func readEndpoint(dec *jsontext.Decoder, r *record.Endpoint) {
	members(dec, func(name string) {
		switch name {
		case "id":
			text(dec, &r.ID)
		case "name":
			text(dec, &r.Name)
		case "label":
			optional(dec, &r.Label, text)
		case "status":
			text(dec, &r.Status)
		case "chain":
			text(dec, &r.Chain)
		case "network":
			text(dec, &r.Network)
		case "is_dedicated":
			truth(dec, &r.IsDedicated)
		case "is_flat_rate":
			truth(dec, &r.IsFlatRate)
		case "is_multichain":
			truth(dec, &r.IsMultichain)
		case "http_url":
			text(dec, &r.HTTPURL)
		case "wss_url":
			optional(dec, &r.WSSURL, text)
		case "tags":
			items(dec, &r.Tags, readTag)
		default:
			skip(dec)
		}
	})
}

func readTag(dec *jsontext.Decoder, r *record.Tag) {
	members(dec, func(name string) {
		switch name {
		case "tag_id":
			integer(dec, &r.ID)
		case "label":
			text(dec, &r.Label)
		default:
			skip(dec)
		}
	})
}

func readLogEntry(dec *jsontext.Decoder, r *record.LogEntry) {
	members(dec, func(name string) {
		switch name {
		case "timestamp":
			r.Timestamp = must(time.Parse(time.RFC3339, must(dec.ReadToken()).String()))
		case "method":
			text(dec, &r.Method)
		case "network":
			text(dec, &r.Network)
		case "http_method":
			text(dec, &r.HTTPMethod)
		case "status":
			integer(dec, &r.Status)
		case "error_code":
			optional(dec, &r.ErrorCode, integer)
		case "url":
			text(dec, &r.URL)
		case "request_id":
			text(dec, &r.RequestID)
		case "details":
			optional(dec, &r.Details, readLogDetails)
		default:
			skip(dec)
		}
	})
}

func readLogDetails(dec *jsontext.Decoder, r *record.LogDetails) {
	members(dec, func(name string) {
		switch name {
		case "request":
			text(dec, &r.Request)
		case "response":
			text(dec, &r.Response)
		default:
			skip(dec)
		}
	})
}

// The decoders over package scan, as the template writes them, into plain records.

func scanEndpoint(s *scan.Scanner, r *record.Endpoint) {
	var names scan.Names
	for s.Object(); s.Member(); {
		switch string(s.Name()) {
		case "id":
			scan.Text(s.Once(&names, 1), &r.ID)
		case "name":
			scan.Text(s.Once(&names, 2), &r.Name)
		case "label":
			scan.Optional(s.Once(&names, 3), &r.Label, scan.Text)
		case "status":
			scan.Text(s.Once(&names, 4), &r.Status)
		case "chain":
			scan.Text(s.Once(&names, 5), &r.Chain)
		case "network":
			scan.Text(s.Once(&names, 6), &r.Network)
		case "is_dedicated":
			scan.Bool(s.Once(&names, 7), &r.IsDedicated)
		case "is_flat_rate":
			scan.Bool(s.Once(&names, 8), &r.IsFlatRate)
		case "is_multichain":
			scan.Bool(s.Once(&names, 9), &r.IsMultichain)
		case "http_url":
			scan.Text(s.Once(&names, 10), &r.HTTPURL)
		case "wss_url":
			scan.Optional(s.Once(&names, 11), &r.WSSURL, scan.Text)
		case "tags":
			scan.List(s.Once(&names, 12), &r.Tags, scanTag)
		default:
			s.Skip()
		}
	}
}

func scanTag(s *scan.Scanner, r *record.Tag) {
	var names scan.Names
	for s.Object(); s.Member(); {
		switch string(s.Name()) {
		case "tag_id":
			scan.Int(s.Once(&names, 13), &r.ID)
		case "label":
			scan.Text(s.Once(&names, 14), &r.Label)
		default:
			s.Skip()
		}
	}
}

func scanLogEntry(s *scan.Scanner, r *record.LogEntry) {
	var names scan.Names
	for s.Object(); s.Member(); {
		switch string(s.Name()) {
		case "timestamp":
			var spelled string
			scan.Text(s.Once(&names, 0), &spelled)
			r.Timestamp = must(time.Parse(time.RFC3339, spelled))
		case "method":
			scan.Text(s.Once(&names, 15), &r.Method)
		case "network":
			scan.Text(s.Once(&names, 16), &r.Network)
		case "http_method":
			scan.Text(s.Once(&names, 17), &r.HTTPMethod)
		case "status":
			scan.Int(s.Once(&names, 18), &r.Status)
		case "error_code":
			scan.Optional(s.Once(&names, 19), &r.ErrorCode, scan.Int)
		case "url":
			scan.Text(s.Once(&names, 20), &r.URL)
		case "request_id":
			scan.Text(s.Once(&names, 21), &r.RequestID)
		case "details":
			scan.Optional(s.Once(&names, 22), &r.Details, scanLogDetails)
		default:
			s.Skip()
		}
	}
}

func scanLogDetails(s *scan.Scanner, r *record.LogDetails) {
	var names scan.Names
	for s.Object(); s.Member(); {
		switch string(s.Name()) {
		case "request":
			scan.Text(s.Once(&names, 23), &r.Request)
		case "response":
			scan.Text(s.Once(&names, 24), &r.Response)
		default:
			s.Skip()
		}
	}
}
