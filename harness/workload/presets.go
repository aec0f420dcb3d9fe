package workload

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Preset is the demand of a known program, or kind of program.
type Preset struct {
	Name  string
	About string
	Demand
	Slots  int     // M that the program is known to use; 0 if unknown
	Notes  []Note  // where each field is from
	Script *Script `json:"-"` // the phases of its timers, if they are not left to chance
}

// Note is where some fields of a preset are from.
type Note struct {
	Source string   `json:"source"` // "" if the fields are assumed
	Fields []string `json:"fields"`
}

// Assumed returns the fields that have no source.
func (p Preset) Assumed() (fields []string) {
	for _, n := range p.Notes {
		if n.Source == "" {
			fields = append(fields, n.Fields...)
		}
	}
	return fields
}

// ErrPreset is wrapped by FindPreset's error.
var ErrPreset = errors.New("unknown preset")

// FindPreset returns the preset of this name.
func FindPreset(name string) (Preset, error) {
	all := Presets()
	names := make([]string, len(all))
	for i, p := range all {
		if names[i] = p.Name; p.Name == name {
			return p, nil
		}
	}
	return Preset{}, fmt.Errorf("%w %q (have %s)", ErrPreset, name, strings.Join(names, ", "))
}

// Presets returns the presets, those of known programs first, then those that are each
// the worst case of some scheme.
func Presets() []Preset {
	parsed.Do(func() {
		var err error
		if presets, err = parsePresets(presetsFile); err != nil {
			panic(fmt.Sprintf("workload: presets.json: %v", err)) // which a test excludes
		}
	})
	return append([]Preset(nil), presets...)
}

//go:embed presets.json
var presetsFile []byte

// The presets are parsed at the first use, by a function that a program without presets
// does not link.
var (
	parsed  sync.Once
	presets []Preset
)

// parsePresets reads presets.json. A preset whose name is that of a script has it.
func parsePresets(file []byte) (presets []Preset, err error) {
	var entries []struct {
		Preset
		Tick string
	}
	decoder := json.NewDecoder(bytes.NewReader(file))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&entries); err != nil {
		return nil, err
	}
	for _, e := range entries {
		p := e.Preset
		if p.Tick, err = time.ParseDuration(e.Tick); err == nil {
			err = p.Check()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		if interval := scripts[p.Name]; interval != nil {
			p.Script = &Script{N: p.N, Interval: interval}
		}
		presets = append(presets, p)
	}
	return presets, nil
}
