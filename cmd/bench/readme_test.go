package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness/claims"
	"timerlab/harness/results"
	"timerlab/teach/player"
)

const repository = "../.."

// pages returns the Markdown pages of the repository.
func pages(t *testing.T) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(repository, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git" || path == filepath.Join(repository, "results", "local")):
			return filepath.SkipDir
		case filepath.Ext(path) == ".md":
			paths = append(paths, path)
		}
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	return paths
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// glob returns the files that match a pattern, of which there must be one.
func glob(t *testing.T, elements ...string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(elements...))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	return paths
}

// load reads raw files, which must be good.
func load(t *testing.T, paths ...string) *results.Table {
	t.Helper()
	table, err := results.Load(paths...)
	require.NoError(t, err)
	return table
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// frozen is on each page of kept results, which are not drawn again before they are measured again.
const frozen = "**Frozen**: these results are of the code at commit 87ccb24. It has changed since, and will be measured again."

// theAnswer returns the answer of the front page and the lines of its table, as they are and without intervals.
func theAnswer(t *testing.T) (answer string, lines, short []string) {
	t.Helper()
	answer = regexp.MustCompile(`(?s)## The answer\n(.*?)\n## `).FindString(read(t, filepath.Join(repository, "README.md")))
	lines = regexp.MustCompile(`(?m)^\| .*$`).FindAllString(answer, -1)
	for _, line := range lines {
		short = append(short, regexp.MustCompile(` \([^)]*\)`).ReplaceAllString(line, ""))
	}
	return answer, lines, short
}

var (
	decimals  = regexp.MustCompile(`\d+\.(\d+)`)
	quotation = regexp.MustCompile(`[^.|]*\d+[.]\d+[^|]*?\]\((?:\.\./)*(results/[^)#]*\.(?:md|csv))[^)]*\)`)
)

// quotations returns the parts of a text that quote results: from a sentence with a number to a link, and to where.
func quotations(text string) (all [][]string) {
	for _, paragraph := range strings.Split(text, "\n\n") {
		all = append(all, quotation.FindAllStringSubmatch(paragraph, -1)...)
	}
	return all
}

// rounded reports whether a number is one of some values, rounded.
func rounded(t *testing.T, number string, values []float64) bool {
	t.Helper()
	value, half := parseNumber(t, number), 0.501*math.Pow10(-len(decimals.FindStringSubmatch(number)[1]))
	return slices.ContainsFunc(values, func(v float64) bool { return math.Abs(v-value) <= half })
}

// numbers returns the numbers with decimals of a text.
func numbers(t *testing.T, text string) (all []float64) {
	t.Helper()
	for _, number := range decimals.FindAllString(text, -1) {
		all = append(all, parseNumber(t, number))
	}
	return all
}

// The table of the answer is the one that the page of a folder of results has, line by line. The front page warns of
// what that page warns of, in the same words. The lecture ends with the same answer. Other numbers that are copied are
// those of their pages.
func TestTheAnswerIsTheMachinesPage(t *testing.T) {
	answer, lines, short := theAnswer(t)
	folder := regexp.MustCompile(`results/[^/]+/`).FindString(answer)
	page := read(t, filepath.Join(repository, folder, "README.md"))
	assert.NotEmpty(t, lines)
	assert.LessOrEqual(t, len(lines), 12)
	quoting, rule := texts(t, "*.md", "notes/*.md"), regexp.MustCompile(`6 if slots .*?; else 7`).FindString(answer)
	slides := quoting[filepath.Join(repository, "teach/slides.md")]
	assert.Contains(t, quoting[filepath.Join(repository, "teach/README.md")], fmt.Sprintf(" %d slides ", strings.Count(slides, "\n---\n")+1))
	assert.Contains(t, strings.Join(strings.Fields(player.Lessons[11].Reveal), " "), rule)
	for i, line := range lines {
		assert.Contains(t, page, line+"\n")
		assert.True(t, strings.Contains(slides, short[i]+"\n"), "the slides lack %s", short[i])
	}
	for _, path := range append(glob(t, repository, "teach/notes/0[78]*.md"), filepath.Join(repository, "teach/slides.md")) {
		assert.Contains(t, strings.Join(strings.Fields(quoting[path]), " "), rule, path)
		for _, named := range regexp.MustCompile(`results/[^/]+/`).FindAllString(quoting[path], -1) {
			assert.Equal(t, folder, named, path)
		}
	}
	text := read(t, filepath.Join(repository, "README.md"))
	quoting["README.md"] = text
	for path, text := range quoting {
		for _, sentence := range quotations(text) {
			values := numbers(t, read(t, filepath.Join(repository, sentence[1])))
			for _, number := range decimals.FindAllString(sentence[0], -1) {
				assert.True(t, rounded(t, number, values), "%s: %s is not in %s", path, number, sentence[1])
			}
		}
	}
	judged := regexp.MustCompile(`\[(\d+ of \d+) [^]]*\]\((results/[^)]*pick.md)\)`).FindStringSubmatch(text)
	assert.Contains(t, read(t, filepath.Join(repository, judged[2])), judged[1]+" workloads")
	assert.Equal(t, strings.Contains(page, frozen), strings.Contains(answer, frozen))
	for _, path := range append(glob(t, repository, "results/*.md"), glob(t, repository, "results/*/*.md")...) {
		if page := read(t, path); !strings.HasPrefix(path, filepath.Join(repository, "results/local")) && !strings.Contains(page, frozen) {
			assert.NotContains(t, page, "**Stale**", path)
		}
	}
}

func TestLinksLeadSomewhere(t *testing.T) {
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(withoutCode(read(t, page)), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			if filepath.Base(target) == "page.html" {
				checkPageLink(t, page, target, anchor)
				continue
			}
			path := page
			if target != "" {
				path = filepath.Join(filepath.Dir(page), target)
			}
			if _, err := os.Stat(path); !assert.NoError(t, err, "%s links to %s", page, m[1]) {
				continue
			}
			if anchor != "" {
				assert.Contains(t, anchors(read(t, path)), anchor, "%s links to %s", page, m[1])
			}
		}
	}
}

