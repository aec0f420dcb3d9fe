#include "textflag.h"

// CALLGRIND_TOGGLE_COLLECT, as valgrind.h and callgrind.h define it: rotations that change nothing, by which valgrind
// knows that AX points to a request and its five arguments.
TEXT ·toggle(SB), NOSPLIT, $48-0
	MOVQ $0x43540002, AX
	MOVQ AX, request-48(SP)
	LEAQ request-48(SP), AX
	XORL DX, DX
	ROLQ $3, DI
	ROLQ $13, DI
	ROLQ $61, DI
	ROLQ $51, DI
	XCHGQ BX, BX
	RET
