// Package streams has the records of the streams area, whose service is [rpcfleet.Client.Streams].
package streams
