#include "CSystemCalls.h"

#if defined(__x86_64__)

#include <immintrin.h>

int csystem_has_crc32(void) {
    return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
}

// The algorithm is from Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
// Instruction", Intel 2009. Each step multiplies 64 bytes by the powers of x that align them with the next
// 64. At the end, the remaining 128 bits are reduced. The constants are the paper's for the polynomial
// 0x104C11DB7, bit-reversed.
__attribute__((target("pclmul,sse4.1")))
static __m128i folded(__m128i value, __m128i next, __m128i powers) {
    __m128i low = _mm_clmulepi64_si128(value, powers, 0x00);
    __m128i high = _mm_clmulepi64_si128(value, powers, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

__attribute__((target("pclmul,sse4.1")))
uint32_t csystem_crc32(uint32_t remainder, const void *bytes, size_t count) {
    const __m128i by_512 = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4);
    const __m128i by_128 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
    const __m128i by_64 = _mm_set_epi64x(0, 0x0163cd6124);
    const __m128i polynomial = _mm_set_epi64x(0x01f7011641, 0x01db710641);
    const __m128i low_32 = _mm_setr_epi32(~0, 0, ~0, 0);

    const __m128i *blocks = bytes;
    size_t rest = count / 16 - 4;
    __m128i parts[4];
    for (int i = 0; i < 4; i++) parts[i] = _mm_loadu_si128(blocks++);
    parts[0] = _mm_xor_si128(parts[0], _mm_cvtsi32_si128((int)remainder));
    for (; rest >= 4; rest -= 4)
        for (int i = 0; i < 4; i++) parts[i] = folded(parts[i], _mm_loadu_si128(blocks++), by_512);
    __m128i value = parts[0];
    for (int i = 1; i < 4; i++) value = folded(value, parts[i], by_128);
    for (; rest > 0; rest--) value = folded(value, _mm_loadu_si128(blocks++), by_128);

    // Reduce 128 bits to 64.
    __m128i product = _mm_clmulepi64_si128(value, by_128, 0x10);
    value = _mm_xor_si128(_mm_srli_si128(value, 8), product);
    product = _mm_clmulepi64_si128(_mm_and_si128(value, low_32), by_64, 0x00);
    value = _mm_xor_si128(_mm_srli_si128(value, 4), product);
    // Reduce 64 bits to 32 (Barrett reduction).
    product = _mm_clmulepi64_si128(_mm_and_si128(value, low_32), polynomial, 0x10);
    product = _mm_clmulepi64_si128(_mm_and_si128(product, low_32), polynomial, 0x00);
    return (uint32_t)_mm_extract_epi32(_mm_xor_si128(value, product), 1);
}

#else

int csystem_has_crc32(void) { return 0; }

uint32_t csystem_crc32(uint32_t remainder, const void *bytes, size_t count) {
    (void)bytes;
    (void)count;
    return remainder;
}

#endif
