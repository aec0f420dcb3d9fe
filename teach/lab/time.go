package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// ErrSource is the error of timing outside the repository.
var ErrSource = errors.New(
	"timing builds the reference from source (needs the repository around the working directory)")

// Time compares the module's speed with that of the reference, in a process of its own, and
// writes a table. The reference and what measures it are outside the copy that Build makes,
// so they are built from the repository.
func (m *Module) Time(ctx context.Context, w io.Writer, timeout time.Duration) (err error) {
	source, err := repository()
	if err != nil {
		return err
	}
	p, err := m.buildTiming(ctx, source)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var output tail
	child := exec.CommandContext(limited, p.binary)
	child.Dir, child.Env, child.Stdout, child.Stderr, child.WaitDelay = p.dir, []string{}, w, &output, time.Second
	err = child.Run()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return fmt.Errorf("%s: the timing took longer than %v; grade it first", m.Package, timeout)
	case err != nil:
		return fmt.Errorf("%s cannot be timed; grade it first: %w\n%s", m.Package, err, output.String())
	}
	return nil
}

// buildTiming builds the program that times the module, with the repository's requirements.
func (m *Module) buildTiming(ctx context.Context, source string) (p *Program, err error) {
	dir, err := os.MkdirTemp("", "lab")
	if err != nil {
		return nil, err
	}
	p = &Program{module: m, dir: dir, binary: filepath.Join(dir, "timing.exe")}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Close())
		}
	}()
	mod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return nil, err
	}
	sums, err := os.ReadFile(filepath.Join(source, "go.sum"))
	if err == nil {
		err = writeFile(filepath.Join(dir, "go.sum"), sums)
	}
	if err != nil {
		return nil, err
	}
	mod = regexp.MustCompile(`(?m)^(module .*|tool .*)$`).ReplaceAll(mod, nil)
	return p, m.compile(ctx, p, "module timing\n"+string(mod), source, "timerlab/teach/lab/timing")
}

// repository returns the root of the repository around the working directory.
func repository() (string, error) {
	at, err := os.Getwd()
	for ; err == nil; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "teach", "lab", "timing", "timing.go")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return "", errors.Join(err, ErrSource)
}
