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
	sources := map[string]fs.FS{
		"schemes": timerlab.Schemes, "driver": timerlab.Driver, "systems": timerlab.Systems, "jvm": timerlab.JVM,
		"pick": timerlab.Pick,
	}
	if dir, err := run.PeersDir(); err == nil {
		sources["peers"] = os.DirFS(dir)
	}
	code := results.Code{}
	var errs error
	for part, source := range sources {
		digest, err := results.DigestSource(source, "server_test.go", "lowerbounds_test.go") // what measures the peers
		if err == nil {
			code[part] = digest
		}
		errs = errors.Join(errs, err)
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
