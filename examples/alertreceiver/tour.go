package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// tour has an emulator deliver to the service, each delivery twice and more.
func tour(ctx context.Context, stdout, stderr io.Writer) error {
	_, _ = fmt.Fprintf(stderr, "No %s: a tour on an emulator\n", tokensVariable)
	e := emulator.New()
	defer e.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithHTTPClient(e.Client()), rpcfleet.WithAPIKey(e.APIKey))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	destination, notification, err := subscribe(ctx, client, "http://"+listener.Addr().String()+"/alerts")
	if err != nil {
		_ = listener.Close()
		return err
	}
	o := options{path: "/alerts", queue: 100, workers: 4, drain: 10 * time.Second}
	s, err := newService(o, []scalar.Secret{destination.Token}, (&writer{out: stdout}).handle, slog.New(slog.DiscardHandler))
	if err != nil {
		_ = listener.Close()
		return err
	}
	serving, stop := context.WithCancel(ctx)
	defer stop()
	served := make(chan error, 1)
	go func() { served <- s.serve(serving, listener) }()
	sent, err := deliver(ctx, e, notification.ID)
	stop()
	if serveErr := <-served; err == nil {
		err = serveErr
	}
	_, _ = fmt.Fprintf(stderr, "%d deliveries were sent; each is printed once\n", sent)
	return err
}

// subscribe creates a destination and a notification that matches every block.
func subscribe(ctx context.Context, client *rpcfleet.Client, address string) (*alerts.Destination, *alerts.Notification, error) {
	destination, err := client.Destinations.Create(ctx, alerts.CreateDestinationRequest{
		Name: name, ToURL: scalar.NewSecretURL(address), Service: alerts.DestinationServiceWebhook,
		WebhookType: alerts.WebhookTypePOST, PayloadType: alerts.PayloadTypeLayout1,
	})
	if err != nil {
		return nil, nil, err
	}
	notification, err := client.Notifications.Create(ctx, alerts.CreateNotificationRequest{
		Name: name, Network: alerts.AlertNetworkEthereumMainnet, Expression: "tx_to =~ '^0x'",
		DestinationIDs: []string{destination.ID},
	})
	return destination, notification, err
}

// deliver delivers three blocks, each three times.
func deliver(ctx context.Context, e *emulator.Emulator, notification string) (sent int, err error) {
	for block := range int64(3) {
		outcomes, err := e.Deliver(ctx, notification, 100+block)
		if err != nil {
			return sent, err
		}
		for _, first := range outcomes {
			if first.Err != nil {
				return sent, first.Err
			}
			for range 2 {
				again, err := e.Redeliver(ctx, first.EventID)
				if err != nil || again.Err != nil {
					return sent, fmt.Errorf("a delivery that came again was refused: %w", errors.Join(err, again.Err))
				}
				sent++
			}
			sent++
		}
	}
	return sent, nil
}
