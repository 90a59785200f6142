// Benchmarks compares rpcfleet with hand-written code and generated clients. It prints the tables of
// docs/benchmarks.md, or writes them into it:
//
//	go run ./internal/benchmarks -rounds 45
//	go run ./internal/benchmarks -rounds 45 -page docs/benchmarks.md
//
// The tables cover HTTP/1.1 and HTTP/2, with and without gzip: the first of them in full, the times of the others in
// one. All contestants run in one process, in a random order in each round; the server is a separate process. The
// clients of ogen, oapi-codegen and genqlient are generated from this repository's OpenAPI and GraphQL files if they
// are missing or out of date, and not committed: they have 19,000 lines. The files that need them have the build tag
// contestants. Without the tag, the program generates them and restarts itself with it, and the tests use only the
// contestants that need no generator. Tests and benchmarks of all, and profiles of some:
//
//	go generate ./internal/benchmarks
//	go test -tags contestants ./internal/benchmarks/...
//	go test -tags contestants -run '^$' -bench '/http1/identity/logs/(ogen|rpcfleet)$' -memprofile mem.out -memprofilerate 1 ./internal/benchmarks
//	go test -tags contestants -run '^$' -bench '/http1/identity/endpoint/rpcfleet$' -cpuprofile cpu.out ./internal/benchmarks
//
// The comparison behind the choice of decoder is printed by
//
//	go run ./internal/benchmarks -decoders -rounds 25 -clock cpu
//
// On a busy machine, use -clock cpu: it measures processor time of the contestants' process instead of wall time.
// Benchmarks/weight measures how much a client adds to a program.
package main
