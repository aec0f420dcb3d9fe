package schemetest

import (
	"slices"
	"time"

	"timerlab/schemes"
)

// Planted is a scheme with a fault, and the rule that it must be rejected for.
type Planted struct {
	Fault, Rule string
	Info        *schemes.Info
}

// PlantedFaults returns every fault of the reference.
func PlantedFaults() (all []Planted) {
	for _, b := range broken {
		info := extendedInfo(b.number, b.fault)
		info.Name = "reference" // no variant, as of a student's scheme
		all = append(all, Planted{string(b.fault), b.rule, info})
	}
	return all
}

// CheckOutside checks one rule as VerifyOutside does.
func CheckOutside(info *schemes.Info, promises func(word string) bool, rule string, within time.Duration) Verdict {
	return newSuite(info, rule != "volume").fromOutside(RuleNamed(rule), &outside{info: info, promises: promises}, within)
}

// SeenOutside reports whether a rule can be seen from outside.
func SeenOutside(rule string) bool {
	return slices.ContainsFunc(outsideRules, func(o struct{ rule, promises string }) bool { return o.rule == rule })
}
