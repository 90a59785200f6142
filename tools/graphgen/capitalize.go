package main

import (
	"go/ast"
	"regexp"
)

// initialisms are the abbreviations that genqlient writes like words, and how they end.
var initialisms = regexp.MustCompile(`(Abi|Ens|Erc|Id|Nfts|Nft|Uri|Url)([A-Z0-9]|$)`)

// capitals are the same abbreviations as Go writes them.
var capitals = map[string]string{
	"Abi": "ABI", "Ens": "ENS", "Erc": "ERC", "Id": "ID", "Nft": "NFT", "Nfts": "NFTs", "Uri": "URI", "Url": "URL",
}

// capitalized returns a name with its initialisms in capitals.
func capitalized(name string) string {
	for {
		better := initialisms.ReplaceAllStringFunc(name, func(match string) string {
			parts := initialisms.FindStringSubmatch(match)
			return capitals[parts[1]] + parts[2]
		})
		if better == name {
			return name
		}
		name = better // What a match ended with may begin another.
	}
}

// capitalize renames the identifiers of a file, in its code and in its comments. Names in JSON stay as they are.
func capitalize(text []byte) ([]byte, error) {
	s, err := parse(text)
	if err != nil {
		return nil, err
	}
	renamed := map[string]string{}
	var edits []edit
	ast.Inspect(s.file, func(node ast.Node) bool {
		if name, ok := node.(*ast.Ident); ok {
			if better := capitalized(name.Name); better != name.Name {
				renamed[name.Name] = better
				edits = append(edits, edit{s.at(name.Pos()), s.at(name.End()), better})
			}
		}
		return true
	})
	word := regexp.MustCompile(`\w+`)
	for _, group := range s.file.Comments {
		for _, comment := range group.List {
			better := word.ReplaceAllStringFunc(comment.Text, func(word string) string {
				if better, ok := renamed[word]; ok {
					return better
				}
				return word
			})
			if better != comment.Text {
				edits = append(edits, edit{s.at(comment.Pos()), s.at(comment.End()), better})
			}
		}
	}
	return apply(text, edits), nil
}
