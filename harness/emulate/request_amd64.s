#include "textflag.h"

// A request as valgrind.h has it: rotations that change nothing, by which valgrind knows that AX points to the request
// and its five arguments.
TEXT ·request(SB), NOSPLIT, $48-8
	MOVQ code+0(FP), AX
	MOVQ AX, code-48(SP)
	LEAQ code-48(SP), AX
	XORL DX, DX
	ROLQ $3, DI
	ROLQ $13, DI
	ROLQ $61, DI
	ROLQ $51, DI
	XCHGQ BX, BX
	RET
