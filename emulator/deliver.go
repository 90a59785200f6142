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
	EventID string `json:"eventId"`
	// DestinationID is the id of the destination.
	DestinationID string `json:"destinationId"`
	// Status is the status of the receiver's response, or 0 without a response.
	Status int `json:"status"`
	// Err is nil if the receiver accepted the payload with a status from 200 to 299.
	Err error `json:"error,omitempty"`
}

// deliveryError is an error with a JSON form. It does not contain the receiver's address, which may contain a secret.
type deliveryError string

func (e deliveryError) Error() string { return string(e) }

// Deliver evaluates a notification's expression on one block. If it matches, Deliver sends a signed payload to each of
// the notification's destinations, one after the other, by the method of the destination. Each becomes an event and is
// attempted once. A notification that is disabled, or whose expression does not match, delivers nothing.
//
// Blocks are made up. Every block has four transactions: number i of block n, counting from 0, goes from the address
// 100 + (n+i) mod 10 to the address (n+i) mod 10, written in decimal digits as
// 0x0000000000000000000000000000000000000007, with i+1 times 10^17 as its value. So tx_to ==
// '0x0000000000000000000000000000000000000007' matches the blocks whose number ends in 4, 5, 6 or 7, and tx_to =~ '^0x'
// matches every block.
//
// The layout of the payload and the content hash are the emulator's own, since the contract does not state them.
func (e *Emulator) Deliver(ctx context.Context, notificationID string, block int64) ([]DeliveryOutcome, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n, err := find(e.state.notifications, "notification", notificationID)
	if err != nil {
		return nil, err
	}
	if block < 0 {
		return nil, errors.New("a block's number must not be negative")
	}
	indexes, hashes, err := matching(n.Expression, n.Network, block)
	if err != nil || !*n.Enabled || len(hashes) == 0 {
		return nil, err
	}
	// The contract describes none of the seven layouts of the service. This one is made up, and the same for all.
	body, _ := json.Marshal(map[string]any{ // Texts and numbers always have a JSON form.
		"notification_id": n.ID, "network": n.Network, "block_number": block, "matched_hashes": hashes})
	var outcomes []DeliveryOutcome
	for _, to := range slices.Clone(n.Destinations) {
		event := &alertsapi.NotificationEvent{
			ID: e.state.ids.uuid(), DestinationID: to.ID, NotificationID: n.ID, To: &to.To, CreatedAt: new(e.state.now()),
			BlockNumber: strconv.FormatInt(block, 10), TxMatchedIndexes: new(strings.Join(indexes, ",")),
		}
		header := sign(body, to.Token, e.state.ids.uuid(), *event.CreatedAt)
		e.mu.Unlock() // A webhook may call the emulator.
		status, err := send(ctx, string(to.WebhookType), to.To, body, header)
		e.mu.Lock()
		event.Delivered = new(err == nil)
		if err != nil {
			event.DeliveredError = new(err.Error())
		} else {
			event.DeliveredAt = new(e.state.now())
		}
		n.events = append(n.events, event)
		outcomes = append(outcomes, DeliveryOutcome{EventID: event.ID, DestinationID: to.ID, Status: status, Err: err})
	}
	return outcomes, nil
}

// sign returns the header of a payload. The signature is the base64 of the HMAC-SHA256 of nonce, content hash and
// timestamp, with the destination's token as its key (observed). The content hash of the service is not known. Here it
// is the SHA-256 of the body in hexadecimal digits. The timestamp is in unix seconds (assumed).
func sign(body []byte, token, nonce string, now time.Time) http.Header {
	digest := sha256.Sum256(body)
	hash, timestamp := hex.EncodeToString(digest[:]), strconv.FormatInt(now.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte(nonce + hash + timestamp))
	return http.Header{
		"Content-Type": {"application/json"}, "X-Qn-Timestamp": {timestamp}, "X-Qn-Nonce": {nonce},
		"X-Qn-Content-Hash": {hash}, "X-Qn-Signature": {base64.StdEncoding.EncodeToString(mac.Sum(nil))},
	}
}

// receivers is the client that sends deliveries. It does not follow redirects. It keeps idle connections, because a burst of
// messages would otherwise open a new one for nearly each of them, until the machine refuses more.
var receivers = &http.Client{
	Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 100},
	Timeout:       10 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// send sends a body, and returns the status of the response, or 0 without one. A GET has the body too (assumed).
