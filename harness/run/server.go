package run

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Server makes single samples of its cells at the request of Children. The protocol
// is a set of flags and what the program prints for each, among other output:
//
//	--cells                  a line "cell ROUNDS NAME" for each cell, and for each cell of
//	                         the batch "batch NAME", or "skipped NAME: WHY"
//	--cell NAME --round K    results in the Go benchmark format, or "failed WHY"
//	--batch                  all samples of the batch, in the Go benchmark format
type Server struct {
	Cells func() []Cell
	Batch Batch

	list, batch bool
	cell        string
	round       int
}

// Batch is a program, as of another language, that makes all samples of its cells.
type Batch struct {
	Names   []string
	Missing string // why it cannot run here; "": it can
	Run     func(context.Context) (output string, err error)
}

const (
	listFlag, cellFlag, roundFlag, batchFlag     = "cells", "cell", "round", "batch"
	cellWord, batchWord, skippedWord, failedWord = "cell", "batch", "skipped", "failed"
)

// Define defines the protocol's flags.
func (s *Server) Define(f *flag.FlagSet) {
	f.BoolVar(&s.list, listFlag, false, "list the cells")
	f.StringVar(&s.cell, cellFlag, "", "make one sample of this cell")
	f.IntVar(&s.round, roundFlag, 0, "round of the sample")
	f.BoolVar(&s.batch, batchFlag, false, "make all samples of the cells that one process measures")
}

// Requested reports whether the flags request anything.
func (s *Server) Requested() bool { return s.list || s.batch || s.cell != "" }

// Serve answers the request. A failed sample is an answer; an unknown cell is an error.
func (s *Server) Serve(ctx context.Context, w io.Writer) error {
	switch {
	case s.list:
		s.printCells(w)
		return nil
	case s.batch:
		out, err := s.Batch.Run(ctx)
		fmt.Fprint(w, out)
		return err
	}
	for _, c := range s.Cells() {
		if c.Name == s.cell {
			return s.printSample(ctx, w, c)
		}
	}
	return fmt.Errorf("run: unknown cell %q", s.cell)
}

func (s *Server) printCells(w io.Writer) {
	for _, c := range s.Cells() {
		fmt.Fprintln(w, cellWord, c.Rounds, c.Name)
	}
	for _, name := range s.Batch.Names {
		if s.Batch.Missing == "" {
			fmt.Fprintln(w, batchWord, name)
		} else {
			fmt.Fprintf(w, "%s %s: %s\n", skippedWord, name, s.Batch.Missing)
		}
	}
}

func (s *Server) printSample(ctx context.Context, w io.Writer, c Cell) error {
	rows, err := c.Sample(ctx, s.round)
	if err != nil {
		fmt.Fprintln(w, failedWord, strings.ReplaceAll(err.Error(), "\n", " "))
		return nil
	}
	for _, row := range rows {
		fmt.Fprintln(w, row.String())
	}
	return nil
}
