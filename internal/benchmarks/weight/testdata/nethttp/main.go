// Command nethttp shows one endpoint with net/http and encoding/json.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
)

func main() {
	req, err := http.NewRequest(http.MethodGet, os.Getenv("RPCFLEET_BASE_URL")+"/v0/endpoints/"+url.PathEscape(os.Args[1]),
		nil)
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("x-api-key", os.Getenv("RPCFLEET_API_KEY"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		log.Fatal(resp.Status)
	}
	var read struct {
		Data struct {
			ID      string `json:"id"`
			Network string `json:"network"`
		} `json:"data"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&read); err != nil {
		log.Fatal(err)
	}
	fmt.Println(read.Data.ID, read.Data.Network)
}
