package emulator

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/streamsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/webhooksapi"
)

// BlockDelivery is an attempt to deliver the matches of a webhook in a block, or a batch of a stream.
type BlockDelivery struct {
	// ID is the id of the webhook or the stream.
	ID string `json:"id"`
	// From and To are the first and the last block.
	From int64 `json:"from"`
	To   int64 `json:"to"`
	// Attempt counts the attempts of this delivery from 1 on.
	Attempt int `json:"attempt"`
	// Status is the status of the receiver's response, or 0 without a response.
	Status int `json:"status"`
	// Err is nil if the receiver accepted the delivery with a status from 200 to 299.
	Err error `json:"error,omitempty"`
}

// webhookAttempts is the number of attempts after which a webhook is terminated (assumed).
const webhookAttempts = 5

// DeliverBlocks makes a block the newest of a network, and delivers all that is due by then: each active webhook one
// block after the other, from the one after its last, and each active stream in batches. The blocks are made up: see
// [Emulator.Deliver]. A delivery is repeated at once, with the same bytes and signature, until the receiver accepts it.
// After five attempts of a webhook, or the stream's max_retry retries, its status is terminated. A delivery of a
// template has the transactions from or to its addresses, and none is made if there are none. The layout of the
// payloads is the emulator's own. Streams to other destinations than webhooks count as delivered, and bodies in parquet
// or of other datasets do not exist.
func (e *Emulator) DeliverBlocks(ctx context.Context, network string, head int64) (made []BlockDelivery, err error) {
	if err := knownNetwork(network); err != nil {
		return nil, fmt.Errorf("emulator: %w", err)
	}
	e.mu.Lock()
	e.state.heads[network] = max(e.state.heads[network], head)
	all := slices.Concat(each(e.state.webhooks, func(one *hook) source { return one }),
		each(e.state.streams, func(one *stream) source { return one }))
	e.mu.Unlock()
	for _, one := range all {
		made = append(made, e.deliverAll(ctx, one, network)...)
	}
	return made, ctx.Err()
}

// source is a webhook or a stream.
type source interface {
	// message returns the next delivery, or nil if there is none. The state is locked.
	message(s *state, network string) *blockMessage
}

// blockMessage is a delivery before it is sent. Without an address, there is nothing to send.
type blockMessage struct {
	BlockDelivery

	url      string
	header   http.Header
	body     []byte
	attempts int
	// done records the delivery or, after the last attempt, its failure. The state is locked.
	done func(delivered bool)
}

// deliverAll sends one message after the other, as long as there is one. Nothing is locked meanwhile.
func (e *Emulator) deliverAll(ctx context.Context, from source, network string) (made []BlockDelivery) {
	for ctx.Err() == nil {
		e.mu.Lock()
		message := from.message(e.state, network)
		e.mu.Unlock()
		if message == nil {
			break
		}
		delivered := message.url == ""
		for message.Attempt < message.attempts && !delivered && ctx.Err() == nil {
			message.Attempt++
			message.Status, message.Err = send(ctx, http.MethodPost, message.url, message.body, message.header)
			delivered = message.Err == nil
			made = append(made, message.BlockDelivery)
		}
		if delivered || ctx.Err() == nil {
			e.mu.Lock()
			message.done(delivered)
			e.mu.Unlock()
		}
	}
	return made
}

// deliveryError is an error with a JSON form. It does not contain the receiver's address, which may contain a secret.
type deliveryError string

func (e deliveryError) Error() string { return string(e) }

// receivers is the client that sends deliveries. It does not follow redirects. It keeps idle connections, because a
// burst of messages would otherwise open a new one for nearly each of them, until the machine refuses more.
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

// signed sets the body of a message, with the signature of the body before its compression (observed).
func (m *blockMessage) signed(s *state, payload any, token, compression string) {
	m.body, _ = json.Marshal(payload) // It is made of texts and numbers.
	nonce, timestamp := s.ids.text(20), strconv.FormatInt(s.now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte(nonce + timestamp))
	mac.Write(m.body)
	m.header = http.Header{
		"Content-Type": {"application/json"}, "X-Qn-Nonce": {nonce}, "X-Qn-Timestamp": {timestamp},
		"X-Qn-Signature": {hex.EncodeToString(mac.Sum(nil))},
	}
	if compression == "gzip" {
		var packed bytes.Buffer
		writer := gzip.NewWriter(&packed)
		_, _ = writer.Write(m.body)
		_ = writer.Close()
		m.body = packed.Bytes()
		m.header.Set("Content-Encoding", "gzip")
	}
}

