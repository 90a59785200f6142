package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/progress"
)

// exitDrift is the code of drift where the account differs from the file.
const exitDrift = cli.Code(3)

func runPlan(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var o options
	flags := o.flags("plan", "Plan says what apply would do. It changes nothing.")
	o.fileFlags(flags)
	flags.BoolVar(&o.prune, "prune", false, "show as well what -prune would take away")
	if err := o.parse(flags, args, stdout); err != nil {
		return err
	}
	p, account, err := o.open(stderr)
	if err != nil {
		return err
	}
	defer account.Close()
	made, err := p.show(ctx, *o.format, o.prune, stdout, stderr)
	if err == nil {
		err = errors.Join(made.problems...)
	}
	return err
}

func runDrift(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var o options
	flags := o.flags("drift", `
Drift says where the account differs from the file, also in what the file does not declare. It changes nothing, and
ends with 3 where something differs.`)
	o.fileFlags(flags)
	if err := o.parse(flags, args, stdout); err != nil {
		return err
	}
	p, account, err := o.open(stderr)
	if err != nil {
		return err
	}
	defer account.Close()
	made, err := p.show(ctx, *o.format, true, stdout, stderr)
	if err != nil {
		return err
	}
	for _, problem := range made.problems {
		_, _ = fmt.Fprintln(stderr, problem)
	}
	if len(made.steps(true))+len(made.problems) > 0 {
		return exitDrift
	}
	return nil
}

func runApply(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var o options
	flags := o.flags("apply", `
Apply makes the account what the file declares, where it is told so by -yes, and takes nothing away without -prune.
After Ctrl-C it does what is under way to its end. However it was stopped, running it again goes on.`)
	o.fileFlags(flags)
	flags.BoolVar(&o.yes, "yes", false, "change the account")
	flags.BoolVar(&o.prune, "prune", false, "archive, delete and remove what the file does not declare")
	flags.DurationVar(&o.settle, "settle", 5*time.Second, "how long a create whose outcome is open may `take` to show in a listing")
	if err := o.parse(flags, args, stdout); err != nil {
		return err
	}
	p, account, err := o.open(stderr)
	if err != nil {
		return err
	}
	defer account.Close()
	return p.apply(ctx, &o, stdout, stderr)
}

// show plans, with progress on stderr, and shows the plan.
func (p *planner) show(ctx context.Context, format cli.Format, prune bool, stdout, stderr io.Writer) (*plan, error) {
	info, err := p.client.Account.Info(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.state.of(info.ID); err != nil {
		return nil, err
	}
	made, err := p.read(ctx, stderr)
	if err != nil {
		return nil, err
	}
	steps := made.steps(prune)
	report := struct {
		Steps    []step   `json:"steps"`
		Problems []string `json:"problems"`
	}{steps, []string{}}
	for _, problem := range made.problems {
		report.Problems = append(report.Problems, problem.Error())
	}
	if err := cli.Write(stdout, format, table(steps), report); err != nil {
		return nil, err
	}
	_, _ = fmt.Fprintf(stderr, "%d changes\n", len(steps))
	if left := made.removals(); left > 0 && !prune {
		_, _ = fmt.Fprintf(stderr, "%d things that the file does not declare stay: -prune takes them away\n", left)
	}
	return made, nil
}

// read plans, with progress on stderr.
func (p *planner) read(ctx context.Context, stderr io.Writer) (*plan, error) {
	bar := progress.Start(stderr, "Reading", -1)
	defer bar.Done()
	p.step = bar.Step
	return p.plan(ctx)
}
