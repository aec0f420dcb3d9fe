package demand

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"timerlab/harness/workload"
	"timerlab/schemes"
)

// Preset is the workload of a known program, or kind of program, in the terms of a program.
type Preset struct {
	Name    string
	About   string
	N       int           // timers outstanding
	Tick    time.Duration // length of a tick
	Step    time.Duration // that the clock passes at once, a multiple of Tick; 0: it passes tick by tick
	Classes []Class
	Slots   int             // M that the program is known to use; 0 if unknown
	Notes   []Note          // the sources of its fields
	Phases  workload.Phases `json:"-"` // of its timers, if they are not left to chance
}

// Note is the source of some fields of a preset.
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
	var names []string
	for _, p := range presets() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Preset{}, fmt.Errorf("%w %q (have %s)", ErrPreset, name, strings.Join(names, ", "))
}

// Presets returns the presets: known programs first, then workloads that are each the worst case of some scheme.
func Presets() []Preset { return slices.Clone(presets()) }

//go:embed presets.json
var presetsFile []byte

// presets reads presets.json. A test excludes the panics. A preset whose name is in phases has these.
var presets = sync.OnceValue(func() (all []Preset) {
	var entries []struct {
		Preset
		Tick, Step string
	}
	decoder := json.NewDecoder(bytes.NewReader(presetsFile))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&entries); err != nil {
		panic(fmt.Sprintf("demand: presets.json: %v", err))
	}
	for _, e := range entries {
		p := e.Preset
		var err error
		if p.Tick, err = time.ParseDuration(e.Tick); err == nil && e.Step != "" {
			p.Step, err = time.ParseDuration(e.Step)
		}
		if err = errors.Join(err, p.Check()); err != nil {
			panic(fmt.Sprintf("demand: presets.json: %s: %v", p.Name, err))
		}
		p.Phases = phases[p.Name]
		all = append(all, p)
	}
	return all
})

// phases has the interval, in ticks, of a timer that starts on tick now, for cron and for
// the presets that are each the worst case of some scheme. All timers start on tick 0,
// expire, and start again at once; what makes them bad is when they expire.
var phases = map[string]workload.Phases{
	"cron": func(timer int, _ schemes.Tick) schemes.Tick {
		switch k := timer % 10; { // six, three and one of ten timers
		case k < 6:
			return 60
		case k < 9:
			return 300
		}
		return 3600
	},
	"same-slot":   Phased(65_536, func(timer schemes.Tick) schemes.Tick { return 4096 * (1 + timer%16) }),
	"all-at-once": Phased(8_192, func(schemes.Tick) schemes.Tick { return 8_192 }),
	"ascending":   Phased(100_000, func(timer schemes.Tick) schemes.Tick { return 1 + timer }),
	"descending":  descending(50_000),
	"equal":       Phased(1_024, func(timer schemes.Tick) schemes.Tick { return 128 * (1 + timer%8) }),
	"boundary": Phased(65_536, func(timer schemes.Tick) schemes.Tick {
		return 256*(1+timer%255) + 1 + timer/255%255
	}),
	"sparse": Phased(20_000, func(timer schemes.Tick) schemes.Tick { return 2_000 * (1 + timer) }),
}

// Phased gives each timer a first interval of its own, and then all the same period.
func Phased(period schemes.Tick, first func(schemes.Tick) schemes.Tick) workload.Phases {
	return func(timer int, now schemes.Tick) schemes.Tick {
		if now == 0 {
			return first(schemes.Tick(timer))
		}
		return period
	}
}

// descending starts n timers on n consecutive ticks, one each, that expire in the opposite
// order on n consecutive ticks n ticks later, on which they start again.
func descending(n schemes.Tick) workload.Phases {
	return func(timer int, now schemes.Tick) schemes.Tick {
		if now == 0 {
			return 1 + schemes.Tick(timer)
		}
		return 3*n - 1 - 2*((now-1)%(2*n))
	}
}
