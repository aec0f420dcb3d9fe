package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"timerlab"
	"timerlab/harness/claims"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/results/units"
	"timerlab/harness/run"
)

// verbOf is, for each kind of results, the verb that reports it.
var verbOf = map[report.Kind]string{report.Schemes: "report", report.Peers: "peers", report.Services: "systems"}

// pagesOf are, for each verb that measures, the files of the page that it makes.
var pagesOf = map[string][]string{
	"bench": report.StudyFiles, "peers": {"peers.md", "peers.csv"}, "systems": {"systems.md", "systems.csv"},
}

// loadRaws loads raw files. Their sources have the commands of this program, and an error says what to do.
func loadRaws(raws ...string) (*results.Table, error) {
	t, err := results.Load(raws...)
	if errors.Is(err, results.ErrTorn) {
		return nil, fmt.Errorf("%w; --resume continues the file of an interrupted run", err)
	}
	return withCommands(t), err
}

// withCommands puts the name of this program before the commands of a table's sources.
func withCommands(t *results.Table) *results.Table {
	if t != nil {
		for i, s := range t.Sources {
			if s.Args != nil {
				t.Sources[i].Command = commandText(s.Args...)
			}
		}
	}
	return t
}

// loadOf loads raw files, which must be of one kind.
func loadOf(kind report.Kind, raws []string) (*results.Table, error) {
	t, err := loadRaws(raws...)
	if err != nil {
		return nil, err
	}
	switch got := report.KindOf(t); got {
	case kind:
		return t, nil
	case "":
		return nil, usagef("%s: no results of %s (use a file that bench %s measures; go tool benchstat compares other "+
			"files of go test -bench)", strings.Join(raws, ", "), kind, strings.Replace(verbOf[kind], "report", "run", 1))
	default:
		return nil, usagef("%s: results of %s (bench %s reports them)", strings.Join(raws, ", "), got, verbOf[got])
	}
}

const pngFlag = "png" // of report

// savePage saves a page and what belongs to it, and prints it, for people with where it and its raw files are.
func savePage(cmd *cobra.Command, page *report.Page, path string, format report.Format, raws []string) error {
	if _, err := page.Save(path); err != nil {
		return err
	}
	if png, _ := cmd.Flags().GetBool(pngFlag); png {
		paths, err := report.SaveFigures(filepath.Join(filepath.Dir(path), "figures"), "png", page.Figures())
		if err == nil && len(paths) == 0 {
			err = fmt.Errorf("%s: no figure (needs at least two n, or the grid of schemes 6 and 7)", strings.Join(raws, ", "))
		}
		if err != nil {
			return err
		}
	}
	if format != report.Text {
		return writePage(cmd, page, format)
	}
	w := cmd.OutOrStdout()
	findings := strings.Join(append([]string{page.Findings}, page.Warnings...), "\n\n")
	page.Findings, page.Warnings = "", nil // at the end, where they are seen
	err := page.Write(w, format)
	fmt.Fprintf(w, "raw results  %s\npage         %s\n\n%s. %s\n", strings.Join(raws, ", "), path, page.Title, findings)
	return err
}

// wrongCells is an error if cells had a wrong outcome.
func wrongCells(t *results.Table) error {
	wrong := map[results.Key]bool{}
	for _, m := range t.Missing {
		if m.Fail {
			wrong[m.Key] = true
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%s with a wrong outcome, shown as ERROR: %w", units.Plural(len(wrong), "cell"), errUnverified)
}

// presentCode returns the digests of all parts of this program's code. It leaves out peers outside the repository, since
// the nested module is built only when it is measured, and what cannot be read, which is an error too.
func presentCode() (results.Code, error) {
	code := results.Code{}
	var errs error
	add := func(part string, source fs.FS, folders ...string) {
		digest, err := results.DigestSource(source, folders, func(name string) bool {
			// Pick's costs are in no kept results. Some tests of the peers are the program that measures.
			return results.IsCompiled(name) && !strings.HasPrefix(name, "systems/load/") || name == "server_test.go"
		})
		if err == nil {
			code[part] = digest
		}
		errs = errors.Join(errs, err)
	}
	add("schemes", timerlab.Source, "schemes")
	add("driver", timerlab.Source, "harness/drive", "harness/run", "harness/workload")
	add("pick", timerlab.Source, "harness/pick", "harness/cost", "harness/workload/demand")
	add("systems", timerlab.Source, "systems")
	if root, err := run.Repository(); err == nil {
		add("peers", os.DirFS(filepath.Join(root, "harness", "peers")), ".")
	}
	return code, errs
}

// warnings returns why the findings from a table may not hold.
func warnings(t *results.Table) []string {
	present, _ := presentCode() // of a part that is left out, a warning says that it is unknown
	return report.Warnings(t, present)
}

// thisMachine describes the machine, the build and the code that is measured: the schemes, what drives them, and other
// parts, which may be given with a digest.
func thisMachine(parts ...string) (results.Machine, error) {
	present, err := presentCode()
	measured := results.Code{}
	for _, part := range append([]string{"schemes", "driver"}, parts...) {
		if name, digest, is := strings.Cut(part, "="); is { // of an adapter
			measured[name] = digest
			continue
		}
		measured[part] = present[part]
	}
	machine := results.ThisMachine().WithCode(measured)
	return append(machine, [2]string{"claims", claims.Digest()}), err
}
