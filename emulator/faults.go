package emulator

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/trigger"
)

// WithFaults injects faults from the beginning: see [Emulator.Inject]. [New] and [Start] panic where one of them makes no
// sense, with the [FaultError].
func WithFaults(faults ...Fault) Option {
	return func(s *settings) { s.faults = append(s.faults, faults...) }
}

// Inject puts a fault into effect, behind those that are in effect. The error is a [FaultError] where the fault makes no
// sense: an operation, a path parameter or an effect that does not exist, an argument that does not go with the effect.
func (e *Emulator) Inject(fault Fault) (*Injection, error) {
	if err := fault.check(e.operations); err != nil {
		return nil, err
	}
	value, err := json.Marshal(fault.Value)
	if err != nil {
		return nil, &FaultError{"value", "must have a form in JSON: " + err.Error()}
	}
	if fault.Value != nil {
		fault.Value = json.RawMessage(value) // The caller may change what it has given.
	}
	fault.Params = maps.Clone(fault.Params)
	return e.faults.add(fault, e.settings.seed), nil
}

// Faults returns the injections that are in effect, in their order.
func (e *Emulator) Faults() []*Injection {
	e.faults.mu.Lock()
	defer e.faults.mu.Unlock()
	return slices.Clone(e.faults.active)
}

// RemoveFaults ends all injections.
func (e *Emulator) RemoveFaults() {
	e.faults.mu.Lock()
	defer e.faults.mu.Unlock()
	e.faults.active = nil
}

// Injection is a fault in effect. It is safe for concurrent use.
type Injection struct {
	fault Fault
	id    int
	among *faults

	trigger trigger.Trigger // Guarded by faults.mu.
}

// Fault returns the fault.
func (i *Injection) Fault() Fault {
	fault := i.fault
	fault.Params = maps.Clone(fault.Params)
	return fault
}

// Fired returns how often the fault has happened.
func (i *Injection) Fired() int {
	i.among.mu.Lock()
	defer i.among.mu.Unlock()
	return i.trigger.Fired()
}

// Remove ends the injection. Requests that have met the fault before suffer it all the same.
func (i *Injection) Remove() {
	i.among.mu.Lock()
	defer i.among.mu.Unlock()
	i.among.active = slices.DeleteFunc(slices.Clone(i.among.active), func(other *Injection) bool { return other == i })
}

// giveBack takes back that the fault has happened.
func (i *Injection) giveBack() {
	i.among.mu.Lock()
	defer i.among.mu.Unlock()
	i.trigger.GiveBack()
}

// concerns reports whether a request is one of those that the fault is for.
func (i *Injection) concerns(a asked) bool {
	if i.fault.Operation != "" && i.fault.Operation != a.id() {
		return false
	}
	for name, value := range i.fault.Params {
		if got, has := a.params[name]; !has || got != value {
			return false
		}
	}
	return true
}

// faults are the injections of an emulator.
type faults struct {
	mu     sync.Mutex
	last   int
	active []*Injection
}

func (s *faults) add(f Fault, seed uint64) *Injection {
	if f.Seed != 0 {
		seed = f.Seed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	added := &Injection{fault: f, id: s.last, among: s, trigger: trigger.Trigger{
		After: f.After, Every: f.Every, Times: f.Times, Probability: f.Probability, Seed: seed,
	}}
	s.active = append(s.active, added)
	return added
}

// meet lets a request meet the faults. It returns how long the request is to wait, and the injection that decides what
// becomes of it, or nil.
func (s *faults) meet(a asked) (latency time.Duration, met *Injection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.active {
		if i.fault.breaks() && met != nil || !i.concerns(a) || !i.trigger.Fires() {
			continue
		}
		latency += i.fault.Latency
		if i.fault.breaks() {
			met = i
		}
	}
	return latency, met
}
