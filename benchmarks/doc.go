// Benchmarks measures rpcfleet beside hand-written code and the clients that the usual generators make, and prints the
// table that the README shows:
//
//	go run ./benchmarks -rounds 15
//
// All contestants run in one process, in a random order in each round; the server is a process of its own. The clients
// of ogen, oapi-codegen and genqlient are generated from this repository's own OpenAPI and GraphQL files when they are
// not there or out of date: 19,000 lines that nobody reads are not worth committing. The files that need them have the
// build tag contestants. Without it the program generates them and starts itself again with it, and the tests make do
// with the contestants that need no generator. Tests and benchmarks of all, and a profile of one:
//
//	go generate ./benchmarks
//	go test -tags contestants ./benchmarks/...
//	go test -tags contestants -run '^$' -bench '/http1/identity/logs/(ogen|rpcfleet)$' -memprofile mem.out -memprofilerate 1 ./benchmarks
//	go run ./benchmarks -payloads endpoint -contestants rpcfleet -profile profiles
//
// On a machine that does other things as well, -clock cpu counts the processor time of the contestants' process rather
// than the time on the wall. Benchmarks/weight says what a client adds to a program that uses it.
package main
