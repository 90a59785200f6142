package main

import "time"

// mark is a labeled place on an axis.
type mark struct {
	At    px
	Label string
}

// panel is a part of a chart that has a vertical axis of its own.
type panel struct {
	Top, Bottom px
	Marks       []mark
	scale       scale
}

// newPanel makes a panel for values between low and high, with marks at round values.
func newPanel(top, bottom px, low, high float64, steps int) panel {
	values := roundValues(low, high, steps)
	p := panel{Top: top, Bottom: bottom, scale: scale{values[0], values[len(values)-1], bottom, top}}
	for _, value := range values {
		p.Marks = append(p.Marks, mark{p.scale.at(value), scaleLabel(value, values[1]-values[0])})
	}
	return p
}

// box returns the box that reaches from one value to another, as wide as told. Also a box without height can be seen.
func (p panel) box(middle, width px, one, other float64) box {
	top, bottom := p.scale.at(max(one, other)), p.scale.at(min(one, other))
	return box{X: middle - width/2, Y: top, Width: width, Height: max(bottom-top, 1)}
}

// timeline is the horizontal axis: whole days, one beside the other.
type timeline struct {
	begin time.Time
	// count is the number of days.
	count int
	scale scale
}

// newTimeline makes a timeline from the day that begins with one time to the day that begins with another.
func newTimeline(first, last time.Time, left, right px) timeline {
	// The last day may begin at another hour than the first: it gets its room as well.
	count := int((last.Unix()-first.Unix()+secondsPerDay-1)/secondsPerDay) + 1
	return timeline{first, count, scale{0, float64(count), left, right}}
}

const secondsPerDay = 24 * 60 * 60

// at returns where the day that begins with a time is drawn: its left edge, and its width.
func (t timeline) at(day time.Time) (left, width px) {
	left = t.scale.at(float64(day.Unix()-t.begin.Unix()) / secondsPerDay)
	return left, t.scale.at(1) - t.scale.at(0)
}

// marks labels days that are a round number of days apart, in their middle.
func (t timeline) marks(most int) []mark {
	step := max(int(roundStep(float64(t.count), most)), 1)
	var marks []mark
	for number := 0; number < t.count; number += step {
		date := t.begin.AddDate(0, 0, number)
		left, width := t.at(date)
		marks = append(marks, mark{left + width/2, day(date)})
	}
	return marks
}
