package emulator

import (
	"bytes"
	"cmp"
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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// DeliveryOutcome is the outcome of one attempt to deliver an event to a destination.
type DeliveryOutcome struct {
	// EventID is the id of the event, as in Notifications.Events.
	EventID string
	// DestinationID is the id of the destination.
	DestinationID string
	// Status is the status of the webhook's response, or 0 without a response.
	Status int
	// Err is nil if the webhook accepted the payload with a status from 200 to 299.
	Err error
}

// errUnreachable does not say more, because a webhook's address may contain a secret.
var errUnreachable = errors.New("the webhook cannot be reached")

// Deliver evaluates a notification's expression on one block. If it matches, Deliver sends a signed payload to each of
// the notification's destinations, one after the other, by the method of the destination. Each becomes an event and is
// attempted once. Redeliver makes another attempt. A notification that is disabled, or whose expression does not match,
// delivers nothing.
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
	return each(events, func(v *event) DeliveryOutcome { return e.attempt(ctx, v) }), err
}

// Redeliver sends an event's payload once more: the same bytes, with the same nonce, timestamp and signature.
func (e *Emulator) Redeliver(ctx context.Context, eventID string) (DeliveryOutcome, error) {
	e.mu.Lock()
	all := slices.Concat(each(e.state.notifications, func(n *notification) []*event { return n.events })...)
	found, err := find(all, "event", eventID)
	e.mu.Unlock()
	if err != nil {
		return DeliveryOutcome{}, err
	}
	return e.attempt(ctx, found), nil
}

// match makes the events of one block.
func (e *Emulator) match(notificationID string, number int64) ([]*event, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n, err := find(e.state.notifications, "notification", notificationID)
	if err != nil {
		return nil, err
	}
	if number < 0 {
		return nil, errors.New("a block's number must not be negative")
	}
	expression, err := parseExpression(string(n.Expression))
	if err != nil {
		return nil, err
	}
	indexes, hashes := matching(expression, n.Network, number)
	if !*n.Enabled || len(hashes) == 0 {
		return nil, nil
	}
	// The contract describes none of the seven layouts of the service. This one is made up, and the same for all.
	body, _ := json.Marshal(struct { // Texts and numbers always have a JSON form.
		NotificationID string   `json:"notification_id"`
		Network        string   `json:"network"`
		BlockNumber    int64    `json:"block_number"`
		MatchedHashes  []string `json:"matched_hashes"`
	}{n.ID, string(n.Network), number, hashes})
	var events []*event
	for _, to := range n.Destinations {
		now := e.state.now()
		header := sign(body, to.Token, e.state.ids.uuid(), now)
		events = append(events,
			&event{destination: to, body: body, header: header, NotificationEvent: alertsapi.NotificationEvent{
				ID: e.state.ids.uuid(), DestinationID: to.ID, NotificationID: n.ID, To: &to.To, CreatedAt: &now,
				BlockNumber: strconv.FormatInt(number, 10), TxMatchedIndexes: new(strings.Join(indexes, ",")),
			}})
	}
	n.events = append(n.events, events...)
	return events, nil
}

// attempt sends an event and records the outcome. Nothing is locked while it sends, so that a webhook may call the
// emulator. An event that was delivered once stays delivered.
func (e *Emulator) attempt(ctx context.Context, v *event) DeliveryOutcome {
	status, err := v.send(ctx)
	e.mu.Lock()
	defer e.mu.Unlock()
	if v.DeliveredAt == nil {
		v.Delivered, v.DeliveredError = new(err == nil), nil
		if err != nil {
			v.DeliveredError = new(err.Error())
		} else {
			v.DeliveredAt = new(e.state.now())
		}
	}
	return DeliveryOutcome{EventID: v.ID, DestinationID: v.destination.ID, Status: status, Err: err}
}

// sign returns the header of a payload. The signature is the base64 of the HMAC-SHA256 of nonce, content hash and
// timestamp, with the destination's token as its key (observed). The content hash of the service is not known. Here it
// is the SHA-256 of the body in hexadecimal digits. The timestamp is in unix seconds (assumed).
func sign(body []byte, token, nonce string, now time.Time) http.Header {
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
	return header
}

// webhooks is the client that sends events. It does not follow redirects. It keeps idle connections, because a burst of
// messages would otherwise open a new one for nearly each of them, until the machine refuses more.
var webhooks = &http.Client{
	Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 100},
	Timeout:       10 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// send sends the event and returns the status of the response, or 0 without one. A GET has the body too (assumed).
