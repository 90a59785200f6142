// The program that does nothing, for the test of the weighing.
package main

func main() {}
