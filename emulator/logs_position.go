package emulator

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// timeUUIDs are the UUIDs that hold a time: versions 1, 6 and 7.
var timeUUIDs = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[167][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// isTimeUUID reports whether a text is a time-based UUID, in lower case.
func isTimeUUID(text string) bool { return timeUUIDs.MatchString(text) }

// uuidEpoch is the unix time at which the clock of version 1 UUIDs starts, the 15th of October 1582, negated and in
// their unit of 100 nanoseconds.
const uuidEpoch = 0x01B21DD213814000

// timeUUID is the version 1 UUID of a time to the microsecond. The number takes the place of the node, in the range of
// those that are not a machine's address: it keeps UUIDs of one time apart, and in the order of their numbers.
func timeUUID(at time.Time, number int64) string {
	ticks := uint64(at.UnixMicro()*10 + uuidEpoch)
	const anyNode = 1 << 40
	node := uint64(number)&(anyNode-1) | anyNode
	return fmt.Sprintf("%08x-%04x-1%03x-8000-%012x", ticks&0xffffffff, ticks>>32&0xffff, ticks>>48&0xfff, node)
}

// cursor spells a position for a caller, who has no business reading it.
func (c *call) cursor() string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%s", c.Timestamp.UnixMicro(), c.RequestID))
}

// parseCursor reads what cursor wrote.
func parseCursor(cursor string) (position, error) {
	unacceptable := badRequest("next_at is not a cursor of this listing")
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil {
		return position{}, unacceptable
	}
	micros, id, _ := strings.Cut(string(text), ".")
	at, err := strconv.ParseInt(micros, 10, 64)
	if err != nil || !isTimeUUID(id) {
		return position{}, unacceptable
	}
	return position{at: time.UnixMicro(at).UTC(), id: id}, nil
}
