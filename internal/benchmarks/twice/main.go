// Twice counts how often a service executes a create if the response is lost, for several clients, and records the
// error that the caller gets. It prints two tables, or writes them into docs/faults.md:
//
//	go run ./internal/benchmarks/twice
//	go run ./internal/benchmarks/twice -page docs/faults.md
//
// The servers listen on loopback addresses. All calls together take less than a minute, mostly waiting for retries.
// This is a separate module because of the clients' dependencies.
package main

import (
	"flag"
	"io"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	page := flag.String("page", "", "the page to write the tables into, in place of printing them")
	flag.Parse()
	if err := run(contestants, losses(), *page, os.Stdout); err != nil {
		log.Fatal("twice: ", err)
	}
}

func run(contestants []contestant, losses []loss, page string, out io.Writer) error {
	rows, err := measure(contestants, losses)
	if err != nil {
		return err
	}
	if page != "" {
		return write(page, text(rows))
	}
	_, err = io.WriteString(out, text(rows))
	return err
}