func send(ctx context.Context, method, address string, body []byte, header http.Header) (int, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return 0, deliveryError("the receiver cannot be reached")
	}
	request.Header = header.Clone()
	response, err := receivers.Do(request)
	if err != nil {
		return 0, cmp.Or[error](ctx.Err(), deliveryError("the receiver cannot be reached"))
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.CopyN(io.Discard, response.Body, 64<<10) // A body that is read to its end frees the connection.
	if response.StatusCode < 200 || response.StatusCode > 299 {
		err = deliveryError(fmt.Sprintf("the receiver responded with %d", response.StatusCode))
	}
	return response.StatusCode, err
}

// expressionForm matches an expression: its field, operator and text.
var expressionForm = regexp.MustCompile(`^\s*([a-z_]+)\s*(==|!=|=~)\s*(?:'([^']*)'|"([^"]*)")\s*$`)

// matching returns the indexes and the hashes of a block's transactions that match an expression. The language is a
// small part of the service's own: a field of a made-up block's transaction, one of ==, != and =~, and a text in single
// or double quotes, without escapes. The fields are block_number, tx_index, tx_hash, tx_from, tx_to and tx_value. They
// are compared as text, and case matters. The operator =~ takes a regular expression of package regexp, which may match
// a part of the field.
func matching(text []byte, network alertsapi.AlertNetwork, number int64) (indexes, hashes []string, err error) {
	form := expressionForm.FindSubmatch(text)
	if form == nil {
		return nil, nil, serve.BadRequest("expression: must be a comparison such as tx_to == 'x'")
	}
	field, operator, wanted := string(form[1]), string(form[2]), string(form[3])+string(form[4])
	if operator != "=~" {
		wanted = "^" + regexp.QuoteMeta(wanted) + "$"
	}
	expression, err := regexp.Compile(wanted)
	if err != nil {
		return nil, nil, serve.BadRequest("expression: " + err.Error())
	}
	hashes = []string{}
	for _, t := range blockOf(network, number) {
		value, known := t[field]
		if !known {
			return nil, nil, serve.BadRequest("expression: there is no field " + field)
		}
		if expression.MatchString(value) == (operator != "!=") {
			indexes, hashes = append(indexes, t["tx_index"]), append(hashes, t["tx_hash"])
		}
	}
	return indexes, hashes, nil
}

// blockOf makes up the four transactions of a block, as documented at Emulator.Deliver: their fields by name. Networks
// differ only in the hashes.
func blockOf(network alertsapi.AlertNetwork, number int64) []map[string]string {
	address := func(n int64) string { return fmt.Sprintf("0x%040d", n) }
	block := make([]map[string]string, 4)
	for i := range block {
		block[i] = map[string]string{
			"block_number": strconv.FormatInt(number, 10), "tx_index": strconv.Itoa(i),
			"tx_hash":  fmt.Sprintf("0x%x", sha256.Sum256(fmt.Appendf(nil, "%s/%d/%d", network, number, i))),
			"tx_from":  address(100 + (number%10+int64(i))%10),
			"tx_to":    address((number%10 + int64(i)) % 10),
			"tx_value": fmt.Sprintf("%d00000000000000000", i+1),
		}
	}
	return block
}

func (r *request) ValidateExpression(body *alertsapi.ValidateExpressionRequest) error {
	_, _, err := matching(body.Expression, body.Network, 0)
	return err
}

// BacktestExpression is POST /notifications/backtest. It covers the given block and the blocks before it, the newest
// first. There is none before block 0 (assumed).
func (r *request) BacktestExpression(body *alertsapi.BacktestExpressionRequest) (*alertsapi.BacktestResult, error) {
	result := &alertsapi.BacktestResult{ExpressionResult: []alertsapi.BacktestBlock{}}
	for number := body.BlockNumber; number >= max(body.BlockNumber-int64(body.BacktestCount)+1, 0); number-- {
		_, hashes, err := matching(body.Expression, body.Network, number)
		if err != nil {
			return nil, err
		}
		result.ExpressionResult = append(result.ExpressionResult, alertsapi.BacktestBlock{
			BlockNumber: number, Network: string(body.Network), MatchedHashes: hashes, Evaluation: len(hashes) > 0,
		})
	}
	return result, nil
}
