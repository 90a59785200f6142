// Benchmarks measures rpcfleet beside hand-written code and the clients that the usual generators make, and prints the
// tables that the README shows, or writes them into it:
//
//	go run ./benchmarks -rounds 15
//	go run ./benchmarks -rounds 15 -readme README.md
//
// They are of HTTP/1.1 and HTTP/2, with and without gzip: the first of them in full, the times over the others in one.
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
// What the choice of the decoders rests on, the lead of those over the library's scanner, is printed by
//
//	go run ./benchmarks -decoders -rounds 25 -clock cpu
//
// On a machine that does other things as well, -clock cpu counts the processor time of the contestants' process rather
// than the time on the wall. Benchmarks/weight says what a client adds to a program that uses it.
package main
