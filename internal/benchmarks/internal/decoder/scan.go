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
	return scanPage(body, func(s *scan.Scanner) { api.ReadRecord(s, new([]Row)) })
}

// overScan decodes a page of plain rows over package scan.
func overScan[Row any](read func(*scan.Scanner, *Row)) func([]byte) error {
	return func(body []byte) error {
		return scanPage(body, func(s *scan.Scanner) { api.ReadList(s, new([]Row), read) })
	}
}

func scanPage(body []byte, rows func(*scan.Scanner)) error {
	s := scan.New(body)
	for s.Object(); s.Member(); {
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
	var names scan.FieldSet
	for s.Object(); s.Member(); {
		switch string(s.Name) {
		case "id":
			api.ReadText(s.Field(&names, 1), &r.ID)
		case "name":
			api.ReadText(s.Field(&names, 2), &r.Name)
		case "label":
			api.ReadOptionalText(s.Field(&names, 3), &r.Label)
		case "status":
			api.ReadText(s.Field(&names, 4), &r.Status)
		case "chain":
			api.ReadText(s.Field(&names, 5), &r.Chain)
		case "network":
			api.ReadText(s.Field(&names, 6), &r.Network)
		case "is_dedicated":
			api.ReadBool(s.Field(&names, 7), &r.IsDedicated)
		case "is_flat_rate":
			api.ReadBool(s.Field(&names, 8), &r.IsFlatRate)
		case "is_multichain":
			api.ReadBool(s.Field(&names, 9), &r.IsMultichain)
		case "http_url":
			api.ReadText(s.Field(&names, 10), &r.HTTPURL)
		case "wss_url":
			api.ReadOptionalText(s.Field(&names, 11), &r.WSSURL)
		case "tags":
			api.ReadList(s.Field(&names, 12), &r.Tags, scanTag)
		default:
			s.Skip()
		}
	}
}

func scanTag(s *scan.Scanner, r *record.Tag) {
	var names scan.FieldSet
	for s.Object(); s.Member(); {
		switch string(s.Name) {
		case "tag_id":
			api.ReadInt(s.Field(&names, 13), &r.ID)
		case "label":
			api.ReadText(s.Field(&names, 14), &r.Label)
		default:
			s.Skip()
		}
	}
}

func scanLogEntry(s *scan.Scanner, r *record.LogEntry) {
	var names scan.FieldSet
	for s.Object(); s.Member(); {
		switch string(s.Name) {
		case "timestamp":
			var spelled string
			api.ReadText(s.Field(&names, 0), &spelled)
			r.Timestamp = must(time.Parse(time.RFC3339, spelled))
		case "method":
			api.ReadText(s.Field(&names, 15), &r.Method)
		case "network":
			api.ReadText(s.Field(&names, 16), &r.Network)
		case "http_method":
			api.ReadText(s.Field(&names, 17), &r.HTTPMethod)
		case "status":
			api.ReadInt(s.Field(&names, 18), &r.Status)
		case "error_code":
			api.ReadOptional(s.Field(&names, 19), &r.ErrorCode, api.ReadInt)
		case "url":
			api.ReadText(s.Field(&names, 20), &r.URL)
		case "request_id":
			api.ReadText(s.Field(&names, 21), &r.RequestID)
		case "details":
			api.ReadOptional(s.Field(&names, 22), &r.Details, scanLogDetails)
		default:
			s.Skip()
		}
	}
}

func scanLogDetails(s *scan.Scanner, r *record.LogDetails) {
	var names scan.FieldSet
	for s.Object(); s.Member(); {
		switch string(s.Name) {
		case "request":
			api.ReadText(s.Field(&names, 23), &r.Request)
		case "response":
			api.ReadText(s.Field(&names, 24), &r.Response)
		default:
			s.Skip()
		}
	}
}
