package decoder

import (
	"bytes"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/record"
)

// overJSONText decodes a page of rows over jsontext.
func overJSONText[Row any](read func(*jsontext.Decoder, *Row)) func([]byte) error {
	return func(body []byte) error {
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
	}
}

// The decoders over jsontext, as a template would write them, for plain records. Errors panic here.

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
