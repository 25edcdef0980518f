#include "textflag.h"

// ARGUMENTS loads the arguments: state into DI, the start and the length of p into SI and
// CX, factors into DX.
#define ARGUMENTS \
	MOVQ state+0(FP), DI;  \
	MOVQ p_base+8(FP), SI; \
	MOVQ p_len+16(FP), CX; \
	MOVQ factors+32(FP), DX

// NARROW and WIDE multiply the halves of each 16 bytes in x by those of the register of
// factors, and add both products and as many bytes of the text as x has.
#define NARROW(x, text) \
	VPCLMULQDQ $0x00, X8, x, X9; \
	VPCLMULQDQ $0x11, X8, x, x;  \
	VPXOR      X9, x, x;         \
	VPXOR      text, x, x

#define WIDE(x, text) \
	VPCLMULQDQ $0x00, Z8, x, Z9; \
	VPCLMULQDQ $0x11, Z8, x, x;  \
	VPTERNLOGQ $0x96, text, Z9, x

// func foldNarrow(state *[256]byte, p []byte, factors *[2]uint64)
TEXT ·foldNarrow(SB), NOSPLIT, $0-40
	ARGUMENTS
	VMOVDQU (DX), X8
	VMOVDQU 0(DI), X0
	VMOVDQU 16(DI), X1
	VMOVDQU 32(DI), X2
	VMOVDQU 48(DI), X3

next:
	NARROW(X0, 0(SI))
	NARROW(X1, 16(SI))
	NARROW(X2, 32(SI))
	NARROW(X3, 48(SI))
	ADDQ $64, SI
	SUBQ $64, CX
	JNZ  next

	VMOVDQU X0, 0(DI)
	VMOVDQU X1, 16(DI)
	VMOVDQU X2, 32(DI)
	VMOVDQU X3, 48(DI)
	VZEROUPPER
	RET

// func foldWide(state *[256]byte, p []byte, factors *[2]uint64)
TEXT ·foldWide(SB), NOSPLIT, $0-40
	ARGUMENTS
	VBROADCASTI32X4 (DX), Z8
	VMOVDQU64 0(DI), Z0
	VMOVDQU64 64(DI), Z1
	VMOVDQU64 128(DI), Z2
	VMOVDQU64 192(DI), Z3

next:
	WIDE(Z0, 0(SI))
	WIDE(Z1, 64(SI))
	WIDE(Z2, 128(SI))
	WIDE(Z3, 192(SI))
	ADDQ $256, SI
	SUBQ $256, CX
	JNZ  next

	VMOVDQU64 Z0, 0(DI)
	VMOVDQU64 Z1, 64(DI)
	VMOVDQU64 Z2, 128(DI)
	VMOVDQU64 Z3, 192(DI)
	VZEROUPPER
	RET