func (v *event) send(ctx context.Context) (int, error) {
	to := v.destination
	request, err := http.NewRequestWithContext(ctx, string(to.WebhookType), to.To, bytes.NewReader(v.body))
	if err != nil {
		return 0, errUnreachable
	}
	request.Header = v.header.Clone()
	response, err := webhooks.Do(request)
	if err != nil {
		return 0, cmp.Or(ctx.Err(), errUnreachable)
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.CopyN(io.Discard, response.Body, 64<<10) // A body that is read to its end frees the connection.
	if response.StatusCode < 200 || response.StatusCode > 299 {
		err = fmt.Errorf("the webhook responded with %d", response.StatusCode)
	}
	return response.StatusCode, err
}

// expressionForm matches an expression: its field, operator and text.
var expressionForm = regexp.MustCompile(`^\s*([a-z_]+)\s*(==|!=|=~)\s*(?:'([^']*)'|"([^"]*)")\s*$`)

// parseExpression parses an expression. The language is a small part of the service's own: a field of a made-up block's
// transaction, one of ==, != and =~, and a text in single or double quotes, without escapes. The fields are
// block_number, tx_index, tx_hash, tx_from, tx_to and tx_value. They are compared as text, and case matters. The
// operator =~ takes a regular expression of package regexp, which may match a part of the field.
func parseExpression(text string) (holds func(transaction) bool, err error) {
	form := expressionForm.FindStringSubmatch(text)
	if form == nil {
		return nil, errors.New("expression: must be a comparison such as tx_to == 'x'")
	}
	field, operator, text := form[1], form[2], form[3]+form[4]
	if _, known := blockOf("", 0)[0][field]; !known {
		return nil, errors.New("expression: there is no field " + field)
	}
	if operator != "=~" {
		return func(t transaction) bool { return (t[field] == text) == (operator == "==") }, nil
	}
	pattern, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("expression: %w", err)
	}
	return func(t transaction) bool { return pattern.MatchString(t[field]) }, nil
}

// transaction is a transaction of a made-up block: its fields by name.
type transaction map[string]string

// blockOf makes up the four transactions of a block, as documented at Emulator.Deliver. Networks differ only in the
// hashes.
func blockOf(network string, number int64) []transaction {
	address := func(n int64) string { return fmt.Sprintf("0x%040d", n) }
	block := make([]transaction, 4)
	for i := range block {
		place := fmt.Sprintf("%s/%d/%d", network, number, i)
		block[i] = transaction{
			"block_number": strconv.FormatInt(number, 10), "tx_index": strconv.Itoa(i),
			"tx_hash":  fmt.Sprintf("0x%x", sha256.Sum256([]byte(place))),
			"tx_from":  address(100 + (number%10+int64(i))%10),
			"tx_to":    address((number%10 + int64(i)) % 10),
			"tx_value": fmt.Sprintf("%d00000000000000000", i+1),
		}
	}
	return block
}

// matching returns the indexes and the hashes of a block's transactions that match an expression.
func matching(holds func(transaction) bool, network alertsapi.AlertNetwork, number int64) (indexes, hashes []string) {
	hashes = []string{}
	for _, t := range blockOf(string(network), number) {
		if holds(t) {
			indexes, hashes = append(indexes, t["tx_index"]), append(hashes, t["tx_hash"])
		}
	}
	return indexes, hashes
}

func (r *request) ValidateExpression(body *alertsapi.ValidateExpressionRequest) error {
	if _, err := parseExpression(string(body.Expression)); err != nil {
		return serve.BadRequest(err.Error())
	}
	return nil
}

// BacktestExpression is POST /notifications/backtest. It covers the given block and the blocks before it, the newest
// first. There is none before block 0 (assumed).
func (r *request) BacktestExpression(body *alertsapi.BacktestExpressionRequest) (*alertsapi.BacktestResult, error) {
	parsed, err := parseExpression(string(body.Expression))
	if err != nil {
		return nil, serve.BadRequest(err.Error())
	}
	result := &alertsapi.BacktestResult{ExpressionResult: []alertsapi.BacktestBlock{}}
	for number := body.BlockNumber; number >= max(body.BlockNumber-int64(body.BacktestCount)+1, 0); number-- {
		_, hashes := matching(parsed, body.Network, number)
		result.ExpressionResult = append(result.ExpressionResult, alertsapi.BacktestBlock{
			BlockNumber: number, Network: string(body.Network), MatchedHashes: hashes, Evaluation: len(hashes) > 0,
		})
	}
	return result, nil
}
