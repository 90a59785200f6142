//go:build unix

package acceptance

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// ledgerVariable is the environment of the program that is killed: the file of its ledger.
const ledgerVariable = "RPCFLEET_TEST_LEDGER"

// TestReceiver_executesOnceAcrossKills delivers 10,000 blocks to a program that is killed forty times, fails, and loses
// responses. In the end each block is in its ledger once. The program is this test itself, with other settings. It gets
// its socket from here, so that deliveries wait while it starts.
func TestReceiver_executesOnceAcrossKills(t *testing.T) {
	if name := os.Getenv(ledgerVariable); name != "" {
		keepLedger(t, name)
		return
	}
	blocks, kills := 10_000, 40
	if race.Enabled {
		blocks, kills = 1_000, 4
	}
	listener := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer listener.Close()
	socket := must(listener.(*net.TCPListener).File())(t)
	defer socket.Close()
	b, ledger := start(t), t.TempDir()+"/ledger"
	hook := must(b.Webhooks.Create(t.Context(), aWebhook("http://"+listener.Addr().String())))(t)
	ctx, ended := context.WithCancel(t.Context())
	var made []emulator.BlockDelivery
	go func() {
		defer ended()
		made, _ = b.DeliverBlocks(t.Context(), hook.Network, int64(blocks))
	}()
	lives := 0
	for ; ctx.Err() == nil; lives++ {
		program := exec.CommandContext(ctx, must(os.Executable())(t), "-test.run=^"+t.Name()+"$")
		program.Env, program.ExtraFiles = append(os.Environ(), ledgerVariable+"="+ledger), []*os.File{socket}
		reports := bufio.NewScanner(must(program.StdoutPipe())(t))
		require.NoError(t, program.Start())
		// After two executions, no delivery has met the last kill.
		for left := 2 + rand.N(100); (left > 0 || lives >= kills) && reports.Scan(); left-- {
		}
		_ = program.Process.Kill()
		_ = program.Wait()
	}
	assert.Greater(t, lives, kills)
	outcomes, executed := map[int]int{}, map[string]int{}
	for _, sent := range made {
		outcomes[sent.Status]++
	}
	for line := range strings.Lines(string(must(os.ReadFile(ledger))(t))) {
		_, block, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		executed[block]++
	}
	for block := 1; block <= blocks; block++ {
		assert.Equal(t, 1, executed[fmt.Sprint(block)], "executions of block %d", block)
	}
	assert.Len(t, executed, blocks)
	for _, status := range []int{0, http.StatusInternalServerError, http.StatusBadGateway} {
		assert.Greater(t, outcomes[status], blocks/50, "attempts that ended with %d", status)
	}
	t.Logf("%d lives, attempts by status: %v", lives, outcomes)
}

// ledger is a store of deliveries in a file that one program writes: a line for each delivery, which is its execution
// and the result of its claim in one.
type ledger struct {
	*os.File

	mu    sync.Mutex
	known map[string]webhooks.ClaimStatus
}

// attempt is in the context of a request: how it fails, and the delivery that it has claimed.
type attempt struct{ fault, delivery string }

func attemptOf(ctx context.Context) *attempt { return ctx.Value(attempt{}).(*attempt) }

// Claim implements webhooks.DedupStore.
func (l *ledger) Claim(ctx context.Context, claim webhooks.Claim, _ time.Duration) (webhooks.ClaimStatus, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if status := l.known[claim.Delivery]; status != "" {
		return status, nil
	}
	attemptOf(ctx).delivery, l.known[claim.Delivery] = claim.Delivery, webhooks.ClaimInProgress
	return webhooks.ClaimGranted, nil
}

// Settle implements webhooks.DedupStore. The line of a delivery that was executed is in the file by now.
func (l *ledger) Settle(_ context.Context, claim webhooks.Claim, outcome webhooks.ClaimStatus, _ time.Duration) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known[claim.Delivery] = outcome; outcome == webhooks.ClaimFailed {
		delete(l.known, claim.Delivery)
	}
	return nil
}

// keepLedger is the program. It lets the first attempt of some deliveries fail, in one of three ways: a proxy responds,
// the callback fails, or the response is lost.
func keepLedger(t *testing.T, name string) {
	l := &ledger{known: map[string]webhooks.ClaimStatus{},
		File: must(os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600))(t)}
	for line := range strings.Lines(string(must(io.ReadAll(l))(t))) {
		delivery, _, _ := strings.Cut(line, " ")
		l.known[delivery] = webhooks.ClaimDone
	}
	var last atomic.Value
	verifier := must(webhooks.NewVerifier([]scalar.Secret{scalar.NewSecret("qnsec_made-up-webhook-token")}))(t)
	receiver := must(webhooks.NewReceiver(verifier, func(ctx context.Context, delivery *webhooks.Delivery) error {
		this := attemptOf(ctx)
		if this.fault == "callback" {
			return errors.New("a made-up failure")
		}
		var block struct{ Number int64 }
		err := json.Unmarshal(delivery.Payload, &block)
		if err == nil {
			_, err = fmt.Fprintln(l, this.delivery, block.Number)
			fmt.Println(block.Number)
		}
		return err
	}, webhooks.WithDedupStore(l, time.Minute)))(t)
	_ = http.Serve(must(net.FileListener(os.NewFile(3, "socket")))(t),
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var this attempt
			if nonce := r.Header.Get("X-Qn-Nonce"); last.Swap(nonce) != nonce {
				this.fault = []string{"proxy", "callback", "response", "", "", "", "", "", "", ""}[rand.N(10)]
			}
			if this.fault == "proxy" {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			receiver.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), attempt{}, &this)))
			if this.fault == "response" {
				panic(http.ErrAbortHandler)
			}
		}))
}
