// Package record holds the measured records as written by hand for encoding/json: the contract's fields in plain types,
// with a pointer for a value that may be null.
package record
