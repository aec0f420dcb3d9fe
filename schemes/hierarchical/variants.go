package hierarchical

import "timerlab/schemes"

// The variants of scheme 7 that are exact.
var (
	// ByInterval chooses the level by the size of the interval.
	ByInterval = variant("interval", "Hierarchical wheels, level by interval", form{byInterval: true}).ForStudy()

	// OnDemand makes its levels above the lowest when an interval needs them.
	OnDemand = variant("ondemand", "Hierarchical wheels, levels made on demand", form{onDemand: true}).ForStudy()
)

// The variants that trade precision for migrations. They have a Bound.
var (
	// NoMigrate never migrates and rounds expiries up: Nichols' variant.
	NoMigrate = variant("nomigrate", "Hierarchical wheels without migration, rounded up", form{byInterval: true, grain: slot, rounding: up})

	// NoMigrateNearest never migrates and rounds to the nearest.
	NoMigrateNearest = variant("nomigrate-nearest", "Hierarchical wheels without migration, rounded to nearest", form{byInterval: true, grain: slot, rounding: nearest}).ForStudy()

	// NoMigrateDown never migrates and rounds down.
	NoMigrateDown = variant("nomigrate-down", "Hierarchical wheels without migration, rounded down", form{byInterval: true, grain: slot}).ForStudy()

	// NoMigrateDigit never migrates and rounds down on the level of the digits.
	NoMigrateDigit = variant("nomigrate-digit", "Hierarchical wheels without migration, level by digit, rounded down", form{grain: slot}).ForStudy()

	// Once migrates once at most, to the level below, and rounds to the nearest.
	Once = variant("once", "Hierarchical wheels, one migration, rounded to nearest", form{byInterval: true, grain: slotBelow, rounding: nearest}).ForStudy()

	// OnceDigit migrates once at most, from the level of the digits, and rounds down.
	OnceDigit = variant("once-digit", "Hierarchical wheels, one migration, level by digit, rounded down", form{grain: slotBelow}).ForStudy()
)

// variant returns scheme 7 in this form, under a longer name.
func variant(suffix, title string, f form) schemes.Info {
	v := Info
	v.Name += "-" + suffix
	v.Title = title
	v.Range = f.longest
	v.Bytes = f.bytes
	v.New = func(cfg schemes.Config) (schemes.Scheme, error) {
		w, err := newWheels(v.Name, cfg, f)
		switch {
		case err != nil:
			return nil, err
		case f.grain != tick:
			return &bounded{w}, nil
		}
		return &w, nil
	}
	return v
}
