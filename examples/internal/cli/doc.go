// Package cli is what the example programs share, so that each of them is about its own subject: signals, flags, exit
// codes, tables, and an account that is an emulator until the environment names a real one.
//
//	func main() { cli.Main(run) }
//
//	func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
//		return cli.Exit(stderr, "fleetreport", report(ctx, args, stdout, stderr))
//	}
package cli
