/* memcpy, memmove, memcmp and bcmp of the static program. Those of musl copy with `rep movsq`, which starts slowly, and compare
   byte by byte. Most texts here are short. */

#include <stddef.h>
#include <stdint.h>

/* At any address, and of any object. */
#define LOOSE __attribute__((aligned(1), may_alias))
typedef uint16_t LOOSE two;
typedef uint32_t LOOSE four;
typedef uint64_t LOOSE eight;
typedef uint64_t LOOSE sixteen __attribute__((vector_size(16)));
typedef struct { sixteen a, b; } LOOSE thirty_two;
typedef struct { thirty_two a, b; } LOOSE sixty_four;

/* Copies the first and the last bytes, which may overlap. All are read before any is written. */
#define COPY_ENDS(type)                                                  \
  do {                                                                   \
    type first = *(const type *)from;                                    \
    type last = *(const type *)(from + length - sizeof(type));           \
    *(type *)to = first;                                                 \
    *(type *)(to + length - sizeof(type)) = last;                        \
    return to;                                                           \
  } while (0)

void *memmove(void *destination, const void *source, size_t length) {
  char *to = destination;
  const char *from = source;
  if (length > 128) {
    sixty_four first = *(const sixty_four *)from, last = *(const sixty_four *)(from + length - 64), block;
    if ((size_t)(to - from) >= length) {
      for (size_t at = 64; at < length - 64; at += 64) {
        block = *(const sixty_four *)(from + at);
        *(sixty_four *)(to + at) = block;
      }
    } else {
      for (size_t at = length - 64; at > 64; at -= 64) {
        block = *(const sixty_four *)(from + at - 64);
        *(sixty_four *)(to + at - 64) = block;
      }
    }
    *(sixty_four *)to = first;
    *(sixty_four *)(to + length - 64) = last;
    return to;
  }
  if (length > 64) COPY_ENDS(sixty_four);
  if (length > 32) COPY_ENDS(thirty_two);
  if (length > 16) COPY_ENDS(sixteen);
  if (length > 7) COPY_ENDS(eight);
  if (length > 3) COPY_ENDS(four);
  if (length > 1) COPY_ENDS(two);
  if (length) *to = *from;
  return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t length) __attribute__((alias("memmove")));

/* The order of big-endian numbers is that of their bytes. */
#define ORDER(left, right) return (left) < (right) ? -1 : (left) > (right)

int memcmp(const void *one, const void *other, size_t length) {
  const unsigned char *left = one, *right = other;
  if (length > 7) {
    for (size_t at = 0;; at += 8) {
      /* The last ones overlap, and are equal there. */
      if (at > length - 8) at = length - 8;
      eight a = *(const eight *)(left + at), b = *(const eight *)(right + at);
      if (a != b) ORDER(__builtin_bswap64(a), __builtin_bswap64(b));
      if (at == length - 8) return 0;
    }
  }
  if (length > 3) {
#define FOUR_AND_LAST(text)                                           \
  ((eight)__builtin_bswap32(*(const four *)text) << 32 |              \
   __builtin_bswap32(*(const four *)(text + length - 4)))
    ORDER(FOUR_AND_LAST(left), FOUR_AND_LAST(right));
  }
  for (size_t at = 0; at < length; at++)
    if (left[at] != right[at]) return left[at] - right[at];
  return 0;
}

int bcmp(const void *one, const void *other, size_t length) __attribute__((alias("memcmp")));