// checkPageLink verifies a link into the page that bench page writes to the repository's root: its
// fragment must be the one that the page itself writes for that state.
func checkPageLink(t *testing.T, page, target, fragment string) {
	t.Helper()
	path := filepath.Join(filepath.Dir(page), target)
	assert.Equal(t, filepath.Join(repository, "page.html"), path, "%s links to %s", page, target)
	if strings.Contains(fragment, "race=") {
		assert.NoError(t, new(player.Race).Open(fragment), "%s links to #%s", page, fragment)
		return
	}
	state, err := player.Parse(fragment)
	assert.NoError(t, err, "%s links to #%s", page, fragment)
	assert.Equal(t, state.String(), fragment, page)
}

// withoutCode drops code, in which brackets are no links.
func withoutCode(text string) string {
	text = regexp.MustCompile("(?s)```.*?```").ReplaceAllString(text, "")
	return regexp.MustCompile("`[^`\n]*`").ReplaceAllString(text, "code")
}

// anchors returns the anchors of a Markdown page: its own, and those that its headings get.
func anchors(text string) (all []string) {
	for _, m := range regexp.MustCompile(`<a id="([^"]*)">`).FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		all = append(all, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, m[1]))
	}
	return all
}

// commands returns the indented command lines of a page that begin with prefix,
// without it, without a comment and without what follows a pipe.
func commands(text, prefix string) (all []string) {
	for _, m := range regexp.MustCompile(`(?m)^    `+regexp.QuoteMeta(prefix)+`(.*)$`).FindAllStringSubmatch(text, -1) {
		line, _, _ := strings.Cut(m[1], "  #")
		line, _, _ = strings.Cut(line, " | ")
		all = append(all, strings.TrimSpace(line))
	}
	return all
}

// longRunning are the verbs whose commands take minutes, make a folder, or need a file of
// the reader's: a test parses their flags.
var longRunning = []string{"lab", "page", "pick", "run", "reproduce", "peers", "systems", "trace", "report", "verify", "--full"}

// withAllClaims undoes for a test what TestMain does.
func withAllClaims(t *testing.T) {
	few := claims.All
	claims.All = allClaims
	t.Cleanup(func() { claims.All = few })
}

