package figures

import (
	"bytes"
	"flag"
	"image"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var saveTo = flag.String("figures", "", "write the sample figures as SVG, PNG and grey PNG into this directory, to look at")

// samples are figures of invented numbers that look like real ones.
func samples() map[string]Figure {
	return map[string]Figure{
		"start":      sampleStart(),
		"pertick":    samplePerTick(),
		"bytes":      sampleBytes(),
		"crossover1": sampleCrossover(256),
		"crossover3": sampleCrossover(64, 256, 1024),
		"crossover4": sampleCrossover(16, 64, 256, 4096),
		"winners":    sampleMap(),
		"visits":     sampleVisits(),
		"spreads":    sampleSpreads(),
		"migrations": sampleMigrations(),
	}
}

// TestSamples saves every sample, to look at if a folder is given: with copies as a printer
// without colours would show them.
func TestSamples(t *testing.T) {
	dir := *saveTo
	if dir == "" {
		dir = t.TempDir()
	}
	for name, f := range samples() {
		path := filepath.Join(dir, name)
		require.NoError(t, Save(path+".svg", f))
		plan, err := f.plan()
		require.NoError(t, err)
		require.Zero(t, plan.omitted)
		info, err := os.Stat(path + ".svg")
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(60_000), "%s is too large to sit in a README", name)
		if *saveTo != "" {
			require.NoError(t, Save(path+".png", f))
			saveGrey(t, path)
		}
	}
}

func saveGrey(t *testing.T, path string) {
	data, err := os.ReadFile(path + ".png")
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	grey := image.NewGray(img.Bounds())
	draw.Draw(grey, grey.Bounds(), img, image.Point{}, draw.Src)
	var buf bytes.Buffer
	require.NoError(t, png.Encode(&buf, grey))
	require.NoError(t, os.WriteFile(path+"-grey.png", buf.Bytes(), 0o644))
}

// wobble is a fixed ±5 % that stands in for noise.
func wobble(i, j int) float64 { return 1 + 0.05*math.Sin(float64(7*i+13*j)) }

func withBar(x, y float64, i, j int) Point {
	y *= wobble(i, j)
	return Point{X: x, Y: y, Lo: y * 0.94, Hi: y * 1.08}
}

var sampleSizes = []float64{10, 30, 100, 300, 1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6, 1e7}

func sampleSeries(cost func(scheme int, n float64) float64) []Series {
	var all []Series
	for i, s := range styles {
		series := Series{Style: s.name, Kind: Both}
		for j, n := range sampleSizes {
			if c := cost(s.number, n); c > 0 {
				series.Points = append(series.Points, withBar(n, c, i, j))
			}
		}
		all = append(all, series)
	}
	return all
}

// dram is a cost that grows by a factor once n timers have left the cache.
func dram(ns, n float64) float64 { return ns * (1 + 3/(1+math.Pow(2e5/n, 1.5))) }

func startCost(scheme int, n float64) float64 {
	switch scheme {
	case 0:
		return 2.1
	case 1:
		return dram(5.2, n)
	case 2:
		if n > 3e4 {
			return 0
		}
		return 6 + 0.9*n/2*math.Sqrt(1+n/1e4)
	case 3:
		return dram(9, n) + 1.5*math.Log2(n)
	case 4:
		return dram(5.9, n)
	case 5:
		return dram(7.5, n) + 0.9*n/512
	case 6:
		return dram(6.3, n)
	}
	return dram(8.8, n)
}

func perTickCost(scheme int, n float64) float64 {
	switch scheme {
	case 0:
		return 1.2
	case 1:
		return dram(1.1*n, n) + 3
	case 2, 3:
		return 2.2 + float64(scheme) + n/1e4
	case 4, 5:
		return 2.1 + 0.3*float64(scheme) + n/1e4
	case 6:
		return 2.4 + dram(n/256*1.4, n)
	}
	return 3.1 + dram(n/1e4*9, n)
}

func bytesCost(scheme int, n float64) float64 {
	switch scheme {
	case 0:
		return 0
	case 1, 2:
		return 32.2 + 64/n
	case 3:
		return 40 + 64/n
	}
	return 32 + 4096/n
}

func sampleStart() XY {
	return XY{
		Frame: Frame{
			Title:   "START: the wheels stay within 4.0× from 10 to 10M timers, the ordered list grows 2,900-fold by 30k",
			Caption: []string{"Medians of 12 interleaved rounds with 95 % intervals; exponential intervals, T = 10k ticks, M = 256 slots, no stops.", "ordered: n ≥ 100k skipped, filling at random would take 30 s and more."},
			Command: "bench plot results/example/raw.txt",
		},
		XLabel: "timers outstanding, n", YLabel: "time per Start",
		X: logCount, Y: Axis{Log: true},
		Series: sampleSeries(startCost),
		Slopes: true,
	}
}

