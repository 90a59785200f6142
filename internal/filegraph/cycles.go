package main

import "slices"

// cycles returns the groups of two and more files of which each reaches each other, the largest first.
func (g graph) cycles() [][]string {
	s := &search{graph: g, index: map[string]int{}, low: map[string]int{}, open: map[string]bool{}}
	for _, file := range g.files() {
		if s.index[file] == 0 {
			s.visit(file)
		}
	}
	slices.SortFunc(s.cycles, func(a, b []string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return slices.Compare(a, b)
	})
	return s.cycles
}

// search is Tarjan's algorithm for strongly connected components.
type search struct {
	graph  graph
	index  map[string]int // In which order a file was visited, from 1.
	low    map[string]int // The earliest visited file that is known to be reachable.
	open   map[string]bool
	stack  []string
	cycles [][]string
}

func (s *search) visit(file string) {
	s.index[file] = len(s.index) + 1
	s.low[file] = s.index[file]
	s.stack, s.open[file] = append(s.stack, file), true
	for _, next := range s.graph[file] {
		if s.index[next] == 0 {
			s.visit(next)
			s.low[file] = min(s.low[file], s.low[next])
		} else if s.open[next] {
			s.low[file] = min(s.low[file], s.index[next])
		}
	}
	if s.low[file] != s.index[file] {
		return
	}
	at := slices.Index(s.stack, file)
	group := slices.Sorted(slices.Values(s.stack[at:]))
	s.stack = s.stack[:at]
	for _, member := range group {
		s.open[member] = false
	}
	if len(group) > 1 {
		s.cycles = append(s.cycles, group)
	}
}