func TestCommandsOfPagesWork(t *testing.T) {
	withAllClaims(t)
	all, lectures := pages(t), texts(t, "*.md", "notes/*.md")
	texts := make([]string, len(all))
	for i, page := range all {
		texts[i] = read(t, page)
	}
	t.Chdir(repository)
	tested := 0
	for i, page := range all {
		for _, line := range commands(texts[i], "go run ./cmd/bench") {
			args := words(line)
			generated := strings.Contains(page, "results/")                                // by commands that take minutes
			judging := strings.Contains(page, "teach/") && slices.Contains(args, "claims") // of many claims: a minute
			long := generated || judging || len(args) == 0 || slices.Contains(longRunning, args[0])
			t.Run(filepath.Base(filepath.Dir(page))+" "+line, func(t *testing.T) { tryCommand(t, args, long) })
			tested++
		}
	}
	assert.Greater(t, tested, 5)
	for _, text := range lectures { // within a sentence: they have the flags that they name
		for _, m := range regexp.MustCompile("`bench ([^`]+)`").FindAllStringSubmatch(text, -1) {
			t.Run(m[1], func(t *testing.T) { tryCommand(t, words(m[1]), true) })
		}
	}
}

func tryCommand(t *testing.T, args []string, long bool) {
	if !long {
		var out, errOut bytes.Buffer
		assert.Zero(t, execute(t.Context(), args, &out, &errOut), errOut.String())
		assert.NotEmpty(t, out.String())
		return
	}
	root := newRoot()
	verb, rest, err := root.Find(args)
	require.NoError(t, err)
	require.NoError(t, verb.ParseFlags(rest))
	if verb.Args != nil {
		assert.NoError(t, verb.Args(verb, verb.Flags().Args()))
	}
}

// The benchmarks that pages name must exist.
func TestGoTestCommandsOfPagesFindBenchmarks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds test binaries")
	}
	name := regexp.MustCompile(`-bench '?([^' ]+)'?`)
	folder := regexp.MustCompile(`\./(harness|systems)\S*`)
	for _, page := range pages(t) {
		for _, line := range commands(read(t, page), "go test ") {
			m := name.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			out, err := exec.Command("go", "test", "-list", m[1], repository+"/"+folder.FindString(line)).CombinedOutput()
			require.NoError(t, err, "%s", out)
			assert.Contains(t, string(out), "Benchmark", "%s: %s", page, line)
		}
	}
}

// texts returns the texts for lectures, by file.
func texts(t *testing.T, patterns ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range patterns {
		for _, path := range glob(t, repository, "teach", pattern) {
			all[path] = read(t, path)
		}
	}
	return all
}

