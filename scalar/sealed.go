package scalar

import (
	"crypto/rand"
	"encoding/binary"
	"hash/maphash"
	mathrand "math/rand/v2"
	"sync"
)

// sealed is a text that is encrypted for as long as this process lives. Equal texts are equal when they are sealed, so
// that == and maps compare them without opening them, and empty text is empty.
//
// It keeps secrets out of whatever is printed: what shows of a sealed text is its length, and which others are equal to
// it. It is no protection against an attacker who reads the memory, where the key is.
//
// A sealed text is a tag, which is a keyed hash of the text, and the text XOR a stream of ChaCha8 whose seed is the key
// and the tag. So texts do not share a stream, but for collisions of the hash, and who knows one of them, or how all of
// them begin, learns nothing about another.
type sealed string

const tagSize = 8

var (
	tagSeed = maphash.MakeSeed()

	// key is the first part of each stream's seed. The tag is the rest.
	key = func() (key [32 - tagSize]byte) {
		_, _ = rand.Read(key[:]) // never fails
		return key
	}()

	// streams are for reuse: a stream is larger than most of the texts.
	streams = sync.Pool{New: func() any { return new(mathrand.ChaCha8) }}
)

// seal seals text. For most texts it makes the result and nothing else.
func seal(text []byte) sealed {
	if len(text) == 0 {
		return ""
	}
	var scratch [256]byte
	out := binary.LittleEndian.AppendUint64(scratch[:0], maphash.Bytes(tagSeed, text))
	return sealed(appendXOR(out, out, text))
}

// open returns the text.
func (s sealed) open() string {
	if s == "" {
		return ""
	}
	var scratch [256]byte
	raw := []byte(s)
	return string(appendXOR(scratch[:0], raw[:tagSize], raw[tagSize:]))
}

// appendXOR appends text XOR the stream of the tag to out.
func appendXOR(out, tag, text []byte) []byte {
	var seed [32]byte
	copy(seed[copy(seed[:], key[:]):], tag)
	stream := streams.Get().(*mathrand.ChaCha8)
	stream.Seed(seed)
	for ; len(text) >= 8; text = text[8:] {
		out = binary.LittleEndian.AppendUint64(out, binary.LittleEndian.Uint64(text)^stream.Uint64())
	}
	rest := stream.Uint64()
	for _, c := range text {
		out = append(out, c^byte(rest))
		rest >>= 8
	}
	streams.Put(stream)
	return out
}
