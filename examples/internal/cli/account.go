package cli

import (
	"io"
	"os"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// Account is what a program works on.
type Account struct {
	Client *rpcfleet.Client
	// Emulator is the emulator that stands in for an account, or nil where the account is real.
	Emulator *emulator.Server
}

// Connect makes a client of the account in the environment: see [rpcfleet.NewFromEnv]. Where neither RPCFLEET_BASE_URL
// nor RPCFLEET_API_KEY is set, it starts an emulator in the program, which seed fills; nil leaves it empty.
func Connect(stderr io.Writer, seed func(*emulator.Emulator) error, options ...rpcfleet.Option) (*Account, error) {
	if os.Getenv("RPCFLEET_BASE_URL") != "" || os.Getenv("RPCFLEET_API_KEY") != "" {
		client, err := rpcfleet.NewFromEnv(options...)
		return &Account{Client: client}, err
	}
	server := emulator.Start()
	account := &Account{Emulator: server}
	if seed != nil {
		if err := seed(server.Emulator); err != nil {
			account.Close()
			return nil, err
		}
	}
	own := []rpcfleet.Option{rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(server.APIKey)}
	client, err := rpcfleet.New(append(own, options...)...)
	if err != nil {
		account.Close()
		return nil, err
	}
	account.Client = client
	say(stderr, "No RPCFLEET_BASE_URL: using an emulator at %s", server.URL)
	return account, nil
}

// Close ends the emulator, where there is one.
func (a *Account) Close() {
	if a.Emulator != nil {
		a.Emulator.Close()
	}
}
