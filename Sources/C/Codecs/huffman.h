// Huffman codes as deflate wants them. Not part of the module.

#ifndef WAYMARK_CODECS_HUFFMAN_H
#define WAYMARK_CODECS_HUFFMAN_H

#include <stdint.h>

/// The most symbols of any of deflate's alphabets, of which the last two never occur.
enum { most_symbols = 288 };

/// How often each symbol occurs, and the code that it got: `length` bits, of which the lowest in `code` is sent first.
typedef struct huffman {
    uint32_t count[most_symbols];
    uint16_t code[most_symbols];
    uint8_t length[most_symbols];
} huffman;

/// Gives the symbols that occur codes of at most `limit` bits. Always at least two symbols get one: some decoders refuse an incomplete code.
void wm_huffman_build(huffman *huffman, unsigned symbols, unsigned limit);

/// Gives codes to lengths that are there already.
void wm_huffman_number(huffman *huffman, unsigned symbols);

#endif