// Every claim that the texts for lectures name is in their table of claims, and each of that table is
// in the list of claims.
func TestClaimsOfTextsExist(t *testing.T) {
	table := read(t, filepath.Join(repository, "teach/links.md"))
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^\| <a id="(.*)"></a>(\S+) \|`).FindAllStringSubmatch(table, -1) {
		assert.Equal(t, strings.ToLower(m[2]), m[1])
		known := slices.ContainsFunc(allClaims, func(c claims.Claim) bool { return c.ID == m[2] })
		assert.True(t, known, "links.md has the claim %s", m[2])
		listed = append(listed, m[2])
	}
	assert.Greater(t, len(listed), 30)
	assert.Contains(t, read(t, filepath.Join(repository, "README.md")), fmt.Sprintf("the [%d claims]", len(allClaims)))
	for _, l := range player.Lessons {
		assert.Subset(t, listed, idOfClaim.FindAllString(l.Text+l.Reveal, -1), l.Title)
	}
	for path, text := range texts(t, "*.md", "notes/*.md") {
		for _, claim := range idOfClaim.FindAllString(text, -1) {
			assert.Contains(t, listed, claim, "%s names the claim %s", path, claim)
		}
		if !slices.Contains([]string{"links.md", "slides.md", "07-six-or-seven.md"}, filepath.Base(path)) {
			assert.NotRegexp(t, `results/[a-z]`, text, "%s depends on one machine", path)
		}
	}
}

// The figures of claims in the notes are those of the fixture, which are drawn from exact counts and so the same on
// every machine. FIGURES=write go test -run FiguresOfClaims ./cmd/bench copies them.
func TestFiguresOfClaims(t *testing.T) {
	description := regexp.MustCompile(`(?s)<desc>.*?</desc>\n*`) // the command, with the machine's folder
	copied := 0
	for _, path := range glob(t, repository, fixture, "figures/*.svg") {
		figure := description.ReplaceAllString(read(t, path), "")
		for folder, want := range map[string]string{"notes/figures": figure, "figures": projected(figure)} {
			own := filepath.Join(repository, "teach", folder, filepath.Base(path))
			if _, err := os.Stat(own); err != nil {
				continue
			}
			if os.Getenv("FIGURES") == "write" {
				put(t, own, want)
			}
			assert.True(t, want == read(t, own), "%s is not %s: run this test with FIGURES=write", own, path)
			copied++
		}
	}
	assert.Positive(t, copied)
}

// projected returns a figure for a slide, which has a title and text of its own: without them, and with text
// that is 18 pixels high where the slide is 1280 by 720.
func projected(figure string) string {
	size := regexp.MustCompile(`height="[\d.]+pt" viewBox="0 0 600 [\d.]+"`)
	titles := regexp.MustCompile(`y="([\d.]+)" font-size="13"`).FindAllStringSubmatch(figure, -1)
	caption := regexp.MustCompile(`y="([\d.]+)" font-size="8.5"`).FindStringSubmatch(figure)
	if titles == nil || caption == nil {
		return figure
	}
	top, _ := strconv.ParseFloat(titles[len(titles)-1][1], 64)
	bottom, _ := strconv.ParseFloat(caption[1], 64)
	figure = size.ReplaceAllString(figure, fmt.Sprintf(`height="%gpt" viewBox="0 %g 600 %[1]g"`, bottom-top-16, top+6))
	if strings.Contains(figure, ">c7/c6 at which") {
		figure = strings.Replace(figure, "</svg>", breakEvens(figure)+"</svg>", 1)
	}
	squeezed := regexp.MustCompile(` textLength="[^"]*"| lengthAdjust="[^"]*"`)
	return strings.ReplaceAll(squeezed.ReplaceAllString(figure, ""), `font-size="9"`, `font-size="12.5"`)
}

// breakEvens marks two T at c7/c6 = 1 in the figure of the break-even: what is counted, and the paper's bound. Its grid is
// T/M = 1/2, 1, 2 and so on, and c7/c6 = 0.1, 0.2, 0.5, 1 and so on.
func breakEvens(figure string) (marks string) {
	grid := regexp.MustCompile(`d="M([\d.]+),([\d.]+)L([\d.]+),[\d.]+" style="fill:none;stroke:#E2E2E2`).FindAllStringSubmatch(figure, -1)
	height, _ := strconv.ParseFloat(regexp.MustCompile(`translate\(0, -([\d.]+)\)`).FindStringSubmatch(figure)[1], 64)
	number := func(text string) float64 { v, _ := strconv.ParseFloat(text, 64); return v }
	across := slices.IndexFunc(grid, func(m []string) bool { return m[1] != m[3] }) // the first line that is not upright
	one, octave := number(grid[1][1]), number(grid[2][1])-number(grid[1][1])
	for _, T := range []float64{363, 1024} {
		x, y := one+octave*math.Log2(T/256), height-number(grid[across+3][2])
		marks += fmt.Sprintf(`<circle cx="%.1f" cy="%.1f" r="6" style="fill:none;stroke:#c9372c;stroke-width:2"/>`+
			`<text x="%.1f" y="%.1f" font-size="12.5" style="fill:#c9372c;paint-order:stroke;stroke:#fff;stroke-width:4">T = %g</text>`, x, y, x+10, y+16, T)
	}
	return marks
}

// idOfClaim matches the ID of a claim.
var idOfClaim = regexp.MustCompile(`\b(?:[MDHVARBZ]|S[1-4])-\d+[a-z]?\b`)

// A number with two decimals or more, in a note or on a slide, is one of a claim that this text names, rounded, or of the
// results that it quotes.
func TestNumbersOfTextsAreOfTheirClaims(t *testing.T) {
	_, _, answers := theAnswer(t)
	row := regexp.MustCompile(`^(?:### |\| \[?)?(` + idOfClaim.String() + `)`)
	judged := map[string][]float64{} // by claim
	for _, path := range glob(t, repository, "results/*/claims.*") {
		id := ""
		for line := range strings.Lines(read(t, path)) {
			if m := row.FindStringSubmatch(line); m != nil {
				id = strings.TrimSuffix(m[1], "x") // what we derived, with what it is derived from
			}
			judged[id] = append(judged[id], numbers(t, line)...)
		}
	}
	for path, text := range texts(t, "notes/0*.md", "slides.md") {
		var values []float64
		for _, id := range idOfClaim.FindAllString(text, -1) {
			values = append(values, judged[strings.TrimSuffix(id, "x")]...)
		}
		for _, line := range answers {
			text = strings.ReplaceAll(text, line, "")
		}
		for _, sentence := range quotations(text) {
			text = strings.ReplaceAll(text, sentence[0], "")
		}
		for _, m := range decimals.FindAllStringSubmatch(link.ReplaceAllString(withoutCode(text), ""), -1) {
			assert.True(t, len(m[1]) == 1 || rounded(t, m[0], values), "%s: %s is not of a claim that it names", path, m[0])
		}
	}
}

