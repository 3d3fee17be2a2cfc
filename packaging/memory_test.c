/* Compares the functions of memory.c, whose names have the prefix `own_` here, with those of the C library. */

#include <stdio.h>
#include <string.h>

void *own_memcpy(void *, const void *, size_t);
void *own_memmove(void *, const void *, size_t);
int own_memcmp(const void *, const void *, size_t);
int own_bcmp(const void *, const void *, size_t);

enum { LONGEST = 300, SIZE = 3 * LONGEST };
static unsigned char own[SIZE], other[SIZE];

static int sign(int order) { return (order > 0) - (order < 0); }

static int fails(const char *name, size_t length, size_t to) {
  fprintf(stderr, "%s differs: length %zu, offset %zu\n", name, length, to);
  return 1;
}

int main(void) {
  for (size_t length = 0; length <= LONGEST; length++)
    for (size_t to = 0; to <= SIZE - length; to++) {
      /* The source is in the middle: before, over and after the target. */
      for (size_t at = 0; at < SIZE; at++) own[at] = other[at] = (unsigned char)(at * 251 + length);
      int is_apart = to + length <= LONGEST || to >= LONGEST + length;
      void *(*copy)(void *, const void *, size_t) = is_apart && to % 2 ? own_memcpy : own_memmove;
      if (copy(own + to, own + LONGEST, length) != own + to) return fails("result", length, to);
      memmove(other + to, other + LONGEST, length);
      if (memcmp(own, other, SIZE)) return fails("copy", length, to);
    }
  for (size_t length = 0; length <= LONGEST; length++)
    for (size_t at = 0; at <= length; at++)
      for (int byte = 0; byte < 256; byte += 5) {
        memset(own, 0x7F, SIZE);
        memset(other, 0x7F, SIZE);
        /* The first difference counts, in the order of unsigned bytes; the second one does not. */
        own[1 + at] = (unsigned char)byte;
        other[3 + length] = own[1 + length] ^ 1;
        int expected = sign(memcmp(own + 1, other + 3, length));
        if (sign(own_memcmp(own + 1, other + 3, length)) != expected) return fails("memcmp", length, at);
        if (!own_bcmp(own + 1, other + 3, length) != !expected) return fails("bcmp", length, at);
      }
  return 0;
}
