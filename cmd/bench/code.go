package main

import (
	"errors"
	"io/fs"
	"os"

	"timerlab"
	"timerlab/harness/report"
	"timerlab/harness/results"
	"timerlab/harness/run"
)

// Parts of the code that verbs measure.
var (
	schemesCode = []string{"schemes", "driver"}
	peersCode   = []string{"schemes", "driver", "peers", "jvm"}
	systemsCode = []string{"schemes", "driver", "systems", "jvm"}
	pickCode    = []string{"schemes", "driver", "pick"}
)

// presentCode returns the digests of all parts of this program's code. It leaves out peers
// outside the repository, since the nested module is built only when it is measured, and what
// cannot be read, which is an error too.
func presentCode() (results.Code, error) {
	code := results.Code{}
	var errs error
	add := func(part string, source fs.FS, folders []string, also ...string) {
		digest, err := results.DigestSource(source, folders, also...)
		if err == nil {
			code[part] = digest
		}
		errs = errors.Join(errs, err)
	}
	for part, folders := range map[string][]string{
		"schemes": {"schemes"},
		"driver":  {"harness/drive", "harness/run", "harness/workload"},
		"systems": {"systems"},
		"jvm":     {"harness/jvm"},
		"pick":    {"harness/pick", "harness/cost"},
	} {
		add(part, timerlab.Source, folders)
	}
	if dir, err := run.PeersDir(); err == nil { // some of its tests are the program that measures
		add("peers", os.DirFS(dir), []string{"."}, "server_test.go", "lowerbounds_test.go")
	}
	return code, errs
}

// warnings returns why the findings from a table may not hold.
func warnings(t *results.Table) []string {
	present, _ := presentCode() // of a part that is left out, a warning says that it is unknown
	return report.Warnings(t, present)
}

// thisMachine describes the machine, the build and the code of some parts.
func thisMachine(parts []string) (results.Machine, error) {
	present, err := presentCode()
	measured := results.Code{}
	for _, part := range parts {
		measured[part] = present[part]
	}
	return results.ThisMachine().WithCode(measured), err
}
