package document

import "slices"

// Variables returns the names of the variables that a document defines or uses, each once, in order.
func Variables(document string) []string {
	var found []string
	scan := scanner{rest: document}
	for token := scan.next(); token != ""; token = scan.next() {
		if token != "$" {
			continue
		}
		if name := scan.peek(); name != "" && nameStart(name[0]) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}
