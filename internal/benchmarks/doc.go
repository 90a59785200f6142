// Benchmarks compares rpcfleet with hand-written code and generated clients. It prints the tables of
// docs/benchmarks.md, or writes them into it too:
//
//	go run ./internal/benchmarks -rounds 45
//	go run ./internal/benchmarks -rounds 45 -page docs/benchmarks.md
//
// The tables cover HTTP/1.1 and HTTP/2, with and without gzip. All contestants run in one process, in a random order in
// each round; the server is a separate process. On a busy machine, use -clock cpu: it measures processor time of the
// contestants' process instead of wall time.
//
// The clients of ogen and genqlient are generated from this repository's OpenAPI and GraphQL files, and not committed:
// they have 14,000 lines. The file that needs them has the build tag contestants. Without the tag, the program
// generates them and runs itself with it, and the tests use only the contestants that need no generator. Tests of all
// contestants, and a profile of one:
//
//	go generate ./internal/benchmarks
//	go test -tags contestants ./internal/benchmarks/...
//	go test -tags contestants -run '^$' -bench '/HTTP/1.1,_not_compressed/logs/rpcfleet$' -cpuprofile cpu.out ./internal/benchmarks
//
// Benchmarks/weight measures how much a client adds to a program.
package main
