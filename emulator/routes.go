package emulator

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// adminHandlers implements the admin area's server interface. Its methods are spread over the files of their subjects.
// A method returns the success record of its operation, or an error: a refusal becomes the failure envelope.
type adminHandlers struct{ *Emulator }

var _ adminapi.Server = adminHandlers{}

// newRoutes lays out all areas. The router prefers fixed parts, which the contract needs: with DELETE
// /v0/endpoints/tags/{id} beside DELETE /v0/endpoints/{id}/ip_custom_header, http.ServeMux refuses to start.
func (e *Emulator) newRoutes() http.Handler {
	router := chi.NewRouter()
	// The data plane of the tooling endpoint has session tokens of its own in place of the API key.
	e.mountToolingPlane(router)
	router.Group(func(router chi.Router) {
		router.Use(e.authenticate)
		e.mountAdmin(router)
		e.mountAlerts(router)
		e.mountGraph(router)
	})
	return router
}

// mountAdmin adds the operations of the admin area.
func (e *Emulator) mountAdmin(router chi.Router) {
	adminapi.Mount(serve.Area{
		Router: router, Mounted: e.operations.adder(refuse), RefuseRequest: refuseRequest, Refuse: refuse,
	}, adminHandlers{e})
}
