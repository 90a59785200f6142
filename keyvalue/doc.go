// Package keyvalue has the records of the key-value area.
package keyvalue
