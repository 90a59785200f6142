package emulator

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

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
