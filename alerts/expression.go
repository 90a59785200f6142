package alerts

import "github.com/rpcfleet/rpcfleet-go/scalar"

// Expression is a condition on a network's transactions, in plain text. It is sent in base64.
//
//	alerts.Expression("tx_to == '0x00000000219ab540356cbb839cbe05303d7705fa'")
type Expression = scalar.Base64
