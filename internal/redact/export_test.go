package redact

// Work returns how many bytes a cleaning of a text looks at, the undoing of its escapes aside.
func Work(text string) int {
	scan := scanner{decodedText: decode(text)}
	scan.clean()
	return scan.work
}
