// Command nethttp prints all endpoints with net/http and encoding/json.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

type page struct {
	Data []struct {
		Name    string `json:"name"`
		Network string `json:"network"`
		Status  string `json:"status"`
	} `json:"data"`
}

func main() {
	for offset := 0; ; {
		p, err := list(offset)
		if err != nil {
			log.Fatal(err)
		}
		if len(p.Data) == 0 {
			return
		}
		for _, endpoint := range p.Data {
			fmt.Println(endpoint.Name, endpoint.Network, endpoint.Status)
		}
		offset += len(p.Data)
	}
}

func list(offset int) (p page, err error) {
	address := fmt.Sprintf("%s/v0/endpoints?offset=%d", os.Getenv("RPCFLEET_BASE_URL"), offset)
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return p, err
	}
	req.Header.Set("x-api-key", os.Getenv("RPCFLEET_API_KEY"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return p, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return p, fmt.Errorf("%s", resp.Status)
	}
	return p, json.NewDecoder(resp.Body).Decode(&p)
}
