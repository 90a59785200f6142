package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// The program's exit codes.
const (
	ended  = 0
	failed = 1
	misled = 2
)

// run is the program. It ends when the context does.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f, err := parse(args, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return ended
	case err != nil:
		_, _ = fmt.Fprintf(stderr, "emulator: %v (-help lists the flags)\n", err)
		return misled
	}
	if err := serve(ctx, f, stdout, stderr); err != nil {
		_, _ = fmt.Fprintf(stderr, "emulator: %v\n", err)
		return failed
	}
	return ended
}

// graceTime is how long requests that are under way have at the end.
const graceTime = 10 * time.Second

func serve(ctx context.Context, f flags, stdout, stderr io.Writer) error {
	service, err := begin(f, stderr)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: service, ReadHeaderTimeout: time.Minute}
	greet(stdout, service.APIKey, "http://"+listener.Addr().String())
	over := make(chan error, 1)
	go func() { over <- server.Serve(listener) }()
	select {
	case err := <-over:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
	defer cancel()
	err = server.Shutdown(grace)
	if f.snapshot != "" {
		err = errors.Join(err, service.SaveSnapshot(f.snapshot))
	}
	return err
}

// begin makes an emulator that has what the flags ask for.
func begin(f flags, stderr io.Writer) (*emulator.Emulator, error) {
	options := []emulator.Option{emulator.WithPage(), emulator.WithControl(), emulator.WithHosts(f.hosts...)}
	if f.key != "" {
		options = append(options, emulator.WithAPIKey(f.key))
	}
	if !f.quiet {
		options = append(options, emulator.WithObserver(printer(stderr)))
	}
	service := emulator.New(options...)
	if f.snapshot != "" {
		err := service.RestoreSnapshot(f.snapshot)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return service, err
		}
	}
	if f.seed == "" {
		return service, nil
	}
	return service, populate(service, f.seed)
}

// printer prints a line for each request. A query may hold anything, and is left out.
func printer(to io.Writer) func(emulator.Exchange) {
	var mu sync.Mutex
	return func(x emulator.Exchange) {
		address, err := url.ParseRequestURI(x.URL)
		if err != nil {
			address = &url.URL{}
		}
		mu.Lock()
		defer mu.Unlock()
		_, _ = fmt.Fprintf(to, "%s %s %d\n", x.Method, address.EscapedPath(), x.Status)
	}
}
