package decoder

import (
	"errors"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/record"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// ours decodes a page of rows with the library's decoders.
func ours[Row any](body []byte) error {
	return overScan(func(s *scan.Scanner, row *Row) { api.ReadRecord(s, row) })(body)
}

// overScan decodes a page of plain rows over package scan.
func overScan[Row any](read func(*scan.Scanner, *Row)) func([]byte) error {
	return func(body []byte) error {
		return scanPage(body, func(s *scan.Scanner) { api.ReadList(s, new([]Row), read) })
	}
}

func scanPage(body []byte, rows func(*scan.Scanner)) error {
	s := scan.New(body)
	for s.Open('{'); s.Member(); {
		if string(s.Name) == "data" {
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
	for s.Open('{'); s.Member(); {
		switch string(s.Name) {
		case "id":
			api.ReadText(s, &r.ID)
		case "name":
			api.ReadText(s, &r.Name)
		case "label":
			api.ReadOptional(s, &r.Label, api.ReadText)
		case "status":
			api.ReadText(s, &r.Status)
		case "chain":
			api.ReadText(s, &r.Chain)
		case "network":
			api.ReadText(s, &r.Network)
		case "is_dedicated":
			api.ReadBool(s, &r.IsDedicated)
		case "is_flat_rate":
			api.ReadBool(s, &r.IsFlatRate)
		case "is_multichain":
			api.ReadBool(s, &r.IsMultichain)
		case "http_url":
			api.ReadText(s, &r.HTTPURL)
		case "wss_url":
			api.ReadOptional(s, &r.WSSURL, api.ReadText)
		case "tags":
			api.ReadList(s, &r.Tags, scanTag)
		default:
			s.Skip()
		}
	}
}

func scanTag(s *scan.Scanner, r *record.Tag) {
	for s.Open('{'); s.Member(); {
		switch string(s.Name) {
		case "tag_id":
			api.ReadInt(s, &r.ID)
		case "label":
			api.ReadText(s, &r.Label)
		default:
			s.Skip()
		}
	}
}

func scanLogEntry(s *scan.Scanner, r *record.LogEntry) {
	for s.Open('{'); s.Member(); {
		switch string(s.Name) {
		case "timestamp":
			var spelled string
			api.ReadText(s, &spelled)
			r.Timestamp = must(time.Parse(time.RFC3339, spelled))
		case "method":
			api.ReadText(s, &r.Method)
		case "network":
			api.ReadText(s, &r.Network)
		case "http_method":
			api.ReadText(s, &r.HTTPMethod)
		case "status":
			api.ReadInt(s, &r.Status)
		case "error_code":
			api.ReadOptional(s, &r.ErrorCode, api.ReadInt)
		case "url":
			api.ReadText(s, &r.URL)
		case "request_id":
			api.ReadText(s, &r.RequestID)
		case "details":
			api.ReadOptional(s, &r.Details, scanLogDetails)
		default:
			s.Skip()
		}
	}
}

func scanLogDetails(s *scan.Scanner, r *record.LogDetails) {
	for s.Open('{'); s.Member(); {
		switch string(s.Name) {
		case "request":
			api.ReadText(s, &r.Request)
		case "response":
			api.ReadText(s, &r.Response)
		default:
			s.Skip()
		}
	}
}
