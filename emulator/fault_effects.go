package emulator

import "slices"

// Effect is a way in which a request or its response goes wrong. Effects on the connection need the emulator to be
// served directly by a server of HTTP/1.1, as [Start] and [Emulator.Client] do. Elsewhere the request is aborted.
type Effect string

// These effects come instead of carrying the request out.
const (
	// Refuse closes the connection without a byte, as near to a refused connection as a request can come.
	Refuse Effect = "refuse"
	// ResetBefore resets the connection without a byte.
	ResetBefore Effect = "reset-before"
	// HTML responds with a page of HTML, as a gateway does.
	HTML Effect = "html"
	// Redirect sends the client to another origin.
	Redirect Effect = "redirect"
	// Endless responds with a body that does not end before the client does, or before 256 MiB.
	Endless Effect = "endless"
)

// These effects spoil the response to a request that was carried out.
const (
	// LoseResponse closes the connection without a byte: the request was carried out, and nobody is told.
	LoseResponse Effect = "lose-response"
	// ResetDuring resets the connection in the middle of the body.
	ResetDuring Effect = "reset-during"
	// ResetAfter resets the connection behind the whole response.
	ResetAfter Effect = "reset-after"
	// Truncate closes the connection in the middle of the body.
	Truncate Effect = "truncate"
	// Trickle sends the body a byte at a time.
	Trickle Effect = "trickle"
	// WrongType sends the body under another Content-Type.
	WrongType Effect = "wrong-type"
	// WrongLength promises half of the body in Content-Length and sends the whole.
	WrongLength Effect = "wrong-length"
	// FalseGzip says that the body is compressed, which it is not.
	FalseGzip Effect = "false-gzip"
	// SetLeaf puts a value at a place in the body: of another type, null, or of a member that the contract does not
	// have. A response without the place stays as it is, and the fault has not happened.
	SetLeaf Effect = "set-leaf"
	// DropLeaf takes a member or an element out of the body. A response without it stays as it is, and the fault has
	// not happened.
	DropLeaf Effect = "drop-leaf"
)

// These effects are for listings, whose pages they spoil. They count only where they change what a request gets.
const (
	// LowerLimit lowers the size of the page below what the request asks for.
	LowerLimit Effect = "lower-limit"
	// RepeatPage responds to a request for a later page with the first one once more.
	RepeatPage Effect = "repeat-page"
	// RepeatCursor responds with the right page, whose cursor leads to that page again.
	RepeatCursor Effect = "repeat-cursor"
)

// Effects lists all effects, sorted by name.
func Effects() []Effect {
	var all []Effect
	for effect := range effects {
		if effect != "" {
			all = append(all, effect)
		}
	}
	slices.Sort(all)
	return all
}
