package main

import (
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
	peersCode   = append(schemesCode[:2:2], "peers")
	systemsCode = append(schemesCode[:2:2], "systems")
)

// presentCode returns the digests of all parts of this program's code. It leaves out peers
// outside the repository, since the nested module is built only when it is measured.
func presentCode() (results.Code, error) {
	sources := map[string]fs.FS{
		"schemes": timerlab.Schemes, "driver": timerlab.Driver, "systems": timerlab.Systems,
	}
	if dir, err := run.PeersDir(); err == nil {
		sources["peers"] = os.DirFS(dir)
	}
	code := results.Code{}
	for part, source := range sources {
		digest, err := results.DigestSource(source, "server_test.go") // the program that measures the peers
		if err != nil {
			return nil, err
		}
		code[part] = digest
	}
	return code, nil
}

// warnings returns why the findings from a table may not hold.
func warnings(t *results.Table) ([]string, error) {
	present, err := presentCode()
	return report.Warnings(t, present), err
}

// thisMachine describes the machine, the build and the code of some parts.
func thisMachine(parts []string) (results.Machine, error) {
	present, err := presentCode()
	if err != nil {
		return nil, err
	}
	measured := results.Code{}
	for _, part := range parts {
		measured[part] = present[part]
	}
	return results.ThisMachine().WithCode(measured), nil
}
