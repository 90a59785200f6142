package decoder

import (
	"errors"
	"time"

	"github.com/rpcfleet/rpcfleet-go/benchmarks/internal/record"
	"github.com/rpcfleet/rpcfleet-go/internal/decode"
	"github.com/rpcfleet/rpcfleet-go/internal/field"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// ours decodes a page of rows with the library's decoders.
func ours[Row any](body []byte) error {
	return scanPage(body, func(s *scan.Scanner) { decode.Record(s, new([]Row)) })
}

// overScan decodes a page of plain rows over package scan.
func overScan[Row any](read func(*scan.Scanner, *Row)) func([]byte) error {
	return func(body []byte) error {
		return scanPage(body, func(s *scan.Scanner) { field.List(s, new([]Row), read) })
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

// The decoders over package scan, as the template writes them, into plain records.

func scanEndpoint(s *scan.Scanner, r *record.Endpoint) {
	var names scan.Names
	for s.Object(); s.Member(); {
		switch string(s.Name()) {
		case "id":
			field.Text(s.Once(&names, 1), &r.ID)
		case "name":
			field.Text(s.Once(&names, 2), &r.Name)
		case "label":
			field.OptionalText(s.Once(&names, 3), &r.Label)
		case "status":
			field.Text(s.Once(&names, 4), &r.Status)
		case "chain":
			field.Text(s.Once(&names, 5), &r.Chain)
		case "network":
			field.Text(s.Once(&names, 6), &r.Network)
		case "is_dedicated":
			field.Bool(s.Once(&names, 7), &r.IsDedicated)
		case "is_flat_rate":
			field.Bool(s.Once(&names, 8), &r.IsFlatRate)
		case "is_multichain":
			field.Bool(s.Once(&names, 9), &r.IsMultichain)
		case "http_url":
			field.Text(s.Once(&names, 10), &r.HTTPURL)
		case "wss_url":
			field.OptionalText(s.Once(&names, 11), &r.WSSURL)
		case "tags":
			field.List(s.Once(&names, 12), &r.Tags, scanTag)
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
			field.Int(s.Once(&names, 13), &r.ID)
		case "label":
			field.Text(s.Once(&names, 14), &r.Label)
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
			field.Text(s.Once(&names, 0), &spelled)
			r.Timestamp = must(time.Parse(time.RFC3339, spelled))
		case "method":
			field.Text(s.Once(&names, 15), &r.Method)
		case "network":
			field.Text(s.Once(&names, 16), &r.Network)
		case "http_method":
			field.Text(s.Once(&names, 17), &r.HTTPMethod)
		case "status":
			field.Int(s.Once(&names, 18), &r.Status)
		case "error_code":
			field.Optional(s.Once(&names, 19), &r.ErrorCode, field.Int)
		case "url":
			field.Text(s.Once(&names, 20), &r.URL)
		case "request_id":
			field.Text(s.Once(&names, 21), &r.RequestID)
		case "details":
			field.Optional(s.Once(&names, 22), &r.Details, scanLogDetails)
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
			field.Text(s.Once(&names, 23), &r.Request)
		case "response":
			field.Text(s.Once(&names, 24), &r.Response)
		default:
			s.Skip()
		}
	}
}
