package emulator

import (
	"crypto/sha256"
	"fmt"
	"strconv"
)

// transaction is what an expression is evaluated on: the values of its fields by their names.
type transaction map[string]string

// transactionsInBlock is the number of transactions in every block.
const transactionsInBlock = 4

// blockOf makes up a block. Every network has the same endless chain of them, apart from the hashes, and they follow a
// rule that a test can reckon with: see Emulator.Deliver.
func blockOf(network string, number int64) []transaction {
	block := make([]transaction, transactionsInBlock)
	for i := range block {
		place := fmt.Sprintf("%s/%d/%d", network, number, i)
		block[i] = transaction{
			"block_number": strconv.FormatInt(number, 10),
			"tx_index":     strconv.Itoa(i),
			"tx_hash":      fmt.Sprintf("0x%x", sha256.Sum256([]byte(place))),
			"tx_from":      address(100 + (number%10+int64(i))%10),
			"tx_to":        address((number%10 + int64(i)) % 10),
			"tx_value":     fmt.Sprintf("%d00000000000000000", i+1),
		}
	}
	return block
}

func address(number int64) string { return fmt.Sprintf("0x%040d", number) }

// matches returns the places in a block of the transactions for which the condition holds.
func matches(holds condition, block []transaction) []int {
	var places []int
	for i, t := range block {
		if holds(t) {
			places = append(places, i)
		}
	}
	return places
}
