// Command page makes the page that runs the schemes: one HTML file that needs no network.
//
//	go run . --out page.html
//
// It compiles the player for js/wasm with the Go tool, and packs it into the file together
// with the script, the style, the lessons and the source of the schemes' operations.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("out", "page.html", "the file to write")
	svg := flag.String("svg", "", "print an SVG file of a state instead: the text after # of a link")
	flag.Parse()
	if err := run(*out, *svg, flag.NArg()); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

// mark is in every page.
const mark = "<title>Timing wheels, run by their own code</title>"

func run(out, fragment string, extra int) error {
	if extra > 0 {
		return fmt.Errorf("page takes no argument, got %d", extra)
	}
	if fragment != "" {
		return writeFigure(os.Stdout, fragment)
	}
	if old, err := os.ReadFile(out); err == nil && !bytes.Contains(old, []byte(mark)) {
		return fmt.Errorf("%s: not made by this program, so not replaced (move the file, or use another name)", out)
	}
	html, err := Build()
	if err != nil {
		return err
	}
	if err := os.WriteFile(out, html, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s  %.2f MB\n", out, float64(len(html))/1e6)
	return nil
}
