#include "textflag.h"

// STEP multiplies the halves of the 16 bytes in x by those of X8, and adds both products
// and 16 bytes of the text.
#define STEP(x, text) \
	MOVOU     x, X9;         \
	PCLMULQDQ $0x00, X8, X9; \
	PCLMULQDQ $0x11, X8, x;  \
	PXOR      X9, x;         \
	MOVOU     text, X9;      \
	PXOR      X9, x

// func fold(state *[64]byte, p []byte, factors *[2]uint64)
TEXT ·fold(SB), NOSPLIT, $0-40
	MOVQ  state+0(FP), DI
	MOVQ  p_base+8(FP), SI
	MOVQ  p_len+16(FP), CX
	MOVQ  factors+32(FP), DX
	MOVOU (DX), X8
	MOVOU 0(DI), X0
	MOVOU 16(DI), X1
	MOVOU 32(DI), X2
	MOVOU 48(DI), X3

next:
	STEP(X0, 0(SI))
	STEP(X1, 16(SI))
	STEP(X2, 32(SI))
	STEP(X3, 48(SI))
	ADDQ $64, SI
	SUBQ $64, CX
	JNZ  next

	MOVOU X0, 0(DI)
	MOVOU X1, 16(DI)
	MOVOU X2, 32(DI)
	MOVOU X3, 48(DI)
	RET
