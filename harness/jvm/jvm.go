// Package jvm measures the timers of the JVM: Netty's HashedWheelTimer and the JDK's
// ScheduledThreadPoolExecutor. One program in Java repeats the operations of harness/peers and of
// systems/bench, since there is no other way to put the originals beside the schemes. It needs
// javac and Netty, and where they are missing its cells are skipped with that reason.
package jvm

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"timerlab/harness/results"
	"timerlab/harness/run"
)

//go:embed Timers.java
var source string

// nettyJar is where Debian's libnetty-java puts the timer.
const nettyJar = "/usr/share/java/netty-common.jar"

// Program is the program with what it is asked to measure.
type Program struct {
	operations string   // its argument
	cells      []string // of one timer, with %s for its name
	Names      []string // of the timers
}

// Programs: the operations of harness/peers, and those of systems/bench.
var (
	Peers = Program{"peers", []string{
		"PairHot/scheme=%s/n=100k/T=1M", "PairCold/scheme=%s/n=100k/T=1M", "Hold/scheme=%s/n=100k/T=10k",
		"PairHot/scheme=%s/n=1M/T=1M", "PairCold/scheme=%s/n=1M/T=1M", "Hold/scheme=%s/n=1M/T=10k",
	}, []string{"netty-hashedwheel", "jdk-scheduledpool"}}
	Services = Program{"services", append(slices.Concat(
		contended("StartStop", "10k"), contended("StartStop", "1M"), contended("Replace", "10k"), contended("Replace", "1M"),
	), "Late/facility=%s/n=6k/load=idle"), []string{"jvm-netty", "jvm-pool"}}
)

// contended returns the cells of an operation by the number of goroutines.
func contended(op, n string) (cells []string) {
	for _, g := range []int{1, 2, 4, 8, 64} {
		cells = append(cells, fmt.Sprintf("%s/facility=%%s/n=%s/g=%d", op, n, g))
	}
	return cells
}

// Cells returns the names of the cells that match.
func (p Program) Cells(matches func(name string) bool) (names []string) {
	for _, timer := range p.Names {
		for _, cell := range p.cells {
			if name := fmt.Sprintf(cell, timer); matches(name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Run measures the named cells, or skips them where it cannot. One process makes all samples, which takes minutes.
func (p Program) Run(ctx context.Context, names []string, sink run.Sink, done run.Done, progress run.Progress) error {
	missing := ""
	if _, err := exec.LookPath("javac"); err != nil {
		missing = "no javac: on Debian, apt install openjdk-17-jdk-headless"
	} else if _, err := os.Stat(nettyJar); err != nil {
		missing = "no Netty: on Debian, apt install libnetty-java"
	}
	if missing != "" || len(names) == 0 {
		var err error
		for _, name := range names {
			err = errors.Join(err, sink.Skip(name, missing))
		}
		return err
	}
	progress(0, 1, fmt.Sprintf("%d cells of the JVM, which takes minutes", len(names)))
	out, err := p.output(ctx)
	if err != nil {
		return err
	}
	return enter(out, names, sink, done)
}

// enter writes the samples in the program's output that are not done. The k-th of a cell is of round k.
func enter(out string, names []string, sink run.Sink, done run.Done) error {
	next := map[string]int{}
	for _, row := range results.ParseResults([]byte(out)) {
		round := next[row.Name]
		next[row.Name]++
		if !slices.Contains(names, row.Name) || done(row.Name, round) {
			continue
		}
		if err := errors.Join(sink.Round(round), sink.Result(row)); err != nil {
			return err
		}
	}
	return nil
}

// output compiles and runs the program, and returns what it prints.
func (p Program) output(ctx context.Context, args ...string) (string, error) {
	dir, err := os.MkdirTemp("", "jvm")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	java := filepath.Join(dir, "Timers.java")
	if err := os.WriteFile(java, []byte(source), 0o644); err != nil {
		return "", err
	}
	commands := [][]string{
		{"javac", "-Xlint:all", "-Werror", "-cp", nettyJar, "-d", dir, java},
		append([]string{"java", "-cp", nettyJar + ":" + dir, "Timers", p.operations}, args...),
	}
	var stdout, stderr strings.Builder
	for _, c := range commands {
		cmd := exec.CommandContext(ctx, c[0], c[1:]...)
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			return "", fmt.Errorf("%s: %w: %s", c[0], err, &stderr)
		}
	}
	return stdout.String(), nil
}
