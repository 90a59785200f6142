// Package keyvalueapi is the server side of the key-value area, generated from openapi/keyvalue.yaml: the records, and
// the types of each operation's requests and responses. The client has other records.
package keyvalueapi
