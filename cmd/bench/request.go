package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/run"
)

// request is what a verb that measures is asked for. Its text form is the arguments that the raw file records. From
// them the process of a round, --resume and reproduce know what to measure.
type request struct {
	verb  string         // bench is the main job
	flags *pflag.FlagSet // what the arguments set, with defaults
	parts []string       // of the code that are measured, besides the schemes and what drives them
	// prepare finds what is wrong and builds what is needed, before a raw file is opened. It returns a function that
	// measures into that file.
	prepare func(cmd *cobra.Command, r *request) (measure func(*results.Raw) error, err error)
	plan    func() (run.Plan, error)       // the cells, if they are measured round by round; else an error
	check   func(cmd *cobra.Command) error // what comes before measuring; nil: nothing

	out     string
	resume  string // the raw file to continue; "": a new one
	layouts layouts

	raw     string              // path of the raw file, once it is open
	machine results.Machine     // this one
	earlier *results.Unfinished // what the file to continue has; nil: it is new
}

// newRequest returns the request of a verb with its defaults, or nil if the verb does not measure.
func newRequest(verb string) *request {
	r := &request{verb: verb, flags: pflag.NewFlagSet(verb, pflag.ContinueOnError), prepare: prepareRounds}
	r.plan = func() (run.Plan, error) {
		return run.Plan{}, fmt.Errorf("%s has no plan of rounds (bench and bench run have)", verb)
	}
	switch verb {
	case "bench":
		addMainJob(r)
	case "run":
		addGrid(r)
	case "peers":
		peersJob.addTo(r)
	case "systems":
		systemsJob.addTo(r)
	default:
		return nil
	}
	pathFlag(r.flags, &r.out, "out", defaultOut, "`folder` for results, the page and its figures")
	return r
}

// parseRequest returns the request with these arguments.
func parseRequest(args []string) (*request, error) {
	verb, flags := "bench", args
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		verb, flags = args[0], args[1:]
	}
	r := newRequest(verb)
	switch {
	case args == nil:
		return nil, errors.New("no command is recorded")
	case r == nil:
		return nil, fmt.Errorf("recorded command %q does not measure (bench and its verbs run, peers and systems do)",
			results.CommandText(args...))
	}
	r.flags.Usage = func() {}
	err := r.flags.Parse(flags)
	switch {
	case errors.Is(err, pflag.ErrHelp): // which would be a success
		err = errors.New("unknown flag: --help")
	case err == nil && r.flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", r.flags.Arg(0))
	}
	if err != nil {
		return nil, fmt.Errorf("recorded command %q: %w", results.CommandText(args...), err)
	}
	return r, nil
}

// identify sets the machine, which continues a file if it is not nil: a file is of one machine and one code.
func (r *request) identify(file *results.Table) (err error) {
	r.machine, err = thisMachine(r.parts...)
	if err != nil || file == nil {
		return err
	}
	for i, kv := range r.machine {
		switch was, known := file.Machine[kv[0]]; {
		case !known, kv[0] == "layout": // where nothing was measured, the file does not say on what machine
		case kv[0] == "commit": // the code decides; within a file the keys must not change
			r.machine[i][1] = was
		case was != kv[1]:
			return fmt.Errorf("its %s is %s, now it is %s (resume on the same machine with the same code)",
				kv[0], was, kv[1])
		}
	}
	return nil
}

// addTo adds the request's flags to its verb.
func (r *request) addTo(cmd *cobra.Command) {
	cmd.Flags().AddFlagSet(r.flags)
	pathFlag(cmd.Flags(), &r.resume, "resume", "",
		"raw `file` of an interrupted run to continue, with the flags that it records; its folder is the default of --out")
}

// measure measures what is asked for and returns the path of the raw file. An error says where results are that were
// measured before it, and how to continue.
func (r *request) measure(cmd *cobra.Command) (raw string, err error) {
	err = r.begin()
	if r.earlier != nil {
		defer r.earlier.Close()
	}
	if err != nil {
		return "", err
	}
	var check error
	var checking sync.WaitGroup
	if r.check != nil {
		checking.Go(func() { check = r.check(cmd) })
	}
	measure, err := r.prepare(cmd, r) // meanwhile, as both take seconds on one processor
	checking.Wait()
	if err = cmp.Or(check, err); err != nil {
		return "", err
	}
	sink, err := r.open()
	if err != nil {
		return "", err
	}
	err = errors.Join(measure(sink), sink.Close())
	if err != nil {
		return r.raw, kept(err, r.raw)
	}
	t, err := results.LoadUnfinished(r.raw)
	if err == nil && report.KindOf(t) == "" && len(t.Missing) > 0 {
		err = usagef("every cell was skipped, as was %v: %s", t.Missing[0].Key, t.Missing[0].Why.Text)
	}
	return r.raw, err
}

