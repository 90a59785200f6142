package rpcfleet

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
	"time"
)

const (
	// checkpointKind and checkpointVersion begin the text of a checkpoint. Behind them come the contents and the
	// beginning of their hash, in base64.
	checkpointKind    = "rpcfleet-follow-"
	checkpointVersion = "1:"

	checksumSize = 8
	markSize     = 8
)

// checkpointBase64 has no padding and no second spelling of anything.
var checkpointBase64 = base64.RawURLEncoding.Strict()

// String returns the text of the checkpoint.
func (c Checkpoint) String() string {
	content := appendText(nil, c.Note)
	content = binary.AppendUvarint(content, uint64(len(c.places)))
	for i := range c.places {
		content = c.places[i].append(content)
	}
	checksum := sha256.Sum256(content)
	return checkpointKind + checkpointVersion + checkpointBase64.EncodeToString(append(content, checksum[:checksumSize]...))
}

// MarshalText returns the text of the checkpoint. It does not fail.
func (c Checkpoint) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the text of a checkpoint. One that is damaged in any way, or of a later version of this library,
// is a [*ValidationError].
func (c *Checkpoint) UnmarshalText(text []byte) error {
	wrong := func(rule string) error { return &ValidationError{Field: "checkpoint", Rule: rule} }
	encoded, found := strings.CutPrefix(string(text), checkpointKind)
	switch {
	case len(text) == 0:
		return wrong("must not be empty")
	case !found:
		return wrong("must begin with " + checkpointKind)
	}
	encoded, found = strings.CutPrefix(encoded, checkpointVersion)
	if !found {
		return wrong("must be of version " + strings.TrimSuffix(checkpointVersion, ":"))
	}
	content, err := checkpointBase64.DecodeString(encoded)
	if err != nil || len(content) < checksumSize || strings.ContainsAny(encoded, "\r\n") {
		return wrong("is damaged: it is no base64")
	}
	content, checksum := content[:len(content)-checksumSize], content[len(content)-checksumSize:]
	if actual := sha256.Sum256(content); string(actual[:checksumSize]) != string(checksum) {
		return wrong("is damaged: its checksum is wrong")
	}
	read, ok := readCheckpoint(content)
	if !ok {
		return wrong("is damaged: its contents make no sense")
	}
	*c = read
	return nil
}

func (p *place) append(b []byte) []byte {
	b = appendText(b, p.endpoint)
	b = appendTime(b, p.from)
	if p.to.IsZero() {
		b = append(b, 0)
	} else {
		b = append(b, 1)
		b = appendTime(b, p.to)
		b = appendTime(b, p.next)
		b = appendText(b, p.cursor)
	}
	return appendSightings(b, slices.Concat(p.seen, p.page))
}

// appendSightings writes sightings second by second, so that the text does not depend on the order of delivery.
func appendSightings(b []byte, seen []sighting) []byte {
	slices.SortFunc(seen, func(a, b sighting) int {
		return cmp.Or(cmp.Compare(a.second, b.second), cmp.Compare(a.mark, b.mark))
	})
	b = binary.AppendUvarint(b, uint64(len(seen)))
	for before := int64(0); len(seen) > 0; {
		second, n := seen[0].second, 1
		for n < len(seen) && seen[n].second == second {
			n++
		}
		b = binary.AppendVarint(b, second-before)
		b = binary.AppendUvarint(b, uint64(n))
		for _, s := range seen[:n] {
			b = binary.BigEndian.AppendUint64(b, s.mark)
		}
		seen, before = seen[n:], second
	}
	return b
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func appendTime(b []byte, t time.Time) []byte {
	b = binary.AppendVarint(b, t.Unix())
	return binary.AppendUvarint(b, uint64(t.Nanosecond()))
}