// message returns the delivery of the next block.
func (h *hook) message(s *state, network string) *blockMessage {
	if h.Status != webhooksapi.StatusActive || h.Network != network || h.next > s.heads[network] {
		return nil
	}
	number := h.next
	m := &blockMessage{
		BlockDelivery: BlockDelivery{ID: h.ID, From: number, To: number}, attempts: webhookAttempts,
		done: func(delivered bool) {
			switch {
			case !delivered:
				h.Status = webhooksapi.StatusTerminated
			case h.next == number:
				h.next, h.Sequence = number+1, &number
			}
		},
	}
	if payload := h.matches(s, number); payload != nil {
		m.url = h.Destination.URL
		m.signed(s, payload, h.Destination.SecurityToken, string(h.Destination.Compression))
	}
	return m
}

// matches returns what a webhook delivers of a block, or nil.
func (h *hook) matches(s *state, number int64) any {
	if h.TemplateID == "" {
		result, _, _ := filtered(string(h.FilterFunction), h.Network, number)
		return result
	}
	var addresses []string
	for name, list := range h.TemplateArgs {
		if key, is := list.(string); is && name != "eventHashesListName" {
			addresses = append(addresses, s.lists[key]...)
		}
	}
	var found []map[string]string
	for _, one := range blockOf(alertsapi.AlertNetwork(h.Network), number) {
		if slices.Contains(addresses, one["tx_from"]) || slices.Contains(addresses, one["tx_to"]) {
			found = append(found, one)
		}
	}
	if found == nil {
		return nil
	}
	return map[string]any{"network": h.Network, "number": number, "transactions": found}
}

// message returns the delivery of the next batch.
func (t *stream) message(s *state, network string) *blockMessage {
	last := s.heads[network] - int64(t.KeepDistanceFromTip)
	if end := valueOr(t.EndRange, -1); end >= 0 {
		last = min(last, end)
	}
	from := t.next
	to := min(from+int64(t.DatasetBatchSize)-1, last)
	whole := to-from+1 == int64(t.DatasetBatchSize) || t.ElasticBatchEnabled || to == valueOr(t.EndRange, -1)
	if t.Status != streamsapi.StatusActive || string(t.Network) != network || from > last || !whole {
		return nil
	}
	m := &blockMessage{BlockDelivery: BlockDelivery{ID: t.ID, From: from, To: to}, attempts: 1,
		done: func(delivered bool) {
			switch {
			case !delivered:
				t.Status, t.Memo = streamsapi.StatusTerminated, "the destination kept failing"
			case t.next == from:
				t.next, t.Sequence = to+1, &to
				if to == valueOr(t.EndRange, -1) {
					t.Status = streamsapi.StatusCompleted
				}
			}
		}}
	target, _ := readTarget(t.Kind, t.Attributes) // It was checked.
	webhook, is := target.(*streamsapi.Webhook)
	if !is {
		return m
	}
	var batch []any
	for number := from; number <= to; number++ {
		if result, _, _ := filtered(string(t.FilterFunction), network, number); result != nil {
			batch = append(batch, result)
		}
	}
	if batch == nil {
		return m
	}
	metadata := map[string]any{
		"stream_id": t.ID, "stream_name": t.Name, "network": network, "dataset": t.Dataset, "stream_region": t.Region,
		"batch_start_range": from, "batch_end_range": to, "start_range": valueOr(t.StartRange, -1),
		"end_range": valueOr(t.EndRange, -1),
	}
	var payload any = batch
	if t.IncludeStreamMetadata == streamsapi.MetadataBody {
		payload = map[string]any{"data": batch, "metadata": metadata}
	}
	m.url, m.attempts = webhook.URL, webhook.MaxRetry+1
	m.signed(s, payload, webhook.SecurityToken, string(webhook.Compression))
	if t.IncludeStreamMetadata == streamsapi.MetadataHeader {
		for header, name := range map[string]string{
			"batch-start-range": "batch_start_range", "batch-end-range": "batch_end_range", "stream-id": "stream_id",
			"stream-start-range": "start_range", "stream-end-range": "end_range", "stream-name": "stream_name",
			"stream-network": "network", "stream-dataset": "dataset",
		} {
			m.header.Set(header, fmt.Sprint(metadata[name]))
		}
	}
	for name, value := range webhook.Headers {
		m.header.Set(name, value)
	}
	return m
}
