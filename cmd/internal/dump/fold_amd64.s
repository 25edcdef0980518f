#include "textflag.h"

// STEP multiplies the halves of each 16 bytes of x by those of Z8, and adds both
// products and 64 bytes of the text.
#define STEP(x, text) \
	VPCLMULQDQ $0x00, Z8, x, Z9; \
	VPCLMULQDQ $0x11, Z8, x, x; \
	VPTERNLOGQ $0x96, text, Z9, x

// func fold(state *[256]byte, p []byte, factors *[2]uint64)
TEXT ·fold(SB), NOSPLIT, $0-40
	MOVQ state+0(FP), DI
	MOVQ p_base+8(FP), SI
	MOVQ p_len+16(FP), CX
	MOVQ factors+32(FP), DX
	VBROADCASTI32X4 (DX), Z8
	VMOVDQU64 0(DI), Z0
	VMOVDQU64 64(DI), Z1
	VMOVDQU64 128(DI), Z2
	VMOVDQU64 192(DI), Z3

next:
	STEP(Z0, 0(SI))
	STEP(Z1, 64(SI))
	STEP(Z2, 128(SI))
	STEP(Z3, 192(SI))
	ADDQ $256, SI
	SUBQ $256, CX
	JNZ  next

	VMOVDQU64 Z0, 0(DI)
	VMOVDQU64 Z1, 64(DI)
	VMOVDQU64 Z2, 128(DI)
	VMOVDQU64 Z3, 192(DI)
	VZEROUPPER
	RET
