package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
)

// budgets are credits by the label of a tag. The label of the endpoints without a tag is empty.
type budgets map[string]int64

// maxBudget is the largest whole number that every program reads out of JSON.
const maxBudget = 1 << 53

var errBudget = errors.New("must be a tag and a whole number of credits: tag=credits")

func (b budgets) String() string { return "" }

// Set is how the flag -budget adds one. A label may have "=" in it.
func (b budgets) Set(text string) error {
	at := strings.LastIndex(text, "=")
	if at < 0 {
		return errBudget
	}
	tag := text[:at]
	credits, err := strconv.ParseInt(text[at+1:], 10, 64)
	if err != nil || credits < 0 || credits > maxBudget {
		return errBudget
	}
	if _, taken := b[tag]; taken {
		return fmt.Errorf("the tag %q has a budget already", tag)
	}
	b[tag] = credits
	return nil
}

// read adds those of a file that are not there yet.
func (b budgets) read(file string, content []byte) error {
	var read map[string]*int64
	if err := json.Unmarshal(content, &read); err != nil { // A tag that is there twice is refused.
		return fmt.Errorf("%s: %w", file, err)
	}
	for tag, credits := range read {
		if credits == nil || *credits < 0 || *credits > maxBudget {
			return fmt.Errorf("%s: the budget of %q must be 0 to %d credits", file, tag, int64(maxBudget))
		}
		if _, given := b[tag]; !given {
			b[tag] = *credits
		}
	}
	return nil
}

// share is how much of a budget is used, in percent: nil where that is no number.
func share(used, budget int64) *float64 {
	if budget == 0 {
		return nil
	}
	return new(math.Round(float64(used)*1000/float64(budget)) / 10)
}

// judge compares what is used with a budget. All of a budget may be used.
func judge(used, budget int64, warn float64) state {
	switch {
	case used > budget:
		return over
	case used > 0 && float64(used)*100 >= warn*float64(budget):
		return warned
	}
	return within
}
