package scalar_test

import (
	"encoding/json"
	"fmt"
	"log"
	"math/big"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// Adds amounts that do not fit in 64 bits.
func ExampleBigInt() {
	var amounts []scalar.BigInt
	if err := json.Unmarshal([]byte(`["36893488147419103233", 1e3, "0x10"]`), &amounts); err != nil {
		log.Fatal(err)
	}
	fmt.Println(amounts)
	_, fits := amounts[0].Int64()
	fmt.Println(fits)
	sum := amounts[0].Big() // A copy, to calculate with.
	sum.Add(sum, amounts[1].Big())
	fmt.Println(scalar.NewBigInt(sum).Cmp(amounts[0]), sum)
	// Output:
	// [36893488147419103233 1000 16]
	// false
	// 1 36893488147419104233
}

// Keeps every digit of a number as the service wrote it, and calculates without rounding.
func ExampleDecimal() {
	var price scalar.Decimal
	if err := json.Unmarshal([]byte(`"0.10000000000000000000001"`), &price); err != nil {
		log.Fatal(err)
	}
	fmt.Println(price)
	exact, err := price.Rat()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(exact.Mul(exact, big.NewRat(3, 1)).FloatString(23))
	// Output:
	// 0.10000000000000000000001
	// 0.30000000000000000000003
}

// A secret is not shown, however it is printed or written: only Reveal gives it away.
func ExampleSecret() {
	type login struct {
		User     string        `json:"user"`
		Password scalar.Secret `json:"password"`
	}
	l := login{"ada", scalar.NewSecret("made-up-pa55word")}
	fmt.Printf("%v %+v\n", l, l)
	text, err := json.Marshal(l)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	fmt.Println(l.Password.Reveal())
	// Output:
	// {ada [redacted]} {User:ada Password:[redacted]}
	// {"user":"ada","password":"[redacted]"}
	// made-up-pa55word
}

// The address of an endpoint holds its token: if it is printed, it shows the host only.
func ExampleSecretURL() {
	address := scalar.NewSecretURL("https://calm-sun.rpc.example.com/made-up-t0k3n/")
	fmt.Println(address)
	fmt.Println(address.Host())
	url, err := address.URL()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(url.Path)
	// Output:
	// https://calm-sun.rpc.example.com/[redacted]
	// calm-sun.rpc.example.com
	// /made-up-t0k3n/
}
