// Package webhooks receives the deliveries of Webhooks and Streams, which have the same signature.
//
// [Receiver] is an http.Handler that runs a callback once for each verified delivery. It decompresses a payload,
// limits its size and the time to read it, and responds to a duplicate as it did to the first delivery. Receivers on
// several machines do so together if they share a [DedupStore].
//
//	verifier, err := webhooks.NewVerifier([]scalar.Secret{token})
//	if err != nil {
//		return err
//	}
//	receiver, err := webhooks.NewReceiver(verifier, func(ctx context.Context, delivery *webhooks.Delivery) error {
//		return queue.Put(ctx, delivery.Payload)
//	})
//	if err != nil {
//		return err
//	}
//	http.Handle("/deliveries", receiver)
//	server := &http.Server{Addr: ":8443", ReadHeaderTimeout: 10 * time.Second}
//	return server.ListenAndServeTLS(certificate, key)
//
// The signature and the headers of deliveries are observed: they were derived from public material about the service.
// Extra of a record contains the fields of a response that this version does not know.
package webhooks
