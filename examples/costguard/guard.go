package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// guard reports, warns, and pauses where it is told to. The report comes also where a part of that fails.
func guard(ctx context.Context, client *rpcfleet.Client, o *options, stdout, stderr io.Writer) error {
	var within admin.GetUsageByTagParams
	if o.days > 0 {
		within.StartTime = new(time.Now().AddDate(0, 0, -o.days).Unix())
	}
	usage, err := client.Usage.ByTag(ctx, within)
	if err != nil {
		return err
	}
	r := newReport(usage, o)
	f, err := readFleet(ctx, client, r)
	if err == nil {
		err = errors.Join(f.missing(usage, o.budgets), f.pause(ctx, client, o, r, stderr))
	}
	r.warn(stderr)
	if err := errors.Join(err, r.write(stdout, o.format)); err != nil {
		return err
	}
	return r.outcome()
}

// warn says what somebody is to know, for the mail of cron.
func (r *report) warn(stderr io.Writer) {
	for _, row := range r.Tags {
		of := fmt.Sprintf("the tag %q has", row.tag())
		if row.Tag == nil {
			of = "endpoints without a tag have"
		}
		switch row.State {
		case over:
			_, _ = fmt.Fprintf(stderr, "over budget: %s used %d credits of %d\n", of, row.Used, *row.Budget)
		case warned:
			_, _ = fmt.Fprintf(stderr, "warning: %s used %d credits of %d, %.1f%%\n", of, row.Used, *row.Budget, *row.Share)
		}
	}
}
