package rpcfleet

import (
	"encoding/binary"
	"slices"
	"time"
)

// readCheckpoint reads the contents of a checkpoint, and reports whether they are what a checkpoint writes: nothing is
// taken that would be written in another way.
func readCheckpoint(content []byte) (c Checkpoint, ok bool) {
	r := checkpointReader{rest: content}
	c.Note = r.text()
	endpoints := map[string]bool{}
	for n := r.count(); n > 0 && !r.broken; n-- {
		p := r.place()
		r.reject(endpoints[p.endpoint])
		endpoints[p.endpoint] = true
		c.places = append(c.places, p)
	}
	return c, !r.broken && len(r.rest) == 0
}

// checkpointReader reads from the front of the contents. Where that fails it is broken, and what it has read is of no
// use.
type checkpointReader struct {
	rest   []byte
	broken bool
}

func (r *checkpointReader) reject(wrong bool) {
	if wrong {
		r.broken = true
	}
}

func (r *checkpointReader) place() (p place) {
	p.endpoint, p.from = r.text(), r.time()
	switch flag := r.bytes(1); {
	case len(flag) == 0:
	case flag[0] == 1:
		p.to, p.next, p.cursor = r.time(), r.time(), r.text()
		r.reject(!p.from.Before(p.to) || p.next.Before(p.from) || p.next.After(p.to))
	case flag[0] != 0:
		r.broken = true
	}
	p.seen = r.sightings()
	r.reject(p.endpoint == "" || p.from.IsZero())
	return p
}

func (r *checkpointReader) sightings() (seen []sighting) {
	n := r.count()
	for second := int64(0); len(seen) < n && !r.broken; {
		step, number, first := r.varint(), r.count(), len(seen)
		second += step
		r.reject(number == 0 || first > 0 && step <= 0 || !inCalendar(second))
		for mark := range slices.Chunk(r.bytes(number*markSize), markSize) {
			s := sighting{binary.BigEndian.Uint64(mark), second}
			r.reject(len(seen) > first && s.mark <= seen[len(seen)-1].mark)
			seen = append(seen, s)
		}
	}
	r.reject(len(seen) != n)
	return seen
}

// count reads the number of things that follow, of a byte each at least.
func (r *checkpointReader) count() int {
	n := r.uvarint()
	r.reject(n > uint64(len(r.rest)))
	return int(n)
}

func (r *checkpointReader) text() string { return string(r.bytes(r.count())) }

func (r *checkpointReader) time() time.Time {
	second, nanoseconds := r.varint(), r.uvarint()
	r.reject(nanoseconds >= 1e9 || !inCalendar(second))
	return time.Unix(second, int64(nanoseconds)).UTC()
}

// inCalendar reports whether RFC 3339 can write a second of unix time: whether it is in the years 1 to 9999.
func inCalendar(second int64) bool {
	return second >= firstSecond && second <= lastSecond
}

const (
	firstSecond = -62_135_596_800
	lastSecond  = 253_402_300_799
)

func (r *checkpointReader) bytes(n int) []byte {
	r.reject(n > len(r.rest))
	if r.broken {
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *checkpointReader) varint() int64 {
	v, n := binary.Varint(r.rest)
	return took(r, v, n, func(v int64) int { return len(binary.AppendVarint(nil, v)) })
}

func (r *checkpointReader) uvarint() uint64 {
	v, n := binary.Uvarint(r.rest)
	return took(r, v, n, func(v uint64) int { return len(binary.AppendUvarint(nil, v)) })
}

// took takes a number that was read from n bytes, which must be as few as it needs.
func took[N int64 | uint64](r *checkpointReader, v N, n int, shortest func(N) int) N {
	r.reject(n != shortest(v))
	if !r.broken {
		r.rest = r.rest[n:]
	}
	return v
}
