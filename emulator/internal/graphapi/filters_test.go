package graphapi

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTextInput(t *testing.T) {
	var none *textInput
	assert.True(t, none.allows("a"))
	for name, test := range map[string]struct {
		filter textInput
		passes bool
	}{
		"no condition":                 {textInput{}, true},
		"equal":                        {textInput{Eq: new("A")}, true},
		"not equal":                    {textInput{Eq: new("b")}, false},
		"equal to empty":               {textInput{Eq: new("")}, false},
		"in":                           {textInput{In: &[]string{"b", "A"}}, true},
		"in an empty one":              {textInput{In: &[]string{}}, false},
		"not in":                       {textInput{NotIn: &[]string{"b"}}, true},
		"in what it is not allowed in": {textInput{NotIn: &[]string{"b", "a"}}, false},
		"both, one of them broken":     {textInput{Eq: new("a"), NotIn: &[]string{"a"}}, false},
	} {
		assert.Equal(t, test.passes, test.filter.allows("a"), name)
	}
}

func TestIntInput(t *testing.T) {
	var none *intInput
	assert.True(t, none.allows(5))
	for name, test := range map[string]struct {
		filter intInput
		passes bool
	}{
		"no condition": {intInput{}, true},
		"eq":           {intInput{Eq: new(int32(5))}, true},
		"not eq":       {intInput{Eq: new(int32(4))}, false},
		"gt":           {intInput{Gt: new(int32(4))}, true},
		"not gt":       {intInput{Gt: new(int32(5))}, false},
		"gte":          {intInput{Gte: new(int32(5))}, true},
		"not gte":      {intInput{Gte: new(int32(6))}, false},
		"lt":           {intInput{Lt: new(int32(6))}, true},
		"not lt":       {intInput{Lt: new(int32(5))}, false},
		"lte":          {intInput{Lte: new(int32(5))}, true},
		"not lte":      {intInput{Lte: new(int32(4))}, false},
		"in":           {intInput{In: &[]int32{4, 5}}, true},
		"not in":       {intInput{In: &[]int32{4, 6}}, false},
	} {
		assert.Equal(t, test.passes, test.filter.allows(5), name)
	}
}

func TestTimeInput(t *testing.T) {
	var none *timeInput
	at := began.Add(time.Hour)
	assert.True(t, none.allows(at))
	assert.True(t, (&timeInput{Gte: &dateTime{at}, Lt: &dateTime{at.Add(1)}}).allows(at))
	assert.False(t, (&timeInput{Gt: &dateTime{at}}).allows(at))
	assert.False(t, (&timeInput{Lte: &dateTime{at.Add(-1)}}).allows(at))
	elsewhere := at.In(time.FixedZone("", 3600))
	assert.True(t, (&timeInput{Eq: &dateTime{elsewhere}}).allows(at), "an instant, whatever its zone")
}
