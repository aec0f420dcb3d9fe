package lab

import (
	"errors"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/schemes"
	"timerlab/schemes/hashunsorted"
	"timerlab/schemes/schemetest"
	"timerlab/teach/lab/grade"
)

// student makes a module for scheme 6 with this source, or without one the stub.
func student(t *testing.T, source string) *Module {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "mylab")
	require.NoError(t, Init(dir, "6"))
	if source != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "scheme6.go"), []byte(source), 0o644))
	}
	m, err := Open(t.Context(), dir)
	require.NoError(t, err)
	return m
}

// graded grades a module, shortly.
func graded(t *testing.T, m *Module, timeout time.Duration) *Report {
	t.Helper()
	r, err := m.Grade(t.Context(), grade.Options{Short: true}, timeout, func(int, int, string) {})
	require.NoError(t, err)
	return r
}

// solution is a scheme as a good student writes it, with some text replaced.
func solution(t *testing.T, oldnew ...string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/scheme6.go.txt")
	require.NoError(t, err)
	for i := 0; i < len(oldnew); i += 2 {
		require.Contains(t, string(text), oldnew[i])
	}
	return strings.NewReplacer(oldnew...).Replace(string(text))
}

func text(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, r.Write(&b, Text))
	return b.String()
}

func TestStagesHaveEveryRuleOnce(t *testing.T) {
	var all, want []string
	points := 0
	for _, s := range grade.Stages {
		all = append(all, s.Rules...)
		points += s.Points
		assert.Contains(t, s.Rules, s.Key)
	}
	for _, r := range schemetest.Rules() {
		want = append(want, r.Name)
	}
	assert.ElementsMatch(t, append(want, "growth", "stop-frees"), all)
	assert.Equal(t, grade.MaxPoints, points)
}

// The suite's own schemes have all points.
func TestReferencesHaveAllPoints(t *testing.T) {
	for _, name := range Schemes() {
		info, err := harness.Find(name)
		require.NoError(t, err)
		for i := range grade.Stages {
			s := &grade.Stages[i]
			s.Check(info, grade.Options{Short: true, Patience: grade.Patience},
				func(r grade.Result) { assert.Nil(t, r.Violation, "%s, stage %s", name, s.Name) })
		}
	}
}

// What a student gets is formatted, has no template left, and names all stages. It compiles, breaks the first rule, and
// neither panics nor hangs.
func TestNewModules(t *testing.T) {
	for i, scheme := range Schemes() {
		dir := filepath.Join(t.TempDir(), "mylab")
		require.NoError(t, Init(dir, scheme))
		for _, pattern := range []string{"*.go", "*.md"} {
			names, _ := filepath.Glob(filepath.Join(dir, pattern))
			assert.NotEmpty(t, names)
			for _, name := range names {
				data, err := os.ReadFile(name)
				require.NoError(t, err)
				assert.NotContains(t, string(data), "{{")
				if pattern == "*.go" {
					formatted, err := format.Source(data)
					require.NoError(t, err)
					assert.Equal(t, string(formatted), string(data), name)
				}
			}
		}
		readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
		require.NoError(t, err)
		for _, s := range grade.Stages {
			assert.Contains(t, string(readme), "| "+s.Name+", "+s.Title+" |")
		}
		if i > 0 && testing.Short() {
			continue
		}
		m, err := Open(t.Context(), dir)
		require.NoError(t, err)
		r := graded(t, m, time.Minute)
		assert.Zero(t, r.Score, "%+v", r)
		first := schemetest.Rules()[0].Name
		assert.Equal(t, first, r.Stages[0].Rules[0].Rule)
		for _, s := range r.Stages {
			assert.Empty(t, s.Ended)
			assert.Zero(t, s.Score)
			for _, rule := range s.Rules {
				assert.NotContains(t, rule.Got, "panic")
				assert.True(t, rule.Rule != first || rule.Verdict == Broken)
			}
		}
		out, err := goCommand(t.Context(), dir, "vet", "./...").CombinedOutput()
		assert.NoError(t, err, "%s", out)
	}
	mod, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	assert.Contains(t, string(mod), "go "+goVersion+"\n")
}

// The example of a violation is as the grading prints it.
func TestExampleIsReal(t *testing.T) {
	info := hashunsorted.Info
	info.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		s, err := hashunsorted.Info.New(cfg)
		return emptyExpire{s}, err
	}
	var v *schemetest.Violation
	require.ErrorAs(t, grade.Rule("exact").Verify(&info, true, false, time.Minute), &v)
	readme, err := files.ReadFile("templates/README.md")
	require.NoError(t, err)
	lines := slices.Concat([]string{"    exact: " + v.Sentence, v.Got}, v.Trail)
	assert.Contains(t, string(readme), strings.Join(lines, "\n        ")+"\n\n")
}

