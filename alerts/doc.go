// Package alerts contains the types of the alerts area. The records, parameters and enums are generated from the
// service's contract; the services of package rpcfleet accept and return them. Two types are written by hand.
//
// [Expression] is a condition in plain text, which is sent in base64.
//
// [Receiver] is an http.Handler for the webhook of a destination. It runs a callback once for each verified delivery.
// It checks the headers before it reads a body, limits the size and the time of a body, and responds to a duplicate as
// it did to the first delivery. Receivers on several machines do so together if they share a [DedupStore].
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
// Only five operations of this area are part of the service's contract. The others are observed: they were derived from
// public material about the service, and their comments note it. The signature scheme of deliveries is observed, too.
package alerts
