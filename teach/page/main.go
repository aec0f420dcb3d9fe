// Command page makes the page that runs the schemes: one HTML file that needs no network. "bench page" calls it.
//
//	go run . --out page.html
//
// It compiles the player for js/wasm with the Go tool, and packs it into the file together
// with the script, the style, the lessons and the source of the schemes' operations.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("out", "page.html", "the file to write")
	svg := flag.String("svg", "", "print an SVG file of a state instead: the text after # of a link")
	flag.Parse()
	if err := run(*out, *svg); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

func run(out, fragment string) error {
	if flag.NArg() > 0 {
		return fmt.Errorf("page takes no argument, got %d", flag.NArg())
	}
	if fragment != "" {
		return writeFigure(os.Stdout, fragment)
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