// begin makes the folder. A file to continue is locked and read, and the flags that it records are set.
func (r *request) begin() (err error) {
	if r.resume == "" {
		if err := makeFolder(r.out, pagesOf[r.verb]...); err != nil {
			return err
		}
		return r.identify(nil)
	}
	r.flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed && !slices.Contains([]string{"out", "rounds", "filter", "layouts"}, f.Name) {
			err = usagef("--%s and --resume are mutually exclusive (a file is continued with the flags that it records)",
				f.Name)
		}
	})
	if err != nil {
		return err
	}
	if r.earlier, err = results.Resume(r.resume); err != nil {
		return err
	}
	if err = r.readFlags(r.earlier.Sources[0].Args); err == nil {
		err = r.identify(r.earlier.Table)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.resume, err)
	}
	if !r.flags.Changed("out") {
		r.out = filepath.Dir(r.resume)
	}
	return makeFolder(r.out, pagesOf[r.verb]...)
}

// readFlags sets the flags of recorded arguments, except those that were given.
func (r *request) readFlags(args []string) error {
	recorded, err := parseRequest(args)
	if err != nil {
		return err
	}
	if recorded.verb != r.verb {
		return fmt.Errorf("recorded command is one of %s, not of %s", recorded.verb, r.verb)
	}
	recorded.flags.Visit(func(f *pflag.Flag) {
		if !r.flags.Changed(f.Name) && f.Name != "out" {
			err = errors.Join(err, r.flags.Set(f.Name, f.Value.String()))
		}
	})
	return err
}

// open opens the raw file. A new one has the command that measures, and is named by the verb and the time, so
// that none is replaced.
func (r *request) open() (sink *results.Raw, err error) {
	args := []string{} // not nil: the main job without flags is a command, too
	if r.verb != "bench" {
		args = append(args, r.verb)
	}
	args = append(args, givenFlags(r.flags)...)
	if r.earlier != nil {
		r.raw = r.resume
		if sink, err = r.earlier.Raw(r.machine); err == nil {
			err = sink.Resumed(args...)
		}
		return sink, err
	}
	err = os.ErrExist
	for at := time.Now().UTC(); errors.Is(err, os.ErrExist); at = at.Add(time.Second) { // two runs may begin in one
		r.raw = filepath.Join(r.out, r.verb+"-"+at.Format("20060102T150405Z")+".txt")
		sink, err = results.CreateRaw(r.raw, r.machine, args...)
	}
	return sink, err
}

// makeFolder makes a folder of results if there is none, and finds out whether it can be written and whether these
// files in it may be replaced, before hours of measurement.
func makeFolder(path string, files ...string) error {
	err := os.MkdirAll(path, 0o755)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(path, ""); err == nil {
			err = errors.Join(probe.Close(), os.Remove(probe.Name()))
		}
	}
	if err != nil {
		return usagef("--out %s: %v (use a folder that can be written)", path, err)
	}
	for _, name := range files {
		err = cmp.Or(err, report.Replaceable(filepath.Join(path, name)))
	}
	return err
}

// kept adds to an error of measuring where the results before it are, and how to continue unless all was measured.
func kept(err error, raw string) error {
	if err == nil || errors.Is(err, errPrinted) {
		return err
	}
	err = fmt.Errorf("%w; what was measured is in %s", err, raw)
	if errors.Is(err, run.ErrOutcome) {
		return err
	}
	return fmt.Errorf("%w; continue with --resume %s", err, raw)
}

// commandLine returns the command that runs, with the flags that the user gave.
func commandLine(cmd *cobra.Command, args ...string) string {
	verb := strings.Fields(cmd.CommandPath())[1:]
	return commandText(slices.Concat(verb, givenFlags(cmd.Flags()), args)...)
}

// pageCommand returns the command that makes the page of raw files, in a folder unless that is "".
func pageCommand(verb string, raws []string, out string) string {
	args := slices.Concat([]string{verb}, raws)
	if out != "" {
		args = append(args, "--out", out)
	}
	return commandText(args...)
}

// commandText returns a command of this program, as one types it in the repository.
func commandText(args ...string) string {
	return strings.TrimSuffix("go run ./cmd/bench "+results.CommandText(args...), " ")
}

// givenFlags returns the flags that were given, by the user or by a raw file.
func givenFlags(flags *pflag.FlagSet) (args []string) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			args = append(args, "--"+f.Name+"="+f.Value.String())
		}
	})
	return args
}