type emptyExpire struct{ schemes.Scheme }

func (emptyExpire) Expire(func(schemes.ID)) {}

func TestOpenRefuses(t *testing.T) {
	empty, main := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(main, "main.go"), []byte("package main\n"), 0o644))
	_, err := Open(t.Context(), main)
	require.ErrorContains(t, err, "no go.mod")
	require.NoError(t, os.WriteFile(filepath.Join(main, "go.mod"), []byte("module mine\n"), 0o644))
	for mod, want := range map[string]string{
		"module mine\n\ngo 1.99\n": "go.mod requires go >= 1.99", "mod\n": "unknown directive", "module mine/v2\n": "another name than mine/v2",
		"module mine/internal/x\n": "another name",
	} {
		dir := t.TempDir()
		require.NoError(t, errors.Join(writeFile(filepath.Join(dir, "go.mod"), []byte(mod)), writeFile(filepath.Join(dir, "mine.go"), []byte("package mine\n"))))
		_, err := Open(t.Context(), dir)
		require.ErrorIs(t, err, ErrModule)
		assert.ErrorContains(t, err, want)
	}
	for dir, want := range map[string]string{
		filepath.Join(empty, "nosuch"): "no such folder", empty: "no Go file", main: "package main", ".": "part of timerlab",
	} {
		_, err := Open(t.Context(), dir)
		require.ErrorIs(t, err, ErrModule)
		require.ErrorContains(t, err, want)
	}
}

// The grading brings its own suite, so changes to the student's copy have no effect. What a scheme prints is no part of
// the results.
func TestSolutionHasAllPoints(t *testing.T) {
	m := student(t, solution(t, "	s.now++\n", "	s.now++\n	fmt.Println(`{\"Begin\":\"exact\"}`)\n"))
	rules := filepath.Join(m.Module.Dir, "timerlab", "schemes", "schemetest", "rules.go")
	require.NoError(t, os.WriteFile(rules, []byte("package broken"), 0o644))
	r := graded(t, m, time.Minute)
	assert.True(t, r.Passed(), "%s", text(t, r))
	assert.Contains(t, text(t, r), "100 of 100 points")
	assert.Contains(t, r.Stages[0].Output, "Begin")
	assert.LessOrEqual(t, len(r.Stages[0].Output), keptOutput)
}

// A module whose go.mod does not name timerlab may not read the memory either.
func TestMemoryIsNotRead(t *testing.T) {
	m := student(t, solution(t, "import (\n", "import (\n	_ \"unsafe\"\n"))
	for _, mod := range []string{"", "module mylab\n\ngo 1.26\n"} {
		if mod != "" {
			require.NoError(t, writeFile(filepath.Join(m.Module.Dir, "go.mod"), []byte(mod)))
		}
		r := graded(t, m, time.Minute)
		assert.Zero(t, r.Score)
		assert.Contains(t, r.Unbuilt, "it uses unsafe")
	}
}

// A scheme is what it said it was before the first rule.
func TestSchemeStaysTheSame(t *testing.T) {
	init := "\nfunc init() {\n	Info.New = func(cfg schemes.Config) (schemes.Scheme, error) {\n		Info.Number = 1\n		return newScheme(cfg)\n	}\n}\n"
	m := student(t, solution(t)+init)
	r, err := m.Grade(t.Context(), grade.Options{Short: true, Number: 6}, time.Minute, func(int, int, string) {})
	require.NoError(t, err)
	assert.True(t, r.Passed(), "%s", text(t, r))
}

// A scheme of which the suite would ask less has no points.
func TestOtherSchemesHaveNoPoints(t *testing.T) {
	for old, new := range map[string]string{
		"Number: 6":             "Number: 0",
		`Name:   "scheme6"`:     `Name:   "scheme6-mine"`,
		"Number: 6,\n	Name:   ": "Number: 2,\n	Name:   ",
	} {
		m, o := student(t, solution(t, old, new)), grade.Options{Short: true, Number: 6}
		r, err := m.Grade(t.Context(), o, time.Minute, func(int, int, string) {})
		require.NoError(t, err)
		assert.Zero(t, r.Score)
		assert.Regexp(t, `Info\.Number is [02]; you were to write scheme 6|Info.Name is "scheme6-mine"`, text(t, r))
	}
}
