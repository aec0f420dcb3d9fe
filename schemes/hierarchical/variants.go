package hierarchical

import "timerlab/schemes"

// The variants of scheme 7 that are exact.
var (
	// ByInterval chooses the level by the size of the interval.
	ByInterval = describe("interval", "Hierarchical wheels, level by interval",
		variant{byInterval: true}).ForStudy()

	// OnDemand makes its levels above the lowest when an interval needs them.
	OnDemand = describe("ondemand", "Hierarchical wheels, levels made on demand",
		variant{onDemand: true}).ForStudy()
)

// The variants that trade precision for migrations. They have a Bound.
var (
	// NoMigrate never migrates and rounds deadlines up: Nichols' variant.
	NoMigrate = describe("nomigrate", "Hierarchical wheels without migration, rounded up",
		variant{byInterval: true, granularity: slot, rounding: up})

	// NoMigrateNearest never migrates and rounds to the nearest.
	NoMigrateNearest = describe("nomigrate-nearest", "Hierarchical wheels without migration, rounded to nearest",
		variant{byInterval: true, granularity: slot, rounding: nearest}).ForStudy()

	// NoMigrateDown never migrates and rounds down.
	NoMigrateDown = describe("nomigrate-down", "Hierarchical wheels without migration, rounded down",
		variant{byInterval: true, granularity: slot}).ForStudy()

	// NoMigrateDigit never migrates and rounds down on the level of the digits.
	NoMigrateDigit = describe("nomigrate-digit", "Hierarchical wheels without migration, level by digit, rounded down",
		variant{granularity: slot}).ForStudy()

	// Once migrates once at most, to the level below, and rounds to the nearest.
	Once = describe("once", "Hierarchical wheels, one migration, rounded to nearest",
		variant{byInterval: true, granularity: slotBelow, rounding: nearest}).ForStudy()

	// OnceDigit migrates once at most, from the level of the digits, and rounds down.
	OnceDigit = describe("once-digit", "Hierarchical wheels, one migration, level by digit, rounded down",
		variant{granularity: slotBelow}).ForStudy()
)

// describe returns a variant of scheme 7.
func describe(suffix, title string, f variant) schemes.Info {
	v := Info
	v.Name += "-" + suffix
	v.Title = title
	v.Range = f.longest
	v.Bytes = f.bytes
	v.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		w, err := newRuled(v.Name, cfg, f)
		switch {
		case err != nil:
			return nil, err
		case f.granularity != tick:
			return &bounded{w}, nil
		}
		return w, nil
	}
	return v
}
