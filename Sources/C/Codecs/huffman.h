// Length-limited canonical Huffman codes for deflate. Not part of the module.

#ifndef WAYMARK_CODECS_HUFFMAN_H
#define WAYMARK_CODECS_HUFFMAN_H

#include <stdint.h>

/// The maximum number of symbols in an alphabet of deflate. The last two never occur.
enum { most_symbols = 288 };

/// The count of each symbol, and its code: the lowest `length` bits of `code`. The lowest bit is sent first.
typedef struct huffman {
    uint32_t count[most_symbols];
    uint16_t code[most_symbols];
    uint8_t length[most_symbols];
} huffman;

/// Assigns codes of at most `limit` bits to the symbols that occur, and to at least two symbols, because some decoders refuse an
/// incomplete code.
void wm_huffman_build(huffman *huffman, unsigned symbols, unsigned limit);

/// Assigns codes for given lengths.
void wm_huffman_number(huffman *huffman, unsigned symbols);

#endif
