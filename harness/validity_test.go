package harness_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the table of requirements into README.md")

// requirement is one of what makes a measurement valid.
type requirement struct {
	what   string
	checks string // tests, as folder.Name, that fail if it is not kept
	but    string // what of it is not kept, and why; "": all is
}

// requirements are V1 to V24.
var requirements = []requirement{
	{"a timed run has the outcome of its workload, or is an error", "run.TestDriveMissesNoTimerOfAMillion " +
		"run.TestWrongOutcomeIsAnErrorRow claims.TestPlantedLoss", ""},
	{"results of the work are consumed; twice the work takes twice as much", "run.TestNullFailsVerify run.TestInstructions",
		"doubling is checked on instructions, since times on a shared machine vary too much"},
	{"n stays the same while a steady state is measured", "workload.TestHoldIsStationaryFromTheStart " +
		"run.TestEverySchemeComesToTheTracesOutcome", "at n = 100 batches let it vary by 16 %, so that laps are long enough"},
	{"a process for each sample, and the spread on both levels", "run.TestChildren compare.TestLoadPoolsLabels",
		"the schemes' own cells share a process for each file, since they are many; bench reproduce shows how far two " +
			"files differ"},
	{"cells are interleaved in a recorded order; A/A pairs show the noise", "run.TestOrderIsAFunctionOfTheSeed " +
		"peers.TestEveryTableHasAPair ../systems/bench.TestEveryTableHasAPair report.TestNoisyMachines claims.TestWhatDecides", ""},
	{"several builds with other layouts", "results.TestLoadAddsFilesUp",
		"builds with -randlayout are made by hand and pooled; the effect is not printed cell by cell"},
	{"medians with intervals, no outlier removed, many comparisons corrected for", "results.TestIntervalsCoverTheMedian " +
		"claims.TestHolm claims.TestWhatDecides claims.TestComparisonsAreCounted compare.TestCompareAgreesWithBenchstat", ""},
	{"ratios with intervals; geometric means over the same cells", "results.TestRatioPairsByRound " +
		"compare.TestRankWithoutSharedCells compare.TestRankBelowSixRoundsHasNoInterval", ""},
	{"warm-up and steady state are detected", "workload.TestPrefillHasTheResidualDensity run.TestDisturbedSamplesAreRerun",
		"runs begin in the steady state by construction, and compiled code has no warm-up; a drift within a cell is not " +
			"looked for"},
	{"lateness is measured open-loop, against a schedule", "../systems/bench.TestFaultsAreFound ../systems/bench.TestOperations",
		"no pause of known length is injected"},
	{"what is timed alone lasts 100 times the clock's resolution", "run.TestMeasureClock run.TestShortLapsAreTold " +
		"run.TestPercentilesBelowTheLimitAreLeftOut claims.TestWhatDecides claims.TestLapsAreLong", ""},
	{"the collector is controlled, and what it does reported", "run.TestTheCollectorIsOffInRoundsAlone " +
		"run.TestMemoryIsTheSchemesAlone run.TestRunsDoNotAllocate",
		"only with the collector off: the schemes do not allocate per operation and hold no pointers"},
	{"the machine is recorded and judged", "compare.TestDiagnose compare.TestObserveSteal report.TestNoisyMachines " +
		"run.TestNeighbour", ""},
	{"every scheme has the same operations, made before", "results.TestLoadRefusesToPoolDifferentStreams " +
		"workload.TestHashCoversEveryField workload.TestStreamsAreTheSameForEver",
		"the files of peers and services have seeds, but no hash"},
	{"the harness's own part is shown", "report.TestDoubtfulTimesAreMarked report.TestStudy", ""},
	{"intervals and stops come in random order, and more than a cache holds", "workload.TestOrderWithinATickIsRandom " +
		"peers.TestEverySchemeInEveryScenario", "sorted and random order are not compared"},
	{"unfavourable regions are covered, and missing cells shown", "choice.TestWhatIsNotJudged " +
		"compare.TestCompareListsWhatIsMissing report.TestReasons workload.TestWorstCasesAreSo",
		"the committed files compare schemes 6 and 7 at one n"},
	{"the longest tick is shown beside the mean", "run.TestTheWorstTickIsExact report.TestWorstTick", ""},
	{"growth is judged, with counts", "claims.TestPlantedWork claims.TestVerdicts run.TestCountsAreExact",
		"exactly, on counts at two or three n; no slopes of times are fitted"},
	{"contention: conservation with throughput", "../systems/bench.TestThroughput ../systems/bench.TestFaultsAreFound",
		"starvation is not looked for"},
	{"other designs as their documents say", "peers.TestBehaviourIsDocumented peers.TestAudit peers.TestParticulars",
		"only Netty has a second, tuned form"},
	{"a second run can be compared with the first", "../cmd/bench.TestReproduce report.TestMachinesPage", ""},
	{"the number of runs is fixed before; files only grow", "results.TestRawRefusesAFileThatExists " +
		"../cmd/bench.TestResumeRefuses results.TestSplit", "earlier sets of results are in git's history only"},
	{"the statistics are tested on known series", "results.TestSummarizeKnownSeries claims.TestChance claims.TestHolm " +
		"compare.TestSelfTest compare.TestSelfTestSeesABlindGate compare.TestAlarmsGrowWithTheSlowdown", ""},
}

// The README's table names the checks of every requirement, which exist.
func TestRequirements(t *testing.T) {
	var b strings.Builder
	b.WriteString("| id | requirement | kept | checks that would fail |\n|---|---|---|---|\n")
	for i, r := range requirements {
		var names []string
		for check := range strings.FieldsSeq(r.checks) {
			folder, name := check[:strings.LastIndex(check, ".")], check[strings.LastIndex(check, ".")+1:]
			assert.True(t, hasTest(t, folder, name), "V%d: no test %s in %s", i+1, name, folder)
			names = append(names, fmt.Sprintf("`%s` %s", filepath.Base(folder), name))
		}
		kept := "yes"
		if r.but != "" {
			kept = "but: " + r.but
		}
		fmt.Fprintf(&b, "| V%d | %s | %s | %s |\n", i+1, r.what, kept, strings.Join(names, ", "))
	}
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	between := regexp.MustCompile(`(?s)(<!-- requirements -->\n\n).*?(<!-- end -->)`)
	want := between.ReplaceAllString(string(text), "${1}"+strings.ReplaceAll(b.String(), "$", "$$")+"\n${2}")
	if *update {
		require.NoError(t, os.WriteFile("README.md", []byte(want), 0o644))
		return
	}
	assert.True(t, want == string(text), "the table is not that of the code: go test ./harness -run TestRequirements -update")
	assert.True(t, strings.Contains(want, "| V24 |"), "no V24 in the table")
}

// hasTest reports whether the tests of a folder have one of this name.
func hasTest(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
