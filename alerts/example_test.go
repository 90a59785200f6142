package alerts_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// A delivery that comes again gets the same response, and the callback is not run for it.
func ExampleReceiver() {
	token := scalar.NewSecret("made-up-destination-token")
	verifier, err := alerts.NewHMACVerifier([]scalar.Secret{token}, alerts.HeaderNames{})
	if err != nil {
		log.Fatal(err)
	}
	receiver, err := alerts.NewReceiver(verifier, func(_ context.Context, delivery *alerts.Delivery) error {
		fmt.Printf("executed: %s\n", delivery.Payload)
		return nil
	}, alerts.WithMaxBody(64<<10), alerts.WithReadTimeout(5*time.Second))
	if err != nil {
		log.Fatal(err)
	}

	stamp := alerts.Headers{Timestamp: time.Now(), Nonce: "nonce-1", ContentHash: "hash-1"}
	for range 2 {
		request := httptest.NewRequest(http.MethodPost, "/alerts", strings.NewReader(`{"block_number":7}`))
		if err := (alerts.Signer{Token: token}).Sign(request.Header, stamp); err != nil {
			log.Fatal(err)
		}
		response := httptest.NewRecorder()
		receiver.ServeHTTP(response, request)
		fmt.Println(response.Code)
	}
	// Output:
	// executed: {"block_number":7}
	// 200
	// 200
}

// bodyVerifier checks a signature over the body, in hexadecimal digits.
type bodyVerifier struct{ key []byte }

var _ alerts.ContentVerifier = bodyVerifier{}

func (bodyVerifier) Verify(header http.Header) (alerts.Headers, error) {
	signature := strings.ToLower(header.Get("hook-signature")) // One spelling, or a replay could use another.
	if signature == "" {
		return alerts.Headers{}, fmt.Errorf("hook-signature: %w", alerts.ErrHeader)
	}
	return alerts.Headers{Signature: signature}, nil
}

func (v bodyVerifier) VerifyContent(_ *http.Request, body []byte, headers alerts.Headers) error {
	given, err := hex.DecodeString(headers.Signature)
	if err != nil {
		return fmt.Errorf("hook-signature: %w", alerts.ErrHeader)
	}
	mac := hmac.New(sha256.New, v.key)
	mac.Write(body)
	if !hmac.Equal(given, mac.Sum(nil)) {
		return alerts.ErrUnverified
	}
	return nil
}

// A scheme that signs the body is checked in two steps: the headers before the body is read, the rest after it.
func ExampleContentVerifier() {
	handle := func(context.Context, *alerts.Delivery) error { return nil }
	receiver, err := alerts.NewReceiver(bodyVerifier{[]byte("made-up-key")}, handle)
	if err != nil {
		log.Fatal(err)
	}
	mac := hmac.New(sha256.New, []byte("made-up-key"))
	mac.Write([]byte(`{"block_number":7}`))
	for _, body := range []string{`{"block_number":7}`, `{"block_number":8}`} {
		request := httptest.NewRequest(http.MethodPost, "/alerts", strings.NewReader(body))
		request.Header.Set("hook-signature", hex.EncodeToString(mac.Sum(nil)))
		response := httptest.NewRecorder()
		receiver.ServeHTTP(response, request)
		fmt.Println(response.Code)
	}
	// Output:
	// 200
	// 401
}

// An expression is plain text in a program and base64 on the wire. An expression that is base64 already is parsed.
func ExampleExpression() {
	expression := alerts.Expression("tx_to == '0x00000000219ab540356cbb839cbe05303d7705fa'")
	fmt.Println(expression.Base64()[:20] + "...")

	parsed, err := alerts.ParseExpression("dHhfdG8gPT0gJzB4MSc=")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(parsed)
	// Output:
	// dHhfdG8gPT0gJzB4MDAw...
	// tx_to == '0x1'
}

// A delivery of a test of one's own, signed and then checked. Two tokens are good while one takes the other's place.
func ExampleSigner() {
	old, current := scalar.NewSecret("made-up-token-1"), scalar.NewSecret("made-up-token-2")
	verifier, err := alerts.NewHMACVerifier([]scalar.Secret{old, current}, alerts.HeaderNames{})
	if err != nil {
		log.Fatal(err)
	}

	for _, token := range []scalar.Secret{old, current, scalar.NewSecret("made-up-token-3")} {
		request := httptest.NewRequest(http.MethodPost, "/alerts", strings.NewReader(`{"block_number":7}`))
		stamp := alerts.Headers{Timestamp: time.Now(), Nonce: "nonce-1", ContentHash: "hash-1"}
		if err := (alerts.Signer{Token: token}).Sign(request.Header, stamp); err != nil {
			log.Fatal(err)
		}
		headers, err := verifier.Verify(request.Header)
		fmt.Printf("%q %v\n", headers.Nonce, err)
	}
	// Output:
	// "nonce-1" <nil>
	// "nonce-1" <nil>
	// "" alerts: the delivery is not verified
}
