package run

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Server makes single samples of its cells at the request of Children. The protocol
// is a set of flags and what the program prints for each, among other output:
//
//	--cells                  a line of JSON for each cell, those of the batch included
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

// listed is a line of the list of cells.
type listed struct {
	Name    string `json:"cell"`
	Rounds  int    `json:"rounds,omitempty"`  // 0: the cell is of the batch
	Missing string `json:"missing,omitempty"` // why the batch cannot run here; "": it can
}

const (
	listFlag, cellFlag, roundFlag, batchFlag = "cells", "cell", "round", "batch"
	failedWord                               = "failed"
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
func (s *Server) Serve(ctx context.Context, w io.Writer) (err error) {
	switch {
	case s.list:
		lines := json.NewEncoder(w)
		for _, c := range s.Cells() {
			err = errors.Join(err, lines.Encode(listed{Name: c.Name, Rounds: c.Rounds}))
		}
		for _, name := range s.Batch.Names {
			err = errors.Join(err, lines.Encode(listed{Name: name, Missing: s.Batch.Missing}))
		}
		return err
	case s.batch:
		out, err := s.Batch.Run(ctx)
		fmt.Fprint(w, out)
		return err
	}
	for _, c := range s.Cells() {
		if c.Name != s.cell {
			continue
		}
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
	return fmt.Errorf("run: unknown cell %q", s.cell)
}
