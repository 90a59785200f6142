package api

import "github.com/rpcfleet/rpcfleet-go/internal/scan"

// ReadRecord reads a record, a pointer to a record, or a list of records, and reports whether it knows the type of
// into. If not, it reads nothing.
func ReadRecord(s *scan.Scanner, into any) bool {
	return adminRecord(s, into) || alertsRecord(s, into)
}

func record[T any](s *scan.Scanner, into any, read func(*scan.Scanner, *T)) bool {
	switch into := into.(type) {
	case *T:
		read(s, into)
	case **T:
		ReadOptional(s, into, read)
	case *[]T:
		ReadList(s, into, read)
	}
	return true
}
