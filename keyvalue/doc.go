// Package keyvalue has the records of the key-value area. Extra of a record contains the fields of a
// response that this version does not know.
package keyvalue
