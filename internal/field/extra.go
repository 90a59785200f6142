package field

import (
	"unicode/utf8"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Extra reads the value of a member that the record has no field for, and keeps it under its name.
func Extra(s *scan.Scanner, into *scalar.Extra) {
	name := string(s.Name())
	if text := s.Raw(); text == nil || !utf8.ValidString(name) || !utf8.Valid(text) {
		s.Odd()
	} else {
		if s.Hider != nil {
			name = s.Hider.Hide(name)
		}
		into.Add(name, text)
	}
}
