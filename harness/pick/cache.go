package pick

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"timerlab/harness/results"
)

// saved is what a file of prices holds.
type saved struct {
	Machine results.Machine
	Kinds   []string // of steps, in the order of prices
	Model   *Model
}

// kindNames name the steps in files.
var kindNames = []string{"expiries", "stops", "restarts", "moves", "ticks", "batches", "spread"}

// CalibrationFile returns where the prices of this machine, Go version and code are kept,
// and "" if that cannot be: there is no folder for it, or the code has changes that no
// commit tells.
func CalibrationFile() string {
	dir, err := os.UserCacheDir()
	key := identity(results.ThisMachine())
	if err != nil || strings.Contains(key, "+changes") || strings.Contains(key, "commit=unknown") {
		return ""
	}
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(dir, "timerlab", fmt.Sprintf("prices-%x.json", sum[:8]))
}

// identity is what prices depend on; the kernel's release and the governor change too
// often for what they matter.
func identity(m results.Machine) string {
	var parts []string
	for _, kv := range m {
		if !slices.Contains([]string{"kernel", "governor", "ldflags"}, kv[0]) {
			parts = append(parts, kv[0]+"="+kv[1])
		}
	}
	return strings.Join(parts, "\n")
}

// LoadModel reads the prices that SaveModel wrote; what cannot be read, or has other
// steps, is an error.
func LoadModel(path string) (*Model, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var s saved
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.Model == nil || len(s.Model.Schemes) == 0 || !slices.Equal(s.Kinds, kindNames) {
		return nil, fmt.Errorf("%s: no prices, or not of %s", path, strings.Join(kindNames, ", "))
	}
	if err := s.Model.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s.Model, nil
}

// check returns what is wrong with prices that come from a file.
func (m *Model) check() error {
	for scheme, prices := range m.Schemes {
		if len(prices) == 0 {
			return fmt.Errorf("%s: no prices", scheme)
		}
		last := 0.0
		for _, p := range prices {
			if p.Bytes <= last {
				return fmt.Errorf("%s: a working set of %v bytes after one of %v, want them ascending", scheme, p.Bytes, last)
			}
			last = p.Bytes
			for k, ns := range p.Steps {
				if ns < 0 {
					return fmt.Errorf("%s: %v ns for %s, allowed 0 and above", scheme, ns, kindNames[k])
				}
			}
		}
	}
	return nil
}

// SaveModel writes prices in one step, so that no reader finds half of them.
func SaveModel(path string, m *Model) error {
	data, err := json.MarshalIndent(saved{results.ThisMachine(), kindNames, m}, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "prices-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
