package main

import (
	"context"
	"fmt"
	"log"
	"strings"
)

// step is what is to be done about one thing of the file.
type step struct {
	verb string // "create", "update" or "keep"
	what string
	// fields are those that an update changes.
	fields []string
	// change is nil where nothing is to be done.
	change func(context.Context) error
}

// show prints the steps and returns how many of them change something.
func show(out *log.Logger, steps []step) int {
	count := make(map[string]int)
	for _, s := range steps {
		count[s.verb]++
		sign := map[string]string{"create": "+", "update": "~", "keep": "="}[s.verb]
		line := fmt.Sprintf("%s %s %s", sign, s.verb, s.what)
		if len(s.fields) > 0 {
			line += ": " + strings.Join(s.fields, ", ")
		}
		out.Println(line)
	}
	changes := count["create"] + count["update"]
	if changes == 0 {
		out.Println("No changes.")
		return 0
	}
	out.Printf("%d to create, %d to update, %d unchanged", count["create"], count["update"], count["keep"])
	return changes
}
