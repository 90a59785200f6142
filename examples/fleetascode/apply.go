package main

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// carryOut does what a plan says, stage by stage. What is under way when the context ends is done to its end, and nothing
// else is begun: nothing stays behind of which it is open whether it happened. done is called for every step.
func (p *planner) carryOut(ctx context.Context, made *plan, prune bool, done func()) (err error) {
	if err := p.begin(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.end()) }()
	for _, stage := range made.stages {
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(p.parallel)
		for _, w := range stage {
			group.Go(func() error { return w.carryOut(ctx, prune, done) })
		}
		if err := group.Wait(); err != nil {
			return fmt.Errorf("%w (what was done before stays done: run it again to go on)", err)
		}
	}
	return nil
}

func (w *work) carryOut(ctx context.Context, prune bool, done func()) error {
	whole := context.WithoutCancel(ctx)
	steps := w.steps
	if w.begin != nil {
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		if steps, err = w.begin(whole); err != nil {
			return fmt.Errorf("%s %s: %w", w.steps[0].Action, w.steps[0].Thing, err)
		}
		done()
	}
	for _, s := range steps {
		if s.Action == actionRemove && !prune {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.do(whole); err != nil {
			return fmt.Errorf("%s %s %s: %w", s.Action, s.Thing, s.Field, err)
		}
		done()
	}
	return nil
}
