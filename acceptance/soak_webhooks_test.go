package acceptance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// hookPlayer has a webhook of its own, to which the emulator delivers. Deliveries fail and come again.
type hookPlayer struct {
	*soaker
	deleting     *soakDeleting
	server       *httptest.Server
	notification *notificationModel
	block        int

	mu       sync.Mutex
	receiver http.Handler
	// handled counts how often the callback took a block over, and delivered has the blocks that were delivered.
	handled, delivered map[string]int
	failing            int
}

func newHookPlayer(w *soaker, deleting *soakDeleting) *hookPlayer {
	p := &hookPlayer{soaker: w, deleting: deleting, handled: map[string]int{}, delivered: map[string]int{}}
	p.server = httptest.NewServer(p)
	w.t.Cleanup(p.server.Close)
	return p
}

// ServeHTTP receives a delivery, and loses the response to it now and then.
func (p *hookPlayer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.failing++
	lost, receiver := p.failing%7 == 0, p.receiver
	p.mu.Unlock()
	if lost {
		receiver.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	}
	receiver.ServeHTTP(w, r)
}

// handle is the callback. Each fifth time it fails.
func (p *hookPlayer) handle(_ context.Context, delivery *alerts.Delivery) error {
	var payload struct {
		BlockNumber int `json:"block_number"`
	}
	if err := json.Unmarshal(delivery.Payload, &payload); err != nil {
		return alerts.Permanent(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failing%5 == 0 {
		return errors.New("not now")
	}
	p.handled[fmt.Sprint(payload.BlockNumber)]++
	return nil
}

// prepare creates the destination and the notification.
func (p *hookPlayer) prepare() {
	destination := ""
	for destination == "" {
		destination = p.destinationOf(p.deleting, p.name+"-hook", p.server.URL, nil)
	}
	var token scalar.Secret
	p.insist("getDestination", func() error {
		record, err := p.client.Destinations.Get(p.t.Context(), destination)
		if err == nil {
			token = record.Token
		}
		return err
	})
	verifier, err := alerts.NewHMACVerifier([]scalar.Secret{token}, alerts.HeaderNames{})
	p.must("making a verifier", err)
	receiver, err := alerts.NewReceiver(verifier, p.handle)
	p.must("making a receiver", err)
	p.mu.Lock()
	p.receiver = receiver
	p.mu.Unlock()
	model := &notificationModel{name: p.name + "-hook", expression: everyBlock, on: true, destinations: []string{destination}}
	for model.id == "" {
		model.id = p.notificationOf(p.deleting, model, nil)
	}
	p.notification = model
}

// play has a block delivered until the webhook has taken it over, and then a few times more.
func (p *hookPlayer) play() {
	if p.notification == nil {
		p.prepare()
	}
	p.block++
	outcomes, err := p.service.Deliver(p.t.Context(), p.notification.id, int64(p.block))
	p.same("outcomes of a delivery", 1, len(outcomes))
	if len(outcomes) != 1 {
		return
	}
	for attempt := 0; err == nil && outcomes[0].Status != http.StatusOK && attempt < soakPatience; attempt++ {
		outcomes[0], err = p.service.Redeliver(p.t.Context(), outcomes[0].EventID)
	}
	p.must("delivering", err)
	p.delivered[fmt.Sprint(p.block)] = 1
	p.again(outcomes[0], p.IntN(4))
	if p.IntN(10) == 0 {
		p.readEvents()
	}
	time.Sleep(20 * time.Millisecond)
}

// again delivers an event some times more, all at once.
func (p *hookPlayer) again(outcome emulator.DeliveryOutcome, times int) {
	var deliveries sync.WaitGroup
	for range times {
		deliveries.Go(func() {
			p.tally.note("deliveries that came again")
			_, _ = p.service.Redeliver(p.t.Context(), outcome.EventID)
		})
	}
	deliveries.Wait()
}

// readEvents reads the events of the notification: one for each block that was delivered.
func (p *hookPlayer) readEvents() {
	blocks := map[string]int{}
	for event, err := range p.client.Notifications.AllEvents(p.t.Context(), p.notification.id, alerts.ListNotificationEventsParams{}) {
		if !p.came("listNotificationEvents", err) {
			return
		}
		blocks[event.BlockNumber]++
	}
	p.tally.sameKeys(p.name+": events", p.delivered, blocks)
}

// verify holds what was handled against what was delivered, and reads the events once more.
func (p *hookPlayer) verify(*soakState) {
	if p.notification == nil {
		return
	}
	p.tally.sameKeys(p.name+": blocks that were handled", p.delivered, p.handled)
	p.client = p.clean
	p.readEvents()
}

func (p *hookPlayer) owns() soakCounts {
	if p.notification == nil {
		return nil
	}
	return soakCounts{"destinations": 1, "notifications": 1}
}

func (p *hookPlayer) close() { p.server.Close() }
