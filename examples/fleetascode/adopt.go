package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"go.yaml.in/yaml/v3"
	"golang.org/x/sync/errgroup"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/progress"
)

func runAdopt(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	var o options
	flags := o.flags("adopt", `
Adopt writes the YAML file of the account as it is. It changes nothing, and writes no secret: of tokens it writes how
many there are, and of the URLs of destinations the names of environment variables that are to hold them.`)
	path := flags.String("out", "", "write to this `file`, which must not exist, and not to the output")
	if err := o.parse(flags, args, stdout); err != nil {
		return err
	}
	account, err := connect(stderr)
	if err != nil {
		return err
	}
	defer account.Close()
	bar := progress.Start(stderr, "Reading", -1)
	var content bytes.Buffer
	err = adopt(ctx, &reader{account.Client, o.parallel, bar.Step}, &content, stderr)
	bar.Done()
	if err != nil {
		return err
	}
	if *path == "" {
		_, err = content.WriteTo(stdout)
		return err
	}
	file, err := os.OpenFile(*path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = content.WriteTo(file)
	return errors.Join(err, file.Close())
}

// adopt writes the file of an account.
func adopt(ctx context.Context, r *reader, out, stderr io.Writer) error {
	var f fleet
	for _, part := range []func(context.Context, *reader, *fleet) error{adoptEndpoints, adoptTeams, adoptAlerts} {
		err := part(ctx, r, &f)
		if errors.Is(err, rpcfleet.ErrForbidden) { // The plan of the account does not include it, or the key.
			_, _ = fmt.Fprintln(stderr, "left out:", err)
			continue
		}
		if err != nil {
			return err
		}
	}
	var content bytes.Buffer
	content.WriteString("# What the account had when this file was written. See README.md for what it can say.\n")
	encoder := yaml.NewEncoder(&content)
	encoder.SetIndent(2)
	if err := errors.Join(encoder.Encode(f), encoder.Close()); err != nil {
		return err
	}
	if _, err := read(content.Bytes(), os.Getenv); err != nil {
		_, _ = fmt.Fprintf(stderr, "The account has what a file cannot say; change the file here:\n%v\n", err)
	}
	_, err := content.WriteTo(out)
	return err
}

// all says that everything about an endpoint is to be read.
var all = &endpoint{
	Security:   &security{IPCustomHeader: new("")},
	RateLimits: &rateLimits{}, MethodRateLimits: list[methodRateLimit]{},
}

func adoptEndpoints(ctx context.Context, r *reader, f *fleet) error {
	a, err := r.listings(ctx, &fleet{Endpoints: list[endpoint]{}})
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(r.parallel)
	told := make([]*details, len(a.endpoints))
	for i, e := range a.endpoints {
		told[i] = r.endpointDetails(ctx, group, e.ID, all)
	}
	if err := group.Wait(); err != nil {
		return err
	}
	names := a.names()
	f.Endpoints = list[endpoint]{}
	for i := range a.endpoints {
		f.Endpoints = append(f.Endpoints, adopted(&a.endpoints[i], told[i], names))
	}
	return nil
}

// names are what endpoints are called in a file, by their ids: the label where it identifies one, and otherwise the id.
func (a *account) names() map[string]string {
	count := map[string]int{}
	for _, e := range a.endpoints {
		count[text(e.Label)]++
	}
	names := map[string]string{}
	for _, e := range a.endpoints {
		names[e.ID] = e.ID
		if label := text(e.Label); label != "" && count[label] == 1 {
			names[e.ID] = label
		}
	}
	return names
}
