package emulator

import (
	"bytes"
	"io"
	"net/http"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/broken"
)

// serve lets a request meet the faults, carries it out, and responds.
func (e *Emulator) serve(w http.ResponseWriter, r *http.Request, body []byte) {
	a := e.operations.asked(r.Clone(r.Context()), body)
	call := e.newCall(a, w.Header().Get("X-Request-Id"))
	latency, met := e.faults.meet(a)
	if latency > 0 && !broken.Wait(r.Context(), latency) {
		call.Fault = "latency"
		e.calls.add(call)
		panic(http.ErrAbortHandler) // Nobody is there any more.
	}
	response := &response{header: w.Header(), status: http.StatusOK}
	effect, fault := e.carryOut(a, met, call, response)
	e.observe(r, body, response, fault.name())
	if effect.send != nil {
		effect.send(fault, w, r, response)
		return
	}
	w.WriteHeader(response.status)
	_, _ = w.Write(response.body.Bytes()) // A client that has gone away needs no response.
}

// carryOut makes the response and records the call. It returns the fault that the request has met, and what is left
// of its effect: how to send the response. Both are zero where there is none.
func (e *Emulator) carryOut(a asked, met *Injection, call keptCall, response *response) (effect, Fault) {
	var suffered effect
	var fault Fault
	if met != nil {
		fault = met.fault
		suffered = effects[fault.Effect]
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	call.Time = e.settings.clock()
	if suffered.instead != nil {
		suffered.instead(fault, a, response)
	} else {
		happened := suffered.ask == nil || suffered.ask(fault, &a)
		request := a.request.WithContext(withReceived(a.request, a.body))
		request.Body = io.NopCloser(bytes.NewReader(a.body))
		call.CarriedOut = e.limits.admit(response.header, call.Time)
		if call.CarriedOut {
			e.routes.ServeHTTP(response, request)
		} else {
			writeFailure(response, http.StatusTooManyRequests, "too many requests")
		}
		if happened && suffered.change != nil {
			happened = suffered.change(fault, a, response)
		}
		if met != nil && !happened {
			met.giveBack()
			suffered, fault = effect{}, Fault{}
		}
	}
	call.Fault = fault.name()
	if !suffered.mute {
		call.Status = response.status
	}
	e.calls.add(call)
	return suffered, fault
}

// refuseUnread responds to a request whose body cannot be read.
func (e *Emulator) refuseUnread(w http.ResponseWriter, r *http.Request) {
	call := e.newCall(e.operations.asked(r, nil), w.Header().Get("X-Request-Id"))
	call.Status = http.StatusBadRequest
	e.calls.add(call)
	writeFailure(w, call.Status, "the body cannot be read")
}
