package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/progress"
)

// rounds is how often an account is made what the file declares at most, before it is taken not to heed it. A second
// round is needed where one setting changes another.
const rounds = 3

// apply makes the account what the file declares, and reads it once more to see that it is.
func (p *planner) apply(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	if o.yes && len(p.state.pending()) > 0 {
		_, _ = fmt.Fprintf(stderr, "An earlier apply was stopped: waiting %v for what it may have sent\n", o.settle)
		if err := pause(ctx, o.settle); err != nil {
			return err
		}
	}
	made, err := p.show(ctx, *o.format, o.prune, stdout, stderr)
	if err != nil {
		return err
	}
	for range rounds {
		steps := made.steps(o.prune)
		switch {
		case len(made.problems) > 0:
			return fmt.Errorf("nothing was changed: %w", errors.Join(made.problems...))
		case len(steps) == 0:
			return nil
		case !o.yes:
			return errors.New("nothing was changed: apply needs -yes")
		}
		if err := p.round(ctx, made, o.prune, stderr); err != nil {
			return err
		}
		if made, err = p.read(ctx, stderr); err != nil {
			return err
		}
	}
	steps := made.steps(o.prune)
	if len(steps) == 0 {
		return nil
	}
	_ = cli.Write(stderr, cli.FormatTable, table(steps), nil)
	return errors.New("the account still differs from the file")
}

// round carries a plan out, with progress on stderr.
func (p *planner) round(ctx context.Context, made *plan, prune bool, stderr io.Writer) error {
	bar := progress.Start(stderr, "Applying", len(made.steps(prune)))
	defer bar.Done()
	return p.carryOut(ctx, made, prune, bar.Step)
}
