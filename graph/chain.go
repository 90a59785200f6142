package graph

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Chain is a chain that can be queried: the name of its field at the root of the schema.
type Chain string

// The chains. Ethereum is part of the contract; the others were observed.
const (
	Ethereum        Chain = "ethereum"
	EthereumSepolia Chain = "ethereumSepolia"
	Polygon         Chain = "polygon"
)

// Chains are all chains that this version knows.
var Chains = []Chain{Ethereum, EthereumSepolia, Polygon}

// Valid tells whether this version knows the chain.
func (c Chain) Valid() bool {
	return slices.Contains(Chains, c)
}

// root is the field at the root of every operation of this package. The alias makes the answers of all chains alike.
const root = "chain: %s {"

var fieldName = regexp.MustCompile(`^[_A-Za-z][_0-9A-Za-z]*$`)

// Sound tells whether the chain is spelled like the name of a field, known to this version or not.
func (c Chain) Sound() bool { return fieldName.MatchString(string(c)) }

// Apply returns the document of one of this package's operations for this chain: with the chain's field in the place of
// Ethereum's. All chains have the same type, so that the document stays as valid as it was. It works on any document
// that has its one root field spelled "chain: ethereum {".
func (c Chain) Apply(document string) (string, error) {
	if !c.Sound() {
		return "", errors.New("graph: the chain must be the name of a field")
	}
	ethereum := fmt.Sprintf(root, Ethereum)
	if strings.Count(document, ethereum) != 1 {
		return "", fmt.Errorf("graph: the query must have %q in it, once, to be put to another chain", ethereum)
	}
	return strings.Replace(document, ethereum, fmt.Sprintf(root, c), 1), nil
}
