package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// look reads what an account can tell without changing anything.
func look(ctx context.Context, client *rpcfleet.Client) error {
	account, err := client.Account.Info(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("\nAccount %d, %q, billing %s\n", account.ID, account.Name, account.BillingVersion)

	chains, err := client.Chains.List(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%d chains are on offer\n", len(chains))
	if len(chains) > 0 && chains[0].Slug != nil {
		credits, err := client.Chains.APICredits(ctx, *chains[0].Slug)
		if err != nil {
			return err
		}
		fmt.Printf("On %s, %d methods have a price in credits\n", *chains[0].Slug, len(credits))
	}

	invoices, err := client.Billing.Invoices(ctx)
	if err != nil {
		return err
	}
	for _, invoice := range invoices {
		fmt.Printf("Invoice %s: %s, %d cents due\n", text(invoice.ID), text(invoice.Status), number(invoice.AmountDue))
	}

	endpoints := 0
	for _, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{}) {
		if err != nil {
			return err
		}
		endpoints++
	}
	fmt.Printf("The fleet has %d endpoints\n", endpoints)
	return nil
}

// stumble shows the two kinds of error that a program meets most.
func stumble(ctx context.Context, client *rpcfleet.Client) error {
	fmt.Println()
	_, err := client.Endpoints.Get(ctx, "no-such-endpoint")
	if !errors.Is(err, rpcfleet.ErrNotFound) {
		return fmt.Errorf("expected a not-found error, got: %w", err)
	}
	fmt.Println("Not found, as expected:", err)

	_, err = client.Endpoints.List(ctx, admin.ListEndpointsParams{SortBy: new(admin.SortBy("favour"))})
	var invalid *rpcfleet.ValidationError
	if !errors.As(err, &invalid) {
		return fmt.Errorf("expected a validation error, got: %w", err)
	}
	fmt.Printf("Refused before sending, as expected: %s %s\n", invalid.Field, invalid.Rule)
	return nil
}

// text and number read values that the service may leave out.
func text(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}

func number(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}
