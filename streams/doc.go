// Package streams has the records of the streams area, whose service is [rpcfleet.Client.Streams]. Extra of a
// record contains the fields of a response that this version does not know.
package streams
