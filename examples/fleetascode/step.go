package main

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

// action is what a step does.
type action string

const (
	actionCreate action = "create"
	actionAdd    action = "add"
	actionSet    action = "set"
	// actionRemove takes something away that the file does not declare: only with -prune.
	actionRemove action = "remove"
)

// step is one change that makes the account more like the file.
type step struct {
	Action action `json:"action"`
	// Thing is what the step is about, such as `endpoint "checkout"`.
	Thing string `json:"thing"`
	Field string `json:"field,omitempty"`
	Have  string `json:"have,omitempty"`
	Want  string `json:"want,omitempty"`
	do    func(context.Context) error
}

// work are steps that are done one after the other. Different works of a stage are done at the same time.
type work struct {
	steps []step
	// begin carries out the first step where it is not nil, and returns what is to be done then in the place of the other
	// steps: what a new endpoint comes with is not known before it exists.
	begin func(context.Context) ([]step, error)
}

// plan is all that is to be done, stage by stage.
type plan struct {
	stages [][]work
	// problems are differences that no operation of the service settles, and what cannot be told.
	problems []error
}

// steps returns all steps, with the removals or without.
func (p *plan) steps(prune bool) []step {
	steps := []step{} // In JSON, no steps are an empty list.
	for _, stage := range p.stages {
		for _, w := range stage {
			for _, s := range w.steps {
				if prune || s.Action != actionRemove {
					steps = append(steps, s)
				}
			}
		}
	}
	return steps
}

// removals counts the steps that only -prune does.
func (p *plan) removals() int { return len(p.steps(true)) - len(p.steps(false)) }

// table shows steps for people.
func table(steps []step) cli.Table {
	t := cli.Table{Header: []string{"ACTION", "THING", "FIELD", "HAVE", "WANT"}}
	for _, s := range steps {
		t.Add(string(s.Action), s.Thing, s.Field, s.Have, s.Want)
	}
	return t
}
