package emulator

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
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

// message is what travels to a webhook. It is made once: every attempt sends the same bytes.
type message struct {
	body   []byte
	header http.Header
}

// payload is the body of a message. The contract states none of the seven layouts that the service has. This one is
// made up, and the same for all of them.
type payload struct {
	NotificationID string   `json:"notification_id"`
	Network        string   `json:"network"`
	BlockNumber    int64    `json:"block_number"`
	MatchedHashes  []string `json:"matched_hashes"`
}

// newMessage signs a payload as the service was observed to: the base64 of the HMAC-SHA256 of nonce, content hash and
// timestamp, keyed by the destination's token. How the service makes the content hash is not known; here it is the
// SHA-256 of the body in hexadecimal digits. That the timestamp is in unix seconds is assumed.
func newMessage(content payload, token, nonce string, now time.Time) (message, error) {
	body, err := json.Marshal(content)
	if err != nil {
		return message{}, err
	}
	digest := sha256.Sum256(body)
	hash, timestamp := hex.EncodeToString(digest[:]), strconv.FormatInt(now.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte(nonce + hash + timestamp))
	header := make(http.Header)
	header.Set("Content-Type", "application/json")
	header.Set("x-qn-timestamp", timestamp)
	header.Set("x-qn-nonce", nonce)
	header.Set("x-qn-content-hash", hash)
	header.Set("x-qn-signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return message{body, header}, nil
}

// webhooks is the client that messages are sent with. A redirect is the webhook's response: a payload goes nowhere
// else.
var webhooks = &http.Client{
	Transport:     webhookTransport(),
	Timeout:       10 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// webhookTransport keeps as many connections to a webhook open as messages are sent to it at once. The default of two
// would make a new one for nearly every message of a burst, until the machine refuses more.
func webhookTransport() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = transport.MaxIdleConns
	return transport
}

// send sends the message and returns the status of the response, or 0 where none came. The body goes with a GET too,
// which is assumed.
func (m *message) send(ctx context.Context, to *destination) (int, error) {
	request, err := http.NewRequestWithContext(ctx, string(to.method), to.url, bytes.NewReader(m.body))
	if err != nil {
		return 0, errUnreachable
	}
	request.Header = m.header.Clone()
	response, err := webhooks.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		return 0, errUnreachable
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.CopyN(io.Discard, response.Body, 64<<10) // A connection that was read to its end is used again.
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return response.StatusCode, fmt.Errorf("the webhook responded with %d", response.StatusCode)
	}
	return response.StatusCode, nil
}
