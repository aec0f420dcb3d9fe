package schemetest

import (
	"fmt"

	"timerlab/schemes"
)

// The optional methods that package schemes does not name, as the design has
// them; a scheme has each or has it not.
type (
	advancer interface {
		Advance(most schemes.Tick) (passed schemes.Tick, due int)
	}
	nexter interface {
		Next() (wait schemes.Tick, ok bool)
	}
)

// optional is a scheme's optional methods; nil where it has none.
type optional struct {
	counter   schemes.Counter
	checker   schemes.Checker
	sized     schemes.Sized
	stringer  fmt.Stringer
	advancer  advancer
	nexter    nexter
	restarter schemes.Restarter
	bounder   schemes.Bounder
	holder    schemes.Holder
}

func optionalOf(s schemes.Scheme) (o optional) {
	o.counter, _ = s.(schemes.Counter)
	o.checker, _ = s.(schemes.Checker)
	o.sized, _ = s.(schemes.Sized)
	o.stringer, _ = s.(fmt.Stringer)
	o.advancer, _ = s.(advancer)
	o.nexter, _ = s.(nexter)
	o.restarter, _ = s.(schemes.Restarter)
	o.bounder, _ = s.(schemes.Bounder)
	o.holder, _ = s.(schemes.Holder)
	return o
}
