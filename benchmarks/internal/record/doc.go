// Package record holds the records that are measured, as a person would write them by hand for encoding/json: with the
// fields of the contract, plain types, and a pointer where null means something.
package record
