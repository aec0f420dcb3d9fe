package results

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const program = `// Package p is about something.
package p

//go:noinline
func F(a int) int { return a + 1 } // adds
`

// digest returns the digest of files, by name and text.
func digest(t *testing.T, files map[string]string) string {
	t.Helper()
	source := fstest.MapFS{}
	for name, text := range files {
		source[name] = &fstest.MapFile{Data: []byte(text)}
	}
	sum, err := DigestSource(source, []string{"."}, func(name string) bool { return IsCompiled(name) || name == "also_test.go" })
	require.NoError(t, err)
	require.Len(t, sum, 12)
	return sum
}

// What is compiled changes the digest, and nothing else does.
func TestDigestSource(t *testing.T) {
	base := map[string]string{"p/p.go": program}
	want := digest(t, base)
	const spelt = "package p\n\n\n//go:noinline\nfunc F(a int) int {   return a+1 }\n"
	for what, files := range map[string]map[string]string{
		"comments and white space": {"p/p.go": spelt},
		"a document":               {"p/p.go": program, "p/README.md": "new"},
		"test data":                {"p/p.go": program, "p/testdata/fuzz/x": "new"},
		"a test":                   {"p/p.go": program, "p/p_test.go": "package p\n"},
		"a package of tests":       {"p/p.go": program, "p/ptest/p.go": "package ptest\n"},
	} {
		assert.Equal(t, want, digest(t, files), what)
	}
	for what, files := range map[string]map[string]string{
		"a statement":        {"p/p.go": "package p\n\n//go:noinline\nfunc F(a int) int { return a + 2 }\n"},
		"a directive":        {"p/p.go": "package p\n\nfunc F(a int) int { return a + 1 }\n"},
		"a name":             {"p/q.go": program},
		"another file":       {"p/p.go": program, "p/table.bin": "1"},
		"a test that counts": {"p/p.go": program, "also_test.go": "package p\n"},
	} {
		assert.NotEqual(t, want, digest(t, files), what)
	}
	_, err := DigestSource(fstest.MapFS{"p.go": {Data: []byte("package p\nvar s = \"open\n")}}, []string{"."}, IsCompiled)
	assert.ErrorContains(t, err, "p.go:2: string literal not terminated")
}

func TestChanged(t *testing.T) {
	of := func(keys Machine, cell string) string {
		return file(t, keys.String()+"Benchmark"+cell+"/n=1k 1 5 ns/op\n")
	}
	first, second := of(Machine{}.WithCode(Code{"b": "2", "a": "1"}), "Start"), of(Machine{{"code", "a=1 c=3"}}, "Stop")
	table := loaded(t, first, second) // files of different verbs may be read together
	parts, recorded := table.Changed(Code{"a": "1", "b": "2", "c": "3", "d": "4"})
	assert.True(t, recorded)
	assert.Empty(t, parts)
	parts, recorded = table.Changed(Code{"a": "5", "b": "6"})
	assert.True(t, recorded)
	assert.Equal(t, []string{"a", "b", "c"}, parts)
	assert.Equal(t, "a=1 b=2", table.CodeOf(ParseKey("Start/n=1k")))
	table = loaded(t, first, of(nil, "Stop"))
	_, recorded = table.Changed(Code{"a": "1", "b": "2"})
	assert.False(t, recorded)
}
