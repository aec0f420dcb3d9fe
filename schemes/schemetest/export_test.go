package schemetest

import "timerlab/schemes"

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
