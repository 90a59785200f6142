// Backfill streams a range of past blocks into a file, each block once. It may be killed at any time and run again.
//
//	go run ./examples/backfill
//	SECURITY_TOKEN=... go run ./examples/backfill -listen :8080 -url https://hooks.example.com/backfill
//
// By the URL the service reaches this program, and by SECURITY_TOKEN, a secret of your choice, it signs deliveries. The
// blocks are written to backfill.jsonl. Beside it, backfill.checkpoint has the next block and the length of the file: a
// batch of earlier blocks is a duplicate, and the rest of the file is of a batch that was not completed.
//
// RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. Otherwise, it runs on an emulator, and kills its receiver.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/streams"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

const name, network = "backfill", streams.NetworkEthereumMainnet

var (
	listen   = flag.String("listen", "127.0.0.1:0", "the `address` to listen on")
	address  = flag.String("url", "", "the `URL` by which the service reaches this program")
	from, to = flag.Int64("from", 100, "the first `block`"), flag.Int64("to", 119, "the last `block`")
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, scalar.NewSecret(os.Getenv("SECURITY_TOKEN"))); ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "backfill:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, token scalar.Secret) error {
	client, err := rpcfleet.NewFromEnv()
	var service *emulator.Server
	if os.Getenv("RPCFLEET_BASE_URL") == "" {
		service, token = emulator.Start(), scalar.NewSecret("qnsec_made-up")
		folder, _ := os.MkdirTemp("", "backfill")
		defer func() { _ = os.RemoveAll(folder) }()
		client, err = rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
		err = errors.Join(err, os.Chdir(folder))
	}
	listener, failed := net.Listen("tcp", *listen)
	receiver, unready := open(ctx, token)
	if err = errors.Join(err, failed, unready); err != nil {
		return err
	}
	if service != nil {
		*address, receiver = "http://"+listener.Addr().String(), killed(receiver, token)
	}
	go func() { _ = (&http.Server{Handler: receiver, ReadHeaderTimeout: 10 * time.Second}).Serve(listener) }()
	stream, err := start(ctx, client, token)
	if err == nil && service != nil {
		_, err = service.DeliverBlocks(ctx, string(network), *to)
	}
	if err == nil {
		_, err = client.Streams.WaitFor(ctx, stream.ID, streams.StatusCompleted, nil)
	}
	return err
}

// open returns a receiver that continues where the last one stopped, whatever stopped it.
func open(ctx context.Context, token scalar.Secret) (http.Handler, error) {
	checkpoint, err := rpcfleet.FileCheckpointStore{}.Load(ctx, name)
	next, length := *from, int64(0)
	if !checkpoint.IsZero() {
		_, err = fmt.Sscan(checkpoint.Metadata, &next, &length)
	}
	file, failed := os.OpenFile("backfill.jsonl", os.O_CREATE|os.O_WRONLY, 0o600)
	verifier, invalid := webhooks.NewVerifier([]scalar.Secret{token})
	if err := errors.Join(err, failed, invalid); err != nil {
		return nil, err
	}
	var lock sync.Mutex
	return webhooks.NewReceiver(verifier, func(ctx context.Context, delivery *webhooks.Delivery) error {
		lock.Lock()
		defer lock.Unlock()
		var batch struct{ Metadata map[string]any } // The payload is signed, unlike the headers of a batch.
		_ = json.Unmarshal(delivery.Payload, &batch)
		first, _ := batch.Metadata["batch_start_range"].(float64)
		last, known := batch.Metadata["batch_end_range"].(float64)
		if known && int64(last) < next {
			fmt.Printf("Blocks %.0f to %.0f came again\n", first, last)
			return nil
		}
		if !known || int64(first) != next {
			return errors.New("not the next batch") // The service retries after an error.
		}
		written, err := file.WriteAt(append(delivery.Payload, '\n'), length)
		end := length + int64(written)
		if err = errors.Join(err, file.Truncate(end), file.Sync()); err == nil {
			saved := rpcfleet.Checkpoint{Metadata: fmt.Sprint(int64(last)+1, " ", end)}
			err = rpcfleet.FileCheckpointStore{}.Save(ctx, name, saved)
		}
		if err == nil {
			fmt.Printf("Wrote blocks %d to %.0f\n", next, last)
			next, length = int64(last)+1, end
		}
		return err
	}, webhooks.WithMaxBody(64<<20))
}

// start creates the stream, or returns that of an earlier run, and activates it if it was terminated meanwhile.
func start(ctx context.Context, client *rpcfleet.Client, token scalar.Secret) (*streams.Stream, error) {
	stream, err := client.Streams.Create(ctx, streams.CreateStreamRequest{
		Name: name, Network: network, Dataset: streams.DatasetBlock, Region: streams.RegionUsaEast, DatasetBatchSize: 5,
		StartRange: from, EndRange: to, Status: streams.StatusActive, IncludeStreamMetadata: streams.MetadataBody,
		Target: streams.To(streams.Webhook{URL: scalar.NewSecretURL(*address), SecurityToken: token, MaxRetry: 10,
			RetryIntervalSec: 5, PostTimeoutSec: 30, Compression: streams.CompressionGzip}),
	}, rpcfleet.WithCreateJournal(rpcfleet.FileCheckpointStore{}, name+"-create"))
	if err == nil && stream.Status == streams.StatusTerminated {
		err = client.Streams.Activate(ctx, stream.ID)
	}
	return stream, err
}

// killed is a receiver that is killed after it has written the second batch, and before it responds.
func killed(receiver http.Handler, token scalar.Secret) http.Handler {
	deliveries := 0
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		receiver.ServeHTTP(w, r)
		if deliveries++; deliveries == 2 {
			fmt.Println("Killed")
			receiver, _ = open(r.Context(), token)
			panic(http.ErrAbortHandler)
		}
	})
}
