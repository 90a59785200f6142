package acceptance

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// notificationModel is what a notification should be like.
type notificationModel struct {
	id, name     string
	expression   alerts.Expression
	on           bool
	destinations []string
}

func (m *notificationModel) view() string {
	return fmt.Sprint(m.id, " ", m.name, " ", m.expression, " ", m.on, " ", slices.Sorted(slices.Values(m.destinations)))
}

func notificationView(record alerts.Notification) string {
	return fmt.Sprint(record.ID, " ", record.Name, " ", record.Expression, " ", valueOf(record.Enabled), " ",
		slices.Sorted(slices.Values(record.DestinationIDs)))
}

// anyDestinations draws some of the player's destinations.
func (p *alertPlayer) anyDestinations() []string {
	ids := slices.AppendSeq([]string{}, maps.Keys(p.destinations)) // An empty list is not the same as none.
	slices.Sort(ids)
	return ids[:p.IntN(len(ids)+1)]
}

func (p *alertPlayer) anyExpression() alerts.Expression {
	return alerts.Expression(fmt.Sprintf("tx_to == '0x%040d'", p.IntN(10)))
}

func (p *alertPlayer) addNotification() {
	if len(p.notifications) >= maxAlerts {
		return
	}
	model := &notificationModel{
		name: fmt.Sprintf("%s-%d", p.name, p.IntN(3)), expression: p.anyExpression(), on: true, destinations: p.anyDestinations(),
	}
	var known []string
	for _, other := range p.notifications {
		known = append(known, other.id)
	}
	if model.id = p.notificationOf(p.deleting, model, known); model.id != "" {
		p.notifications = append(p.notifications, model)
	}
}

// anyNotification draws one of the player's notifications.
func (p *alertPlayer) anyNotification() (model *notificationModel, some bool) {
	if len(p.notifications) == 0 {
		return nil, false
	}
	return p.notifications[p.IntN(len(p.notifications))], true
}

func (p *alertPlayer) readNotification() {
	model, some := p.anyNotification()
	if !some {
		return
	}
	record, err := p.client.Notifications.Get(p.t.Context(), model.id)
	if p.came("getNotification", err) {
		p.same("notification", model.view(), notificationView(*record))
	}
}

func (p *alertPlayer) updateNotification() {
	model, some := p.anyNotification()
	if !some {
		return
	}
	model.expression, model.destinations = p.anyExpression(), p.anyDestinations()
	update := alerts.UpdateNotificationRequest{Expression: &model.expression, DestinationIDs: model.destinations}
	p.set("updateNotification", func() error {
		record, err := p.client.Notifications.Update(p.t.Context(), model.id, update)
		if err == nil {
			p.same("updated notification", model.expression, record.Expression)
		}
		return err
	}, func() (bool, error) {
		record, err := p.client.Notifications.Get(p.t.Context(), model.id)
		return err == nil && model.view() == notificationView(*record), err
	})
}

func (p *alertPlayer) switchNotification() {
	model, some := p.anyNotification()
	if !some {
		return
	}
	model.on = !model.on
	p.set("enableNotification", func() error {
		if model.on {
			return p.client.Notifications.Enable(p.t.Context(), model.id)
		}
		return p.client.Notifications.Disable(p.t.Context(), model.id)
	}, nil)
}

func (p *alertPlayer) deleteNotification() {
	model, some := p.anyNotification()
	if !some || p.IntN(2) == 0 {
		return
	}
	p.deleting.Lock()
	defer p.deleting.Unlock()
	p.remove("deleteNotification", func() error { return p.client.Notifications.Delete(p.t.Context(), model.id) })
	p.notifications = slices.DeleteFunc(p.notifications, func(other *notificationModel) bool { return other == model })
}

// tryExpression tries an expression on some blocks. Those that match are those that end in one of four digits.
func (p *alertPlayer) tryExpression() {
	network, expression := alerts.AlertNetworkEthereumMainnet, p.anyExpression()
	err := p.client.Expressions.Validate(p.t.Context(), alerts.ValidateExpressionRequest{Expression: expression, Network: network})
	p.came("validateExpression", err)
	blocks, err := p.client.Expressions.Backtest(p.t.Context(), alerts.BacktestExpressionRequest{
		BacktestCount: 10, BlockNumber: 19_000_000, Expression: expression, Network: network,
	})
	if !p.came("backtestExpression", err) {
		return
	}
	matches := 0
	for _, block := range blocks {
		if block.Evaluation {
			matches++
		}
	}
	p.same("blocks that match", "4 of 10", fmt.Sprint(matches, " of ", len(blocks)))
}
