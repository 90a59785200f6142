// Package decode has the decoders of all records of the admin and the alerts area. They are generated from the OpenAPI
// files, and read what has the documented shape; package scan says what becomes of the rest.
package decode

import (
	"github.com/rpcfleet/rpcfleet-go/internal/field"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// Record reads a record, a pointer to one, or a list of them, and reports whether into points to one of these. Where it
// does not, nothing was read.
func Record(s *scan.Scanner, into any) bool {
	return adminRecord(s, into) || alertsRecord(s, into)
}

func record[T any](s *scan.Scanner, into any, read func(*scan.Scanner, *T)) bool {
	switch into := into.(type) {
	case *T:
		read(s, into)
	case **T:
		field.Optional(s, into, read)
	case *[]T:
		field.List(s, into, read)
	}
	return true
}
