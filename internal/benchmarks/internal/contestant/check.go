package contestant

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
)

// Check compares the result of a call with the body that the server sent. A contestant must decode all of it.
func Check(p payload.Payload, got Result) error {
	want, err := wanted(p)
	if err != nil {
		return err
	}
	if got.Total != want.Total {
		return fmt.Errorf("%s: the total is %d, not %d", p.Name, got.Total, want.Total)
	}
	if got.Next != want.Next {
		return fmt.Errorf("%s: the next page is %q, not %q", p.Name, got.Next, want.Next)
	}
	return same(p.Name, tree(reflect.ValueOf(got.Data)), want.Data)
}

// wanted reads a body without a contestant's types.
func wanted(p payload.Payload) (Result, error) {
	var read struct {
		Data       any
		Pagination struct{ Total int }
		NextAt     string `json:"next_at"`
	}
	decoder := json.NewDecoder(bytes.NewReader(p.Body()))
	decoder.UseNumber()
	if err := decoder.Decode(&read); err != nil {
		return Result{}, err
	}
	want := Result{Data: read.Data, Total: read.Pagination.Total, Next: read.NextAt}
	if p.Name == payload.NFTs {
		nfts, err := page(p.Body())
		if err != nil {
			return Result{}, err
		}
		want = Result{Data: nfts.Edges, Total: nfts.TotalCount, Next: nfts.PageInfo.EndCursor}
	}
	want.Data = tree(reflect.ValueOf(want.Data))
	return want, nil
}

// nfts is a page of the graph area.
type nfts struct {
	Edges      any
	TotalCount int
	PageInfo   struct{ EndCursor string }
}

func page(body []byte) (nfts, error) {
	var read struct {
		Data struct {
			Chain struct{ Collection struct{ NFTs nfts } }
		}
	}
	err := json.Unmarshal(body, &read)
	return read.Data.Chain.Collection.NFTs, err
}

// same compares two trees and returns the first difference.
func same(at string, got, want any) error {
	switch want := want.(type) {
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			return fmt.Errorf("%s: %d items, not %d", at, len(got), len(want))
		}
		for i := range want {
			if err := same(fmt.Sprintf("%s/%d", at, i), got[i], want[i]); err != nil {
				return err
			}
		}
		return nil
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			return fmt.Errorf("%s: no record", at)
		}
		for name := range want {
			if slices.Contains(payload.Unknown, name) {
				continue
			}
			if err := same(at+"/"+name, got[name], want[name]); err != nil {
				return err
			}
		}
		for name := range got {
			if want[name] == nil {
				return fmt.Errorf("%s/%s: %v, where nothing was sent", at, name, got[name])
			}
		}
		return nil
	}
	if got != want && !sameTime(got, want) {
		return fmt.Errorf("%s: %v, not %v", at, got, want)
	}
	return nil
}

// sameTime reports whether a contestant has made a time of unix seconds.
func sameTime(got, want any) bool {
	at, err := time.Parse(time.RFC3339, fmt.Sprint(got))
	return err == nil && fmt.Sprint(at.Unix()) == fmt.Sprint(want)
}
