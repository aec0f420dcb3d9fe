// Package pick finds the scheme, and its sizes, that serve a workload at the least
// cost: candidates that the workload's numbers suggest, those left out that cannot serve
// it or are hopeless, and a race of the others on the workload itself at its real n.
// Every round runs all that are still in the race, in a shuffled order; who is clearly
// behind drops out; what is left is compared round by round.
package pick
