package alerts

import (
	"crypto/sha256"
	"slices"
)

// identity is what a delivery is known by. Two deliveries with the same whole are one that came twice. Two that share a
// mark and differ as a whole cannot both be genuine: neither a nonce nor a signature is used twice.
//
// Nonce and content hash are signed without anything between them. With some letters moved from one to the other, a
// delivery has another nonce and the same signature; with some moved between content hash and timestamp, the same
// nonce and signature and another content hash. That is why the signature is a mark beside the nonce, and the content
// hash a part of the whole. Where those three are the same, so is the timestamp that was signed with them.
type identity struct {
	marks []mark
	whole mark
}

// mark stands for a text of any length.
type mark [sha256.Size]byte

func markOf(kind, text string) mark { return sha256.Sum256([]byte(kind + " " + text)) }

// identityOf returns the identity of a delivery. Without nonce and signature it has no marks, and is not known again.
func identityOf(headers *Headers) identity {
	nonce := markOf("nonce", headers.Nonce)
	hash := markOf("content hash", headers.ContentHash)
	signature := markOf("signature", headers.Signature)
	var id identity
	if headers.Nonce != "" {
		id.marks = append(id.marks, nonce)
	}
	if headers.Signature != "" {
		id.marks = append(id.marks, signature)
	}
	id.whole = sha256.Sum256(slices.Concat(nonce[:], hash[:], signature[:])) // All of one length: nothing can move.
	return id
}
