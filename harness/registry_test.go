package harness_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"timerlab/harness"
	"timerlab/harness/drive"
	"timerlab/harness/results/units"
	"timerlab/schemes"
)

// The paper's seven come first. A variant is named after its base scheme and has its number. A base scheme that is not
// the paper's has the number 0.
func TestVariantsBelongToABaseScheme(t *testing.T) {
	assert.Equal(t, []string{"unordered", "ordered", "tree", "simplewheel", "hashsorted", "hashunsorted", "hierarchical"},
		harness.Names()[:7])
	for i, info := range harness.Schemes {
		base, suffix, _ := strings.Cut(info.Name, "-")
		if suffix == "" {
			assert.Equal(t, map[bool]int{true: i + 1}[i < 7], info.Number, info.Name)
			continue
		}
		of, err := harness.Find(base)
		require.NoError(t, err, info.Name)
		assert.Equal(t, of.Number, info.Number, info.Name)
		assert.Equal(t, of.Kind, info.Kind, info.Name)
	}
}

// The suite skips the rules about optional operations where a scheme has none: here every scheme has them all.
func TestSchemesHaveTheOptionalOperations(t *testing.T) {
	type all interface {
		schemes.Counter
		schemes.Checker
		schemes.Sized
		fmt.Stringer
		schemes.Restarter
		schemes.Identifier
		schemes.OffHeaper
		schemes.Nexter
		schemes.Sleeper
		schemes.Viewer
		schemes.Releaser
		schemes.Advancer
	}
	for _, info := range harness.Schemes {
		s, err := info.New(schemes.Config{})
		require.NoError(t, err)
		_, ok := s.(all)
		assert.True(t, ok, info.Name)
	}
}

// Names are part of the names of benchmarks, where a slash ends a key, a number
// after a dash is taken for GOMAXPROCS, and controls have names of their own.
func TestSchemesAreDescribed(t *testing.T) {
	seen := map[string]bool{drive.Null.Name: true}
	for _, info := range harness.Schemes {
		assert.False(t, seen[info.Name], "%s is twice in the registry", info.Name)
		found, err := harness.Find(info.Name)
		require.NoError(t, err)
		assert.Same(t, info, found)
		seen[info.Name] = true
		assert.Regexp(t, regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]*[a-z][a-z0-9]*)*$`), info.Name)
		assert.False(t, strings.HasSuffix(info.Name, units.Again), info.Name)
		assert.NotEmpty(t, info.Title, info.Name)
		assert.True(t, info.Number == 0 || len(strings.Fields(info.Doc)) > 50, "%s: the words of Doc", info.Name)
		assert.NotRegexp(t, `(?m)^\s*(//|/\*|\*/|package )`, info.Doc, info.Name)
	}
	for _, name := range []string{"", "null", "Tree", "tree "} {
		_, err := harness.Find(name)
		assert.ErrorContains(t, err, "(have unordered, ordered, tree,", name)
	}
}

// Of sizes that New refuses, Range returns something, and the bytes are 0.
func TestBadSizes(t *testing.T) {
	for _, info := range harness.Schemes {
		for i, cfg := range []schemes.Config{
			{Capacity: -1}, {Slots: -1, Levels: []int{-1}}, {Slots: math.MinInt, Levels: []int{256, 0}},
			{Slots: schemes.MaxSlots + 1, Levels: []int{schemes.MaxSlots, 1}},
			{Slots: -1, Levels: []int{1 << 16, 1 << 16, 1 << 16, 1 << 16, 0}},
		} {
			assert.NotPanics(t, func() { info.Range(cfg) }, "%s %+v", info.Name, cfg)
			if info.Bytes != nil && (i == 0 || info.Kind.HasSlots() || info.Kind.HasLevels()) {
				assert.Zero(t, info.Bytes(10, cfg), "%s %+v", info.Name, cfg)
			}
		}
	}
}

// The table of schemes/README.md lists exactly the registry's schemes and variants of the paper, in its order, and says
// which variants are for study. A scheme of yours needs no row.
func TestReadmeListsTheSchemes(t *testing.T) {
	text, err := os.ReadFile("../schemes/README.md")
	require.NoError(t, err)
	paper := slices.DeleteFunc(slices.Clone(harness.Schemes), func(i *schemes.Info) bool { return i.Number == 0 })
	rows := regexp.MustCompile("(?m)^\\| `([^`]*)` \\| \\[?(\\d)[^|]*\\|[^|]*\\| (.*) \\|$").FindAllStringSubmatch(string(text), -1)
	require.Len(t, rows, len(paper))
	for i, info := range paper {
		assert.Equal(t, info.Name, rows[i][1])
		assert.Equal(t, strconv.Itoa(info.Number), rows[i][2], info.Name)
		assert.Equal(t, info.Study, rows[i][3] == "study", info.Name)
	}
}

// The scheme names in the table of schemes/users.md are the registry's, and every row has a link to its source.
func TestUsersNameTheSchemes(t *testing.T) {
	text, err := os.ReadFile("../schemes/users.md")
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| .* \|$`).FindAllString(string(text), -1)
	require.Greater(t, len(rows), 2)
	for _, row := range rows[1:] { // the first row is the heading
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		require.Len(t, cells, 6, row)
		assert.Contains(t, cells[4], "](https://", row)
		if cells[5] == "-" {
			continue
		}
		for name := range strings.SplitSeq(cells[5], ", ") {
			info, err := harness.Find(strings.Trim(name, "`"))
			if assert.NoError(t, err, row) {
				assert.Contains(t, cells[1], strconv.Itoa(info.Number), row)
			}
		}
	}
}

// Slots returns the slots that View shows, wheel by wheel, without levels that the clock does not reach.
func TestSlotsAreWhatViewShows(t *testing.T) {
	const ticks = 48 // two revolutions of all
	cfg := schemes.Config{Slots: 6, Levels: []int{3, 4, 2}}
	for _, info := range harness.Schemes {
		s, err := info.New(cfg)
		require.NoError(t, err)
		var shown []int
		for range ticks {
			for interval := schemes.Tick(1); interval <= min(24, info.Range(cfg)); interval++ {
				_, err := s.Start(interval, 1)
				require.NoError(t, err)
			}
			for p := range s.(schemes.Viewer).View {
				if !p.Due && p.Level >= 0 && (info.Kind.HasSlots() || info.Kind.HasLevels()) {
					shown = append(shown, make([]int, max(0, p.Level+1-len(shown)))...)
					shown[p.Level] = max(shown[p.Level], p.Slot+1)
				}
			}
			s.PerTick()
			s.Expire(func(schemes.ID) {})
		}
		if info.Slots == nil {
			assert.Empty(t, shown, info.Name)
			continue
		}
		assert.Equal(t, shown, info.Slots(cfg), info.Name)
		if wide := []int{1 << 16, 1 << 16, 1 << 16, 1 << 16, 1 << 16}; info.Kind.HasLevels() {
			assert.Len(t, info.Slots(schemes.Config{Levels: wide}), 4, info.Name)
		}
	}
}