func samplePerTick() XY {
	f := sampleStart()
	f.Title = "PER_TICK: scheme 6 pays n/M visits a tick, scheme 7 a tenth of it at 10M timers"
	f.YLabel, f.Series = "time per PerTick", sampleSeries(perTickCost)
	return f
}

func sampleBytes() XY {
	f := sampleStart()
	f.Title = "Bytes per timer: 32 for the record; a wheel's slots vanish above n = M"
	f.YLabel, f.Y.Unit, f.Series, f.Slopes = "bytes per outstanding timer", Bytes, sampleSeries(bytesCost), false
	return f
}

var sampleT = []float64{16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}

// lifeCosts are the model's costs per timer of 6 and 7 at T ticks and M slots, in ns.
func lifeCosts(t, m float64) (six, seven float64) {
	const expiry, c6, c7 = 18, 1.9, 11
	visits := 1 / (math.Exp(m/t) - 1) // E[ceil(J/M)] - 1 for exponential J
	levels := 4 / (1 + 2.5*m/t)
	return expiry + c6*visits, expiry + c7*min(levels, 3)/2.4
}

// crossing is the T at which the model's two costs are equal.
func crossing(m float64) float64 {
	t := 1.0
	for six, seven := lifeCosts(t, m); six < seven || t < m/8; six, seven = lifeCosts(t, m) {
		t *= 1.01
	}
	return t
}

func samplePanel(m float64) Panel {
	six, seven := Series{Style: "hashunsorted", Kind: Measured}, Series{Style: "hierarchical", Kind: Measured}
	model6, model7 := Series{Style: "hashunsorted"}, Series{Style: "hierarchical"}
	for i, t := range sampleT {
		cost6, cost7 := lifeCosts(t, m)
		six.Points = append(six.Points, withBar(t, cost6, 1, i))
		seven.Points = append(seven.Points, withBar(t, cost7, 2, i))
	}
	for t := sampleT[0]; t <= sampleT[12]*1.01; t *= math.Sqrt2 {
		cost6, cost7 := lifeCosts(t, m)
		model6.Points, model7.Points = append(model6.Points, Point{X: t, Y: cost6}), append(model7.Points, Point{X: t, Y: cost7})
	}
	return Panel{
		Title: "M = " + Exact(m) + ", m = 4", Series: []Series{model6, model7, six, seven},
	}
}

func sampleCrossover(slots ...float64) XY {
	f := XY{
		Frame: Frame{
			Title:   "Scheme 7 is cheaper from T ≈ 1.5 M on; the paper's rule says 23 M, the refined rule is within 13 %",
			Caption: []string{"Cost of a whole lifetime (Start to Expire) per timer, medians of 12 rounds with 95 % intervals; exponential intervals, n = 100k, no stops. Lines: c6 and c7 fitted on other workloads and seeds. Grey band: 95 % interval of the measured crossover."},
			Command: "bench plot results/example/raw.txt",
		},
		XLabel: "mean time a timer stays, T (ticks)", YLabel: "time per timer", X: logCount, Y: Axis{Log: true},
	}
	for _, m := range slots {
		f.Panels = append(f.Panels, samplePanel(m))
	}
	return f
}

func sampleMap() WinnerMap {
	f := WinnerMap{
		Frame: Frame{
			Title:   "6 or 7: the refined rule names the winner in 94 % of the cells outside the noise, the paper's in 61 %",
			Caption: []string{"In each cell the loser's cost per timer over the winner's; “=” differs by less than the noise band of 5 %. n = 100k, m = 4, exponential intervals, no stops."},
			Command: "bench plot results/example/raw.txt",
		},
		XLabel: "mean time a timer stays, T (ticks)", YLabel: "slots in all wheels, M",
		T: sampleT,
	}
	for i, m := range []float64{64, 256, 1024, 4096, 16384} {
		var row []Cell
		for j, t := range f.T {
			six, seven := lifeCosts(t, m)
			six *= wobble(i, j)
			c := Cell{Six, seven / six}
			if seven < six {
				c = Cell{Seven, six / seven}
			}
			if c.Ratio < 1.05 {
				c.Winner = Tie
			}
			if i == 4 && j == 0 {
				c = Cell{}
			}
			row = append(row, c)
		}
		f.Rows, f.Cells = append(f.Rows, Exact(m)), append(f.Cells, row)
		f.Bound, f.Model = append(f.Bound, 4*m*11/1.9), append(f.Model, crossing(m))
	}
	return f
}
