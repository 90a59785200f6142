package alerts

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Identity is what a delivery is known by. Two deliveries with the same Whole are one that came twice. Two that share a
// mark and differ as a whole cannot both be genuine: neither a nonce nor a signature is used twice. All of it are
// hashes, which may be stored and logged.
type Identity struct {
	// Marks stand for the nonce and the signature, as far as the delivery has them. Without any, it is not known again.
	Marks []Mark
	// Whole stands for the delivery.
	Whole Mark
}

// Nonce and content hash are signed without anything between them. With some letters moved from one to the other, a
// delivery has another nonce and the same signature; with some moved between content hash and timestamp, the same
// nonce and signature and another content hash. That is why the signature is a mark beside the nonce, and the content
// hash a part of the whole. Where those three are the same, so is the timestamp that was signed with them.

// Mark stands for a text of any length: it is a hash of it.
type Mark [sha256.Size]byte

// String returns the mark in hexadecimal digits.
func (m Mark) String() string { return hex.EncodeToString(m[:]) }

func markOf(kind, text string) Mark { return sha256.Sum256([]byte(kind + " " + text)) }

// Identity returns what a delivery with these headers is known by.
func (h *Headers) Identity() Identity {
	nonce := markOf("nonce", h.Nonce)
	hash := markOf("content hash", h.ContentHash)
	signature := markOf("signature", h.Signature)
	var id Identity
	if h.Nonce != "" {
		id.Marks = append(id.Marks, nonce)
	}
	if h.Signature != "" {
		id.Marks = append(id.Marks, signature)
	}
	id.Whole = sha256.Sum256(slices.Concat(nonce[:], hash[:], signature[:])) // All of one length: nothing can move.
	return id
}
