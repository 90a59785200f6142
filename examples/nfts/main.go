// Nfts lists the NFTs that a wallet holds on three chains.
//
//	go run ./examples/nfts
//	go run ./examples/nfts -wallet name.eth -most 50
//
// It only reads. RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. If RPCFLEET_BASE_URL is not set, it runs on
// an emulator in its own process, with the emulator's wallet.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/sync/errgroup"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

var chains = []graph.Chain{graph.ChainEthereum, graph.ChainEthereumSepolia, graph.ChainPolygon}

func main() {
	wallet := flag.String("wallet", "", "the `address` or ENS name of the wallet")
	most := flag.Int("most", 10, "how many to list of each chain at most")
	flag.Parse()
	if err := run(context.Background(), *wallet, *most); err != nil {
		fmt.Fprintln(os.Stderr, "nfts:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, wallet string, most int) error {
	client, err := rpcfleet.NewFromEnv()
	if os.Getenv("RPCFLEET_BASE_URL") == "" {
		fmt.Fprintln(os.Stderr, "No RPCFLEET_BASE_URL: using an emulator")
		service := emulator.Start()
		wallet = cmp.Or(wallet, "wallet-0.example.eth") // The emulator has it.
		client, err = rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	}
	if err == nil && wallet == "" {
		err = errors.New("name a -wallet, by its address or its ENS name")
	}
	if err != nil {
		return err
	}
	held := make([][]graph.WalletNFT, len(chains))
	group, groupCtx := errgroup.WithContext(ctx)
	for i, chain := range chains {
		group.Go(func() error {
			// The iterator fetches pages as the loop needs them.
			for nft, err := range client.Graph.WalletNFTs(chain, wallet, graph.WalletNFTsParams{}).All(groupCtx) {
				switch {
				case errors.Is(err, rpcfleet.ErrNotFound):
					return nil // The wallet is unknown on this chain.
				case err != nil:
					return fmt.Errorf("%s: %w", chain, err)
				}
				if held[i] = append(held[i], nft); len(held[i]) >= most {
					return nil
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}

	rows := table.NewWriter()
	rows.SetStyle(table.StyleLight)
	rows.AppendHeader(table.Row{"Chain", "Name", "Contract", "Token", "Held"})
	rows.SetColumnConfigs([]table.ColumnConfig{
		{Name: "Name", WidthMax: 24, WidthMaxEnforcer: text.Trim}, {Name: "Contract", WidthMax: 20, WidthMaxEnforcer: text.Trim},
		{Name: "Token", Align: text.AlignRight, WidthMax: 16, WidthMaxEnforcer: text.Trim}, {Name: "Held", Align: text.AlignRight},
	})
	for i, chain := range chains {
		for _, one := range held[i] {
			count := "?" // The service may omit it.
			if one.NFTsCount != nil {
				count = strconv.Itoa(*one.NFTsCount)
			}
			if one.NFT == nil {
				rows.AppendRow(table.Row{chain, "?", "?", "?", count})
				continue
			}
			name := ""
			if one.NFT.GetName() != nil {
				name = *one.NFT.GetName()
			}
			token := one.NFT.GetTokenID()
			rows.AppendRow(table.Row{chain, escape(name), escape(one.NFT.GetContractAddress()), token.String(), count})
		}
	}
	fmt.Println(rows.Render())
	return nil
}

// escape escapes terminal control characters: anyone can name an NFT.
func escape(text string) string {
	quoted := strconv.Quote(text)
	return quoted[1 : len(quoted)-1]
}
