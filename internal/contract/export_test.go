package contract

// Walk holds a body against a shape.
func Walk(shape *Shape, body []byte) Report { return walk(Report{Body: body}, shape, nil) }

// Most of the shapes are generated.
var (
	EndpointPage = &adminEndpointPageEnvelope
	Metrics      = &adminEndpointMetricListEnvelope
	Security     = &adminEndpointSecurityEnvelope
	URLs         = &adminEndpointURLsEnvelope
	Payments     = &adminPaymentListEnvelope
	Confirmation = &adminBooleanEnvelope
	Limits       = &adminMethodRateLimiterListEnvelope
	Destinations = &Shape{Kinds: "[", Items: &alertsDestination}
	Notification = &alertsNotification
)

// WalkGraph compares the body of a good response of the graph area with the fields that a query of the library asks
// for.
func WalkGraph(operation string, body []byte) Report {
	for _, r := range graphResponses() {
		if r.operation == operation {
			failed := errorsIn(body)
			return walk(Report{Body: body}, graphBody(r.body, true, len(failed) > 0), failed)
		}
	}
	return Report{}
}

// Shapes returns the shapes of all bodies.
func Shapes() (all []*Shape) {
	for _, table := range [][]response{adminResponses, alertsResponses, graphResponses()} {
		for _, r := range table {
			if r.body != nil {
				all = append(all, r.body)
				for _, field := range r.body.Fields {
					if field.Shape != nil {
						all = append(all, field.Shape)
					}
				}
			}
		}
	}
	return all
}
