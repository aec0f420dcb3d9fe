package pick

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2/maybe"

	"timerlab/harness/results"
	"timerlab/harness/run"
)

// Where a cost model comes from, besides a file that SaveModel wrote.
const (
	CalibrationAuto = "auto" // the saved calibration of this machine, Go version and commit, or a new one
	CalibrationNew  = "new"  // a new one, which is saved
	CalibrationNone = "none" // no model
)

// CalibrationTime is the least budget of a pick of which a calibration may take a part, about
// 20 s.
const CalibrationTime = 40 * time.Second

// calibrationLives makes a run of the calibration take some milliseconds in the caches, some
// tens of them in memory.
const calibrationLives = 150_000

// ErrCalibration is wrapped by the errors about the source of a cost model.
var ErrCalibration = errors.New("pick: no calibration")

// Calibrated is a cost model and where it comes from.
type Calibrated struct {
	*CostModel        // nil: nothing is predicted
	Why        string // nothing is predicted
	Saved      time.Time
	Unsaved    error // why a new calibration could not be saved
}

// FindModel returns the cost model of a source: one of those above, or a file. The budget must
// have room for a calibration.
func FindModel(ctx context.Context, source string, budget time.Duration, p run.Progress) (c Calibrated, err error) {
	path, short := calibrationPath(), fmt.Sprintf("%v is too short for one (%v)", budget, CalibrationTime)
	switch source {
	case CalibrationNone:
		return Calibrated{Why: "calibration is turned off"}, nil
	case CalibrationNew:
		if budget < CalibrationTime {
			return c, fmt.Errorf("%w: a budget of %s", ErrCalibration, short)
		}
	case CalibrationAuto:
		if c, err := LoadModel(path); err == nil {
			return c, nil
		}
		if budget < CalibrationTime {
			return Calibrated{Why: "this machine and commit have no calibration, and " + short}, nil
		}
	default:
		if c, err = LoadModel(source); err != nil {
			err = fmt.Errorf("%w %q (use auto, new, none or a file): %w", ErrCalibration, source, err)
		}
		return c, err
	}
	c.CostModel, err = Calibration{Sets: WorkingSets(), Lives: calibrationLives}.Run(ctx, p)
	if err == nil && path != "" {
		c.Unsaved = SaveModel(path, c.CostModel) // a full disk must not cost the pick
	}
	return c, err
}

// calibrationPath returns where the calibration of this machine, Go version and code is kept,
// or "" if there is no folder for it or the code has uncommitted changes.
func calibrationPath() string {
	dir, err := os.UserCacheDir()
	key := identity(results.ThisMachine())
	if err != nil || strings.Contains(key, "+changes") || strings.Contains(key, "commit=unknown") {
		return ""
	}
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(dir, "timerlab", fmt.Sprintf("calibration-%x.json", sum[:8]))
}

// identity is what unit costs depend on. The kernel's release and the governor change too
// often for how little they matter.
func identity(m results.Machine) (text string) {
	for _, kv := range m {
		if !slices.Contains([]string{"kernel", "governor", "ldflags"}, kv[0]) {
			text += kv[0] + "=" + kv[1] + "\n"
		}
	}
	return text
}

// modelFile is what a calibration file holds.
type modelFile struct {
	Version int             `json:"version"`
	Machine results.Machine `json:"machine"`
	Steps   []string        `json:"steps"` // their names, in the order of unit costs
	Model   *CostModel      `json:"model"`
}

// LoadModel reads a file that SaveModel wrote.
func LoadModel(path string) (c Calibrated, err error) {
	var f modelFile
	if err = loadJSON(path, &f, func() error { return f.check() }); err != nil {
		return c, err
	}
	c.CostModel = f.Model
	if info, err := os.Stat(path); err == nil {
		c.Saved = info.ModTime()
	}
	return c, nil
}

// check returns what is wrong with a file's model.
func (f modelFile) check() error {
	if f.Model == nil || len(f.Model.Schemes) == 0 || !slices.Equal(f.Steps, stepNames) {
		return fmt.Errorf("no unit costs of %s", strings.Join(stepNames, ", "))
	}
	for scheme, list := range f.Model.Schemes {
		if len(list) == 0 {
			return fmt.Errorf("%s has no unit costs", scheme)
		}
		last := 0.0
		for _, u := range list {
			if u.Bytes <= last || slices.Min(u.Steps[:]) < 0 {
				return fmt.Errorf("%s has bad unit costs at %v bytes: %v", scheme, u.Bytes, u.Steps)
			}
			last = u.Bytes
		}
	}
	return nil
}

// SaveModel writes a cost model, and its folder if there is none.
func SaveModel(path string, m *CostModel) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return saveJSON(path, modelFile{1, results.ThisMachine(), stepNames, m})
}

// loadJSON reads a file that saveJSON wrote, and checks it.
func loadJSON(path string, value any, check func() error) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err = json.Unmarshal(data, value); err == nil {
		err = check()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// saveJSON writes a value in one step, so that readers never find half of it.
func saveJSON(path string, value any) error {
	data, err := json.MarshalIndent(value, "", "\t")
	if err != nil {
		return err
	}
	return maybe.WriteFile(path, append(data, '\n'), 0o644)
}
