package emulator

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// rejectAlerts writes the response of a failed operation.
func rejectAlerts(w http.ResponseWriter, failed *serve.Error) {
	rejectPlainly(w, failed.Status, failed.Reason)
}

func (r *request) CreateDestination(body *alertsapi.CreateDestinationRequest) (*alertsapi.Destination, error) {
	if err := checkAddress("to_url", body.ToURL); err != nil {
		return nil, err
	}
	return *addTo(&r.state.destinations, &alertsapi.Destination{
		ID: r.state.ids.uuid(), CreatedAt: r.state.now(), UpdatedAt: r.state.now(), Name: body.Name, To: body.ToURL,
		WebhookType: body.WebhookType, Service: string(body.Service), Token: r.state.ids.text(32),
		PayloadType: body.PayloadType,
	}), nil
}

// ListDestinations is GET /destinations. The oldest comes first.
func (r *request) ListDestinations(params alertsapi.ListDestinationsParams) ([]alertsapi.Destination, error) {
	page, _, _, err := offsetPage(&r.settings, r.state.destinations, params.Limit, params.Offset)
	return each(page, func(d *alertsapi.Destination) alertsapi.Destination { return *d }), err
}

func (r *request) GetDestination() (*alertsapi.Destination, error) { return r.destination, nil }

// DeleteDestination is DELETE /destinations/{id}. Its notifications lose the destination (assumed).
func (r *request) DeleteDestination() error {
	remove(&r.state.destinations, r.destination.ID)
	for _, n := range r.state.notifications {
		remove(&n.Destinations, r.destination.ID)
	}
	return nil
}

// notification is an expression on a network with the destinations and the events of its matches.
type notification struct {
	alertsapi.Notification

	events []*alertsapi.NotificationEvent
}

// CreateNotification is POST /notifications. A new notification is enabled (assumed).
func (r *request) CreateNotification(body *alertsapi.CreateNotificationRequest) (*alertsapi.Notification, error) {
	r.notification = &notification{Notification: alertsapi.Notification{
		ID: r.state.ids.uuid(), CreatedAt: new(r.state.now()), Enabled: new(true)}}
	created, err := r.setNotification(body, body.DestinationIDs)
	if err == nil {
		r.state.notifications = append(r.state.notifications, r.notification)
	}
	return created, err
}

func (r *request) UpdateNotification(body *alertsapi.UpdateNotificationRequest) (*alertsapi.Notification, error) {
	return r.setNotification(body, body.DestinationIDs)
}

// setNotification sets the fields that are given, or none of them if one is not acceptable.
func (r *request) setNotification(body any, destinations []string) (*alertsapi.Notification, error) {
	changed := merged(r.notification.Notification, body)
	if _, _, err := matching(changed.Expression, changed.Network, 0); err != nil {
		return nil, err
	}
	if changed.DestinationIDs = nil; destinations != nil {
		changed.Destinations = nil
		for _, id := range destinations {
			found, err := find(r.state.destinations, "destination", id)
			if err != nil {
				return nil, serve.BadRequest("destinationIds: there is no destination " + id)
			}
			if !slices.Contains(changed.Destinations, *found) {
				changed.Destinations = append(changed.Destinations, *found)
			}
		}
	}
	changed.UpdatedAt = new(r.state.now())
	r.notification.Notification = changed
	return &changed, nil
}

// ListNotifications is GET /notifications. The oldest comes first.
func (r *request) ListNotifications(params alertsapi.ListNotificationsParams) ([]alertsapi.Notification, error) {
	page, _, _, err := offsetPage(&r.settings, r.state.notifications, params.Limit, params.Offset)
	return each(page, func(n *notification) alertsapi.Notification { return n.Notification }), err
}

func (r *request) GetNotification() (*alertsapi.Notification, error) {
	return &r.notification.Notification, nil
}

// DeleteNotification is DELETE /notifications/{id}. It deletes the events as well.
func (r *request) DeleteNotification() error {
	remove(&r.state.notifications, r.notification.ID)
	return nil
}

func (r *request) EnableNotification() error  { return r.setEnabled(true) }
func (r *request) DisableNotification() error { return r.setEnabled(false) }

func (r *request) setEnabled(on bool) error {
	r.notification.Enabled, r.notification.UpdatedAt = &on, new(r.state.now())
	return nil
}

// ListNotificationEvents is GET /notifications/{id}/events. The newest event comes first. Pages count from 1 (assumed).
func (r *request) ListNotificationEvents(params alertsapi.ListNotificationEventsParams) (
	*alertsapi.NotificationEventPage, error) {
	newest := slices.Clone(r.notification.events)
	slices.Reverse(newest)
	page, limit, offset, err := offsetPage(&r.settings, newest, params.Limit, params.Offset)
	number := offset/max(limit, 1) + 1
	return &alertsapi.NotificationEventPage{
		Data:     each(page, func(v *alertsapi.NotificationEvent) alertsapi.NotificationEvent { return *v }),
		PageInfo: &alertsapi.PageInfo{Limit: &limit, Page: &number},
	}, err
}

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
