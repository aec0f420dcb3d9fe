package main

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"timerlab"
	"timerlab/harness"
	"timerlab/schemes"
)

// Sources are the files in which the operations of the schemes are, whole, and where in them each operation
// begins. Schemes share functions: most use the Stop of schemes/internal/store.
type Sources struct {
	Files map[string]string            `json:"files"` // by path from the repository's root
	Of    map[string]map[string]Place  `json:"of"`    // by scheme and operation or step
	Steps map[string]map[string]string `json:"steps"` // by scheme and operation: the step that it is about
	Paper map[string]string            `json:"paper"` // pseudocode, by the paper's number and operation
}

// Place is where a function is declared.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"` // from 1
}

var operations = []string{"Start", "Stop", "Restart", "PerTick", "Expire"}

// steps are the functions that do what an operation is about, where it only calls them.
var steps = []struct{ schemes, operation, name, file, function string }{
	{"tree tree-4ary", "Start", "sift up", "schemes/tree/heap.go", "func (h *heap) up("},
	{"tree tree-4ary", "PerTick", "sift down", "schemes/tree/heap.go", "func (h *heap) down("},
	{"tree-bst", "Start", "search the tree", "schemes/tree/bst.go", "func (b *bst) push("},
	{"hierarchical", "Start", "find the slot", "schemes/hierarchical/hierarchical.go", "func slotOf("},
	{"hierarchical", "PerTick", "migrate", "schemes/hierarchical/hierarchical.go", "func (w *wheels) migrate("},
}

// FindSources returns the source of every operation of every scheme of the registry.
func FindSources() (*Sources, error) {
	s := &Sources{Files: map[string]string{}, Of: map[string]map[string]Place{},
		Steps: map[string]map[string]string{}, Paper: map[string]string{}}
	for _, part := range strings.Split(read("paper.txt"), "\n# ")[1:] {
		operation, text, _ := strings.Cut(part, "\n")
		s.Paper[operation] = strings.TrimSuffix(text, "\n") + "\n"
	}
	for _, info := range harness.Schemes {
		scheme, err := info.New(schemes.Config{})
		if err != nil {
			return nil, err
		}
		s.Of[info.Name], s.Steps[info.Name] = map[string]Place{}, map[string]string{}
		for _, operation := range operations {
			p, ok := declared(reflect.TypeOf(scheme), operation)
			if !ok {
				return nil, fmt.Errorf("%s: no source of %s", info.Name, operation)
			}
			text, err := timerlab.Source.ReadFile(p.File)
			if err != nil {
				return nil, err
			}
			lines := strings.SplitN(string(text), "\n", p.Line+1)
			for !strings.HasPrefix(lines[p.Line-1], "func ") {
				p.Line-- // it may be the first line that has code
			}
			s.Files[p.File], s.Of[info.Name][operation] = string(text), p
		}
	}
	for _, step := range steps {
		text, err := timerlab.Source.ReadFile(step.file)
		if err != nil {
			return nil, err
		}
		before, _, ok := strings.Cut(string(text), "\n"+step.function)
		if !ok {
			return nil, fmt.Errorf("%s has no %s", step.file, step.function)
		}
		for name := range strings.FieldsSeq(step.schemes) {
			s.Files[step.file] = string(text)
			s.Of[name][step.name] = Place{step.file, strings.Count(before, "\n") + 2}
			s.Steps[name][step.operation] = step.name
		}
	}
	return s, nil
}

// declared returns where a method is declared: by the type, or by one that it embeds, for which the
// compiler generates a method without a file.
func declared(t reflect.Type, method string) (p Place, ok bool) {
	m, ok := t.MethodByName(method)
	if !ok {
		return p, false
	}
	pc := m.Func.Pointer()
	file, line := runtime.FuncForPC(pc).FileLine(pc)
	if file = filepath.ToSlash(file); strings.Contains(file, "/schemes/") {
		return Place{file[strings.LastIndex(file, "/schemes/")+1:], line}, true
	}
	for i := range t.Elem().NumField() { // of a pointer to a struct, as all schemes are
		if f := t.Elem().Field(i); f.Anonymous {
			embedded := f.Type
			if embedded.Kind() != reflect.Pointer {
				embedded = reflect.PointerTo(embedded)
			}
			if p, ok := declared(embedded, method); ok {
				return p, true
			}
		}
	}
	return p, false
}
