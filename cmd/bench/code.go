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
	peersCode   = []string{"schemes", "driver", "peers"}
	systemsCode = []string{"schemes", "driver", "systems"}
	pickCode    = []string{"schemes", "driver", "pick"}
)

// presentCode returns the digests of all parts of this program's code. It leaves out peers
// outside the repository, since the nested module is built only when it is measured, and what
// cannot be read, which is an error too.
func presentCode() (results.Code, error) {
	code := results.Code{}
	var errs error
	add := func(part string, source fs.FS, also string, folders ...string) {
		digest, err := results.DigestSource(source, also, folders...)
		if err == nil {
			code[part] = digest
		}
		errs = errors.Join(errs, err)
	}
	add("schemes", timerlab.Source, "", "schemes")
	add("driver", timerlab.Source, "", "harness/drive", "harness/run", "harness/workload")
	add("systems", timerlab.Source, "", "systems")
	add("pick", timerlab.Source, "", "harness/pick", "harness/cost")
	if dir, err := run.PeersDir(); err == nil {
		add("peers", os.DirFS(dir), "server_test.go", ".") // the program that measures the peers
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
