// Package alerts holds what belongs to the alerts area. The records, parameters and enums are generated from the
// service's contract; the services of package rpcfleet take and return them. Two things are written by hand.
//
// [Expression] is a condition in plain text that travels in base64.
//
// [Receiver] is the receiving end: an http.Handler for the webhook of a destination, which runs a callback once for
// each delivery that it has verified. It judges the headers before it reads a body, bounds the body in size and in
// time, and responds to a delivery that comes again as it did the first time. Receivers on several machines do so
// together where they share a [DedupStore].
//
//	verifier, err := alerts.NewHMACVerifier([]scalar.Secret{destination.Token}, alerts.HeaderNames{})
//	if err != nil {
//		return err
//	}
//	receiver, err := alerts.NewReceiver(verifier, func(ctx context.Context, delivery *alerts.Delivery) error {
//		return queue.Put(ctx, delivery.Payload)
//	})
//	if err != nil {
//		return err
//	}
//	http.Handle("/alerts", receiver)
//	server := &http.Server{Addr: ":8443", ReadHeaderTimeout: 10 * time.Second}
//	return server.ListenAndServeTLS(certificate, key)
//
// Only five operations of this area are stated by the service's contract. The others are observed: they were read off
// public material about the service, and their comments say so. So is the scheme by which deliveries are signed.
package alerts