func parseNumber(t *testing.T, text string) float64 {
	t.Helper()
	value, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return value
}

// What the answers say of a state of the page is what the schemes do. Where they say which scheme
// takes the fewest steps, the notes or answers have its steps and those of the next.
func TestAnswersFromThePageAreRight(t *testing.T) {
	var all strings.Builder
	for _, text := range texts(t, "notes/*.md") {
		all.WriteString(text)
	}
	answer := regexp.MustCompile(`page\.html#?([^)]*)\)\s+answers\s+\*\*([^*]+)\*\*`)
	answers := answer.FindAllStringSubmatch(all.String(), -1)
	assert.Greater(t, len(answers), 10)
	for _, m := range answers {
		p, err := player.Open(m[1])
		require.NoError(t, err, m[1])
		prompt, _ := p.Ask()
		right, verdict, err := prompt.Answer(m[2])
		require.NoError(t, err, m[1])
		assert.True(t, right, "#%s: %s is not the answer: %s", m[1], m[2], verdict)
		_, steps, _ := strings.Cut(verdict, "Steps of")
		var counted []int
		for _, text := range regexp.MustCompile(`: (\d+)`).FindAllStringSubmatch(steps, -1) {
			counted = append(counted, int(parseNumber(t, text[1])))
		}
		slices.Sort(counted)
		for _, n := range counted[:min(2, len(counted))] {
			assert.Regexp(t, fmt.Sprintf(`\b%d\b`, n), all.String(), "#%s", m[1])
		}
	}
}

var (
	// shown is a command in a page and what it prints; quoted is one without its output.
	shown  = regexp.MustCompile("(?ms)^```\n\\$ ((?:bench|go tool) .*?)\n(.*?)\n```$")
	quoted = regexp.MustCompile(`(?m)^    (go tool benchstat .*harness/gate/testdata.*)$`)
	// word is an argument, perhaps in quotes.
	word = regexp.MustCompile(`'([^']*)'|(\S+)`)
)

// words returns the arguments of a command as a shell splits it.
func words(command string) (args []string) {
	for _, m := range word.FindAllStringSubmatch(command, -1) {
		args = append(args, m[1]+m[2])
	}
	return args
}

// Commands that the page of the harness shows print what it shows, those of benchstat included. What the doctor finds
// depends on the machine, so it is not called.
func TestTheDayAfter(t *testing.T) {
	text := read(t, filepath.Join(repository, "harness/README.md"))
	t.Chdir(repository)
	blocks := shown.FindAllStringSubmatch(text, -1)
	require.Len(t, blocks, 3)
	for _, block := range blocks {
		args := words(block[1])
		t.Run(strings.Join(args[:2], " "), func(t *testing.T) {
			switch args[0] + args[1] {
			case "benchdoctor":
				assert.Regexp(t, "^With 7 rounds this machine decides a difference of .* in 80 of 100 cells whose runs are long; for 10 % it needs ", block[2])
			case "gotool":
				out, err := exec.Command("go", args[1:]...).Output()
				require.NoError(t, err)
				assert.Equal(t, block[2], strings.TrimRight(string(out), "\n"))
			default:
				out, errOut := exits(t, exitRegression, args[1:]...)
				assert.Equal(t, block[2], strings.TrimRight(out+errOut, "\n"))
			}
		})
	}
	more := quoted.FindAllStringSubmatch(text, -1)
	require.Len(t, more, 2)
	for _, command := range more {
		out, err := exec.Command("go", words(command[1])[1:]...).CombinedOutput()
		require.NoError(t, err)
		assert.Contains(t, string(out), "geomean", command[1])
	}
}
