package emulator

import (
	"context"
	"errors"
)

// DeliveryOutcome is how one attempt to deliver an event to a destination ended.
type DeliveryOutcome struct {
	// EventID is the id of the event, which Notifications.Events lists as well.
	EventID string
	// DestinationID is the id of the destination.
	DestinationID string
	// Status is the status of the webhook's response, or 0 where none came.
	Status int
	// Err is nil where the webhook took the payload over, by a status of 200 to 299.
	Err error
}

// errUnreachable does not say more, because a webhook's address may hold a secret.
var errUnreachable = errors.New("the webhook cannot be reached")

// Deliver evaluates a notification's expression on one block, and where it matches, sends a signed payload to each of
// the notification's destinations, one after the other, by the method of the destination. Each becomes an event, and
// each is attempted once: a webhook that asks for another attempt gets it by Redeliver. A notification that is off, or
// whose expression does not match, delivers nothing.
//
// Blocks are made up. Every block has four transactions: number i of block n, counting from 0, goes from the address
// 100 + (n+i) mod 10 to the address (n+i) mod 10, written in decimal digits as
// 0x0000000000000000000000000000000000000007, with i+1 times 10^17 as its value. So tx_to ==
// '0x0000000000000000000000000000000000000007' matches the blocks whose number ends in 4, 5, 6 or 7, and tx_to =~ '^0x'
// matches every block.
//
// The layout of the payload and the content hash are the emulator's own, since the contract does not state them.
func (e *Emulator) Deliver(ctx context.Context, notificationID string, block int64) ([]DeliveryOutcome, error) {
	events, err := e.match(notificationID, block)
	if err != nil {
		return nil, err
	}
	outcomes := make([]DeliveryOutcome, 0, len(events))
	for _, v := range events {
		outcomes = append(outcomes, e.try(ctx, v))
	}
	return outcomes, nil
}

// Redeliver sends an event's payload once more: the same bytes, with the same nonce, timestamp and signature.
func (e *Emulator) Redeliver(ctx context.Context, eventID string) (DeliveryOutcome, error) {
	found, err := e.event(eventID)
	if err != nil {
		return DeliveryOutcome{}, err
	}
	return e.try(ctx, found), nil
}

// match makes the events of one block.
func (e *Emulator) match(notificationID string, number int64) ([]*event, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n, err := e.state.alerts.notification(notificationID)
	if err != nil {
		return nil, err
	}
	if number < 0 {
		return nil, errors.New("a block's number must not be negative")
	}
	block := blockOf(string(n.network), number)
	places := matches(n.expression, block)
	if !n.enabled || len(places) == 0 {
		return nil, nil
	}
	content := payload{NotificationID: n.id, Network: string(n.network), BlockNumber: number}
	for _, place := range places {
		content.MatchedHashes = append(content.MatchedHashes, block[place]["tx_hash"])
	}
	var events []*event
	for _, to := range n.destinations {
		signed, err := newMessage(content, to.token, e.state.ids.uuid(), e.state.now())
		if err != nil {
			return nil, err
		}
		events = append(events, &event{
			id: e.state.ids.uuid(), notificationID: n.id, to: to, block: number, places: places,
			createdAt: e.state.now(), message: signed,
		})
	}
	n.events = append(n.events, events...)
	return events, nil
}

// try sends an event and records the outcome. Nothing is held meanwhile, so that a webhook may call the emulator.
func (e *Emulator) try(ctx context.Context, v *event) DeliveryOutcome {
	status, err := v.message.send(ctx, v.to)
	e.mu.Lock()
	defer e.mu.Unlock()
	v.settle(e.state.now(), err)
	return DeliveryOutcome{EventID: v.id, DestinationID: v.to.id, Status: status, Err: err}
}

// event finds an event.
func (e *Emulator) event(id string) (*event, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, n := range e.state.alerts.notifications {
		for _, v := range n.events {
			if v.id == id {
				return v, nil
			}
		}
	}
	return nil, notFound("event not found")
}
