package schemetest

import (
	"fmt"

	"timerlab/schemes"
)

// optional is a scheme's optional methods; nil where it has none.
type optional struct {
	counter   schemes.Counter
	checker   schemes.Checker
	sized     schemes.Sized
	stringer  fmt.Stringer
	advancer  schemes.Advancer
	nexter    schemes.Nexter
	restarter schemes.Restarter
	namer     schemes.Identifier
	bounder   schemes.Bounder
	holder    schemes.Holder
}

func optionalOf(s schemes.Scheme) (o optional) {
	o.counter, _ = s.(schemes.Counter)
	o.checker, _ = s.(schemes.Checker)
	o.sized, _ = s.(schemes.Sized)
	o.stringer, _ = s.(fmt.Stringer)
	o.advancer, _ = s.(schemes.Advancer)
	o.nexter, _ = s.(schemes.Nexter)
	o.restarter, _ = s.(schemes.Restarter)
	o.namer, _ = s.(schemes.Identifier)
	o.bounder, _ = s.(schemes.Bounder)
	o.holder, _ = s.(schemes.Holder)
	return o
}
