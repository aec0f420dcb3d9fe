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
	Files map[string]string           `json:"files"` // by path from the repository's root
	Of    map[string]map[string]Place `json:"of"`    // by scheme and operation
}

// Place is where a function is declared.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"` // from 1
}

var operations = []string{"Start", "Stop", "Restart", "PerTick", "Expire"}

// FindSources returns the source of every operation of every scheme of the registry.
func FindSources() (*Sources, error) {
	s := &Sources{Files: map[string]string{}, Of: map[string]map[string]Place{}}
	for _, info := range harness.Schemes {
		scheme, err := info.New(schemes.Config{})
		if err != nil {
			return nil, err
		}
		s.Of[info.Name] = map[string]Place{}
		for _, operation := range operations {
			p, ok := declared(reflect.TypeOf(scheme), operation)
			if !ok {
				return nil, fmt.Errorf("%s: no source of %s", info.Name, operation)
			}
			text, err := timerlab.Source.ReadFile(p.File)
			if err != nil {
				return nil, err
			}
			s.Files[p.File], s.Of[info.Name][operation] = string(text), p
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
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous {
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
