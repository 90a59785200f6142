package main

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

// line is an entry as it is written, its end included. The address that was called is redacted in JSON, and not in a
// line of text at all.
func (o *options) line(followed rpcfleet.FollowedEntry) ([]byte, error) {
	if o.format != cli.FormatJSON {
		return []byte(text(followed)), nil
	}
	if !o.details {
		followed.Entry.Details = nil // The service may send them unasked.
	}
	line, err := json.Marshal(followed)
	return append(line, '\n'), err
}

// text has one word for each column.
func text(followed rpcfleet.FollowedEntry) string {
	entry, code := followed.Entry, ""
	if entry.ErrorCode != nil {
		code = strconv.Itoa(*entry.ErrorCode)
	}
	at := entry.Timestamp.Raw()
	if entry.Timestamp.Valid() {
		at = entry.Timestamp.UTC().Format("2006-01-02T15:04:05.000000Z07:00")
	}
	columns := []string{
		at, followed.EndpointID, entry.Network, entry.HTTPMethod, entry.Method, strconv.Itoa(entry.Status), code, entry.RequestID,
	}
	for i, column := range columns {
		columns[i] = word(column)
	}
	return strings.Join(columns, " ") + "\n"
}

// word takes out what would break a line or act on a terminal: callers choose the names of methods.
func word(text string) string {
	if text == "" {
		return "-"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != ' ' {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}
