package main

import (
	"io"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

const about = `
Logtail follows the logs of endpoints until Ctrl-C, and writes every entry that the filters let through once. It only
reads.

With -file, what is written and how far it came are stored together: FILE and FILE.checkpoint. However the program ends,
kill -9 included, it goes on there when it is started again, and FILE has every entry once. One logtail at a time writes
a file. Without -file it writes to its standard output and begins anew each time.

RPCFLEET_BASE_URL and RPCFLEET_API_KEY name the account. With neither of them set, it follows an emulator for two seconds.`

// formatLines is a line of text for each entry.
const formatLines cli.Format = "lines"

// options are the flags.
type options struct {
	endpoints, tags []string
	filter          filter
	format          cli.Format
	details         bool
	file            string
	since, late     time.Duration
	every, save     time.Duration
	lasts           time.Duration
}

func parse(args []string, stdout io.Writer) (*options, error) {
	var o options
	flags := cli.NewFlags(name, about)
	flags.Var((*list)(&o.endpoints), "endpoints", "the `ids` of the endpoints, with commas between them (default all that the account has at the start)")
	flags.Var((*list)(&o.tags), "tags", "the `labels` of tags: the endpoints that have one of them")
	flags.Var((*list)(&o.filter.methods), "methods", "the RPC `methods` to show, such as eth_call,debug_*")
	flags.Var((*list)(&o.filter.statuses), "status", "the HTTP `statuses` to show, such as 429,5xx")
	flags.Var((*list)(&o.filter.networks), "networks", "the `slugs` of the networks to show")
	flags.BoolVar(&o.filter.errors, "errors", false, "show failed calls only: a status from 400 on, or an RPC error code")
	format := flags.Format(formatLines, cli.FormatJSON)
	flags.BoolVar(&o.details, "details", false, "with -o json: ask for the request and the response of each call, and show them")
	flags.StringVar(&o.file, "file", "", "the `file` to write to, with its checkpoint beside it")
	flags.DurationVar(&o.since, "since", time.Minute, "how far back to begin, where no checkpoint says it")
	flags.DurationVar(&o.late, "late", 30*time.Second, "how long after its time an entry may turn up")
	flags.DurationVar(&o.every, "every", 2*time.Second, "the shortest interval between two readings of a log; of a quiet one it grows to 15 times that")
	flags.DurationVar(&o.save, "save", time.Second, "how often to save a checkpoint while entries arrive")
	flags.DurationVar(&o.lasts, "for", 0, "end after this time (default Ctrl-C ends it)")
	if err := flags.Parse(args, stdout); err != nil {
		return nil, err
	}
	o.format = *format
	return &o, o.check()
}

func (o *options) check() error {
	for _, given := range []struct {
		flag     string
		value    time.Duration
		positive bool
	}{
		{"since", o.since, false}, {"late", o.late, true}, {"every", o.every, true}, {"save", o.save, false}, {"for", o.lasts, false},
	} {
		if given.value < 0 || given.positive && given.value == 0 {
			return cli.Usagef("-%s must be longer than that: %v", given.flag, given.value)
		}
	}
	if len(o.endpoints) > 0 && len(o.tags) > 0 {
		return cli.Usagef("-endpoints and -tags exclude each other")
	}
	if o.details && o.format != cli.FormatJSON {
		return cli.Usagef("-details needs -o json")
	}
	return o.filter.check()
}

// list is the value of a flag with commas.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(text string) error {
	*l = nil
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item == "" {
			return errEmptyItem
		}
		*l = append(*l, item)
	}
	return nil
}
