// Twice counts how often a service carries out a create whose response gets lost, as several clients send it, and what
// they tell their caller. It prints two tables, or writes them into docs/faults.md:
//
//	go run ./benchmarks/twice
//	go run ./benchmarks/twice -page docs/faults.md
//
// The servers are on loopback addresses. All calls together take less than a minute, most of which the clients wait for
// their next attempt. This is a module of its own, since the clients bring many others along.
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
