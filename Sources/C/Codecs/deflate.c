// Deflate (RFC 1951) for rows of pictures. Most of a map overlay is empty, and most of the rest repeats the previous pixel or the row
// above. These matches are tried first, and the bytes in them are neither hashed nor searched. In sparse pictures, other repetitions are
// searched only from the first byte of each pixel. The code is therefore three to four times as fast as a general implementation.

#include "CWaymarkCodecs.h"
#include "huffman.h"

#include <string.h>

enum { window = 1 << 15, shortest = 3, longest = 258, end_of_block = 256 };
enum { literal_symbols = 286, distance_symbols = 30, length_symbols = 19, most_bits = 15 };
/// Literals and matches per block. Larger blocks would adapt worse to the data; smaller blocks would need more headers.
enum { block_tokens = 20000 };
/// Positions have 32 bits, and matches do not cross the border between two pieces.
enum { piece = 1 << 30 };
enum { most_hash_bits = 15 };
/// Estimated costs in bits, to compare matches.
enum { literal_cost = 6, near_cost = 8, far_cost = 10 };

/// Some literals, then a match, unless its length is 0.
typedef struct sequence {
    uint32_t literals;
    uint16_t length;
    uint16_t distance;
} sequence;

typedef struct match {
    size_t length;
    size_t distance;
    /// The number of bits that the match saves; 0 means no match.
    int gain;
} match;

typedef struct deflater {
    const uint8_t *start, *end;
    /// The end of the sequences, and the start of the block.
    const uint8_t *next, *block;
    size_t pixel, row;
    /// The effort of the search: candidates per position, positions of a match that are hashed, length at which a match is good enough.
    int depth;
    size_t kept, enough;
    unsigned hash_bits;
    /// The distance between positions from which a search starts, 1 or the size of a pixel, and the shift that gives each of these
    /// positions a separate slot in `earlier`.
    size_t step;
    unsigned shift;

    uint8_t *output;
    uint64_t bits;
    unsigned bit_count;

    uint32_t run, sequence_count, token_count;
    uint64_t extra_bits;
    huffman literals, distances;
    sequence sequences[block_tokens + 1];
    /// The last position of each hash, and for each position in the window the previous position with the same hash.
    uint32_t heads[1 << most_hash_bits], earlier[window];
} deflater;

static const uint16_t length_base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                         31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

static inline unsigned floor_log2(unsigned number) {
    return 31 - (unsigned)__builtin_clz(number);
}

/// Each symbol with extra bits has four ranges of lengths, as with distances. Only the length 258 has a separate symbol.
static inline unsigned length_symbol(unsigned length) {
    if (length == longest) return 28;
    unsigned offset = length - shortest;
    if (offset < 8) return offset;
    unsigned extra = floor_log2(offset) - 2;
    return (extra << 2) + (offset >> extra);
}

static inline unsigned distance_symbol(unsigned distance) {
    unsigned offset = distance - 1;
    if (offset < 2) return offset;
    unsigned log = floor_log2(offset);
    return 2 * log + (offset >> (log - 1) & 1);
}

static inline unsigned distance_extra(unsigned symbol) {
    return symbol < 4 ? 0 : (symbol >> 1) - 1;
}

static inline unsigned distance_base(unsigned symbol) {
    return symbol < 4 ? symbol + 1 : ((2 + (symbol & 1)) << distance_extra(symbol)) + 1;
}

static inline uint32_t load32(const uint8_t *bytes) {
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static inline uint64_t load64(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/// The number of equal bytes before the first byte in which two words differ.
static inline unsigned equal_bytes(uint64_t difference) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (unsigned)__builtin_ctzll(difference) >> 3;
#else
    return (unsigned)__builtin_clzll(difference) >> 3;
#endif
}

/// The number of equal bytes from `a` to `end` and from `b`, which precedes `a`.
static inline size_t common(const uint8_t *a, const uint8_t *b, const uint8_t *end) {
    const uint8_t *start = a;
    while (end - a >= 8) {
        uint64_t difference = load64(a) ^ load64(b);
        if (difference != 0) return (size_t)(a - start) + equal_bytes(difference);
        a += 8, b += 8;
        // Most matches are short, but most bytes are in long ones.
        while (end - a >= 32) {
            uint64_t differences = (load64(a) ^ load64(b)) | (load64(a + 8) ^ load64(b + 8));
            differences |= (load64(a + 16) ^ load64(b + 16)) | (load64(a + 24) ^ load64(b + 24));
            if (differences != 0) break;
            a += 32, b += 32;
        }
    }
    while (a < end && *a == *b) a++, b++;
    return (size_t)(a - start);
}

// MARK: Writing

/// At most 57 bits fit between two calls of `store`.
static inline void put(deflater *d, uint64_t bits, unsigned count) {
    d->bits |= bits << d->bit_count;
    d->bit_count += count;
}

/// Writes the complete bytes of the buffered bits. This also overwrites up to 7 bytes after them, for which `wm_deflate_bound` leaves
/// room.
static inline void store(deflater *d) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(d->output, &d->bits, 8);
#else
    for (int i = 0; i < 8; i++) d->output[i] = (uint8_t)(d->bits >> (8 * i));
#endif
    d->output += d->bit_count >> 3;
    d->bits >>= d->bit_count & ~7u;
    d->bit_count &= 7;
}

static void align(deflater *d) {
    d->bit_count = (d->bit_count + 7) & ~7u;
    store(d);
}

/// The code lengths of a block as transmitted: run-length encoded, then Huffman coded.
typedef struct header {
    unsigned literals, distances, lengths, count;
    uint8_t symbol[literal_symbols + distance_symbols], extra[literal_symbols + distance_symbols];
    huffman code;
} header;

static const uint8_t header_order[length_symbols] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

static inline unsigned header_extra(unsigned symbol) {
    return symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
}

static void make_header(header *h, const deflater *d) {
    h->literals = literal_symbols, h->distances = distance_symbols, h->lengths = length_symbols, h->count = 0;
    while (h->literals > end_of_block + 1 && d->literals.length[h->literals - 1] == 0) h->literals--;
    while (h->distances > 1 && d->distances.length[h->distances - 1] == 0) h->distances--;
    uint8_t lengths[literal_symbols + distance_symbols];
    unsigned count = h->literals + h->distances;
    memcpy(lengths, d->literals.length, h->literals);
    memcpy(lengths + h->literals, d->distances.length, h->distances);

    memset(h->code.count, 0, sizeof h->code.count);
    for (unsigned i = 0; i < count;) {
        unsigned run = 1, most = lengths[i] == 0 ? 138 : 7;
        while (run < most && i + run < count && lengths[i + run] == lengths[i]) run++;
        unsigned symbol = lengths[i], extra = 0, taken = 1;
        if (symbol == 0 && run >= shortest) {
            symbol = run < 11 ? 17 : 18, extra = run - (run < 11 ? 3 : 11), taken = run;
        } else if (symbol != 0 && i > 0 && lengths[i - 1] == symbol && run >= shortest) {
            taken = run < 6 ? run : 6, extra = taken - 3, symbol = 16;
        }
        h->symbol[h->count] = (uint8_t)symbol, h->extra[h->count++] = (uint8_t)extra;
        h->code.count[symbol]++;
        i += taken;
    }
    wm_huffman_build(&h->code, length_symbols, 7);
    while (h->lengths > 4 && h->code.length[header_order[h->lengths - 1]] == 0) h->lengths--;
}

static void put_header(deflater *d, const header *h) {
    put(d, h->literals - 257, 5);
    put(d, h->distances - 1, 5);
    put(d, h->lengths - 4, 4);
    store(d);
    for (unsigned i = 0; i < h->lengths; i++) {
        put(d, h->code.length[header_order[i]], 3);
        store(d);
    }
    for (unsigned i = 0; i < h->count; i++) {
        unsigned symbol = h->symbol[i];
        put(d, h->code.code[symbol], h->code.length[symbol]);
        put(d, h->extra[i], header_extra(symbol));
        store(d);
    }
}

/// The size of the header in bits, without the block's first three bits.
static uint64_t header_bits(const header *h) {
    uint64_t bits = 14 + 3 * h->lengths;
    for (unsigned symbol = 0; symbol < length_symbols; symbol++) {
        bits += (uint64_t)h->code.count[symbol] * (h->code.length[symbol] + header_extra(symbol));
    }
    return bits;
}

static uint64_t coded_bits(const deflater *d, const huffman *literals, const huffman *distances) {
    uint64_t bits = d->extra_bits;
    for (unsigned symbol = 0; symbol < literal_symbols; symbol++) bits += (uint64_t)d->literals.count[symbol] * literals->length[symbol];
    for (unsigned symbol = 0; symbol < distance_symbols; symbol++) bits += (uint64_t)d->distances.count[symbol] * distances->length[symbol];
    return bits;
}

static void make_fixed(huffman *literals, huffman *distances) {
    memset(literals->length, 8, sizeof literals->length);
    memset(literals->length + 144, 9, 112);
    memset(literals->length + end_of_block, 7, 24);
    memset(distances->length, 5, sizeof distances->length);
    // The two symbols that never occur are included, because longer codes follow their codes.
    wm_huffman_number(literals, most_symbols);
    wm_huffman_number(distances, distance_symbols);
}

/// The bits to write, and their number.
typedef struct code {
    uint32_t bits, count;
} code;

static inline code code_of(const huffman *huffman, unsigned symbol) {
    return (code){huffman->code[symbol], huffman->length[symbol]};
}

/// A symbol's code, followed by extra bits.
static inline code extended(code symbol, unsigned extra, unsigned count) {
    return (code){symbol.bits | extra << symbol.count, symbol.count + count};
}

static void put_sequences(deflater *d, const huffman *literals, const huffman *distances) {
    code bytes[end_of_block], lengths[longest + 1];
    for (unsigned byte = 0; byte < end_of_block; byte++) bytes[byte] = code_of(literals, byte);
    for (unsigned length = shortest; length <= longest; length++) {
        unsigned symbol = length_symbol(length);
        lengths[length] = extended(code_of(literals, 257 + symbol), length - length_base[symbol], length_extra[symbol]);
    }
    const uint8_t *next = d->block;
    for (uint32_t i = 0; i < d->sequence_count; i++) {
        sequence s = d->sequences[i];
        uint32_t left = s.literals;
        // 7 bits left and three codes are at most 52.
        for (; left >= 3; left -= 3, next += 3) {
            put(d, bytes[next[0]].bits, bytes[next[0]].count);
            put(d, bytes[next[1]].bits, bytes[next[1]].count);
            put(d, bytes[next[2]].bits, bytes[next[2]].count);
            store(d);
        }
        for (; left > 0; left--, next++) put(d, bytes[*next].bits, bytes[*next].count);
        store(d);
        if (s.length == 0) continue;
        // 7 bits left, 15 and 5 of the length, 15 and 13 of the distance are 55.
        unsigned distance = distance_symbol(s.distance);
        put(d, lengths[s.length].bits, lengths[s.length].count);
        put(d, distances->code[distance], distances->length[distance]);
        put(d, s.distance - distance_base(distance), distance_extra(distance));
        store(d);
        next += s.length;
    }
    put(d, literals->code[end_of_block], literals->length[end_of_block]);
    store(d);
}

static void put_stored(deflater *d, bool is_final) {
    const uint8_t *next = d->block;
    do {
        size_t left = (size_t)(d->next - next), count = left < 0xffff ? left : 0xffff;
        put(d, is_final && count == left, 1);
        put(d, 0, 2);
        align(d);
        put(d, (uint32_t)count | (uint32_t)(~count & 0xffff) << 16, 32);
        store(d);
        memcpy(d->output, next, count);
        d->output += count;
        next += count;
    } while (next < d->next);
}

/// Writes the block in the shortest of the three forms.
static void end_block(deflater *d, bool is_final) {
    d->sequences[d->sequence_count++] = (sequence){d->run, 0, 0};
    d->literals.count[end_of_block] = 1;
    wm_huffman_build(&d->literals, literal_symbols, most_bits);
    wm_huffman_build(&d->distances, distance_symbols, most_bits);
    header header;
    make_header(&header, d);
    huffman literals, distances;
    make_fixed(&literals, &distances);

    uint64_t dynamic = header_bits(&header) + coded_bits(d, &d->literals, &d->distances);
    uint64_t fixed = coded_bits(d, &literals, &distances);
    uint64_t bytes = (uint64_t)(d->next - d->block), stored = 8 * bytes + (bytes / 0xffff + 1) * 40;
    if (stored <= dynamic && stored <= fixed) {
        put_stored(d, is_final);
    } else {
        put(d, is_final, 1);
        put(d, fixed <= dynamic ? 1 : 2, 2);
        store(d);
        if (fixed > dynamic) put_header(d, &header);
        if (fixed <= dynamic) put_sequences(d, &literals, &distances); else put_sequences(d, &d->literals, &d->distances);
    }
    memset(d->literals.count, 0, sizeof d->literals.count);
    memset(d->distances.count, 0, sizeof d->distances.count);
    d->block = d->next;
    d->run = d->sequence_count = d->token_count = 0;
    d->extra_bits = 0;
}

// MARK: Searching

static inline void add_literal(deflater *d) {
    d->literals.count[*d->next++]++;
    d->run++;
    if (++d->token_count == block_tokens) end_block(d, false);
}

/// Adds a match, divided into as many parts as its length needs. No part is shorter than the shortest valid match.
static inline void add_match(deflater *d, match m) {
    unsigned symbol = distance_symbol((unsigned)m.distance);
    for (size_t left = m.length; left > 0;) {
        size_t part = left <= longest ? left : left < longest + shortest ? left - shortest : longest;
        unsigned length = length_symbol((unsigned)part);
        d->literals.count[257 + length]++;
        d->distances.count[symbol]++;
        d->extra_bits += length_extra[length] + distance_extra(symbol);
        d->sequences[d->sequence_count++] = (sequence){d->run, (uint16_t)part, (uint16_t)m.distance};
        d->run = 0;
        d->next += part;
        left -= part;
        if (++d->token_count == block_tokens) end_block(d, false);
    }
}

/// Takes the match at a distance if it saves more bits than the best match so far. At most the longest valid match is compared.
static inline void consider(match *best, size_t length, size_t distance, int cost) {
    int gain = (int)(length < longest ? length : longest) * literal_cost - cost;
    if (gain > best->gain) *best = (match){length, distance, gain};
}

static inline int cost_at(size_t distance) {
    return far_cost + (int)distance_extra(distance_symbol((unsigned)distance));
}

/// A match with the previous byte (empty, white or gray areas), the previous pixel, or the row above. Three equal bytes are enough,
/// because alpha may differ.
static inline match near_match(const deflater *d, const uint8_t *p) {
    enum { plenty = 64 };
    match best = {0, 0, 0};
    size_t before = (size_t)(p - d->start);
    uint32_t word = load32(p), three = load32((const uint8_t *)"\xff\xff\xff\0");
    if (before >= 1 && ((word ^ load32(p - 1)) & three) == 0) consider(&best, common(p, p - 1, d->end), 1, near_cost);
    if (best.length > plenty) return best;
    if (before >= d->pixel && ((word ^ load32(p - d->pixel)) & three) == 0) {
        consider(&best, common(p, p - d->pixel, d->end), d->pixel, near_cost);
    }
    if (best.length > plenty) return best;
    if (before >= d->row && d->row <= window && ((word ^ load32(p - d->row)) & three) == 0) {
        // The search stops at the longest valid match. The run is tried again there, which is cheaper.
        size_t length = common(p, p - d->row, d->end);
        consider(&best, length < longest ? length : longest, d->row, cost_at(d->row));
    }
    return best;
}

static inline uint32_t *head(deflater *d, const uint8_t *p) {
    return &d->heads[(uint32_t)(load32(p) * 0x9e3779b1u) >> (32 - d->hash_bits)];
}

/// The slot for the previous position with the same hash.
static inline uint32_t *earlier(deflater *d, uint32_t position) {
    return &d->earlier[(position & (window - 1)) >> d->shift];
}

static inline uint32_t remember(deflater *d, const uint8_t *p) {
    uint32_t *newest = head(d, p), position = (uint32_t)(p - d->start), candidate = *newest;
    *earlier(d, position) = candidate;
    *newest = position;
    return candidate;
}

/// The best match of at least four bytes in the window, or `best` if no match is better. Reads 8 bytes from `p` on.
static inline match far_match(deflater *d, const uint8_t *p, match best) {
    uint32_t candidate = remember(d, p);
    if (best.length >= d->enough) return best;
    uint32_t position = (uint32_t)(p - d->start), word = load32(p);
    size_t most = (size_t)(d->end - p) < longest ? (size_t)(d->end - p) : longest, length = shortest;
    for (int left = d->depth; left > 0 && candidate < position && position - candidate < window; left--) {
        const uint8_t *c = d->start + candidate;
        // A farther match must be longer, so its last four bytes are compared first.
        if (load32(c) == word && load32(c + length - 3) == load32(p + length - 3)) {
            size_t found = common(p, c, p + most);
            if (found > length) {
                length = found;
                consider(&best, found, position - candidate, cost_at(position - candidate));
                if (found >= d->enough || found == most) break;
            }
        }
        uint32_t before = *earlier(d, candidate);
        // The loop also ends at the end of the list, which is all ones.
        if (before >= candidate) break;
        candidate = before;
    }
    return best;
}

static void deflate_piece(deflater *d, const uint8_t *bytes, size_t count) {
    memset(d->heads, 0xff, sizeof *d->heads << d->hash_bits);
    d->start = d->next = d->block = bytes;
    d->end = bytes + count;
    // Too few bytes follow this position for a search.
    const uint8_t *last = count < 8 ? bytes : d->end - 8;
    const uint8_t *row = bytes;
    while (d->next < last) {
        const uint8_t *p = d->next;
        // The number of bytes until the next pixel. A row begins with the number of its filter.
        size_t left = 0;
        if (d->step > 1) {
            size_t passed = (size_t)(p - row);
            if (passed >= d->row) row = p - passed % d->row;
            size_t column = (size_t)(p - row);
            left = column == 0 ? 1 : (d->row - column) % d->step;
        }
        match m = near_match(d, p);
        if (left == 0) m = far_match(d, p, m);
        if (m.gain <= 0) {
            // Data that do not repeat from a pixel's first byte almost never repeat from its other bytes.
            for (size_t count = left > 0 ? left : d->step; count > 0; count--) add_literal(d);
            continue;
        }
        const uint8_t *kept = p + (m.length < d->kept ? m.length : d->kept);
        for (p += left > 0 ? left : d->step; p < kept && p < last; p += d->step) remember(d, p);
        add_match(d, m);
    }
    while (d->next < d->end) add_literal(d);
}

// MARK: Entry points

size_t wm_deflate_bound(size_t count) {
    // Each block has the shortest form, and a stored block of at least 20,000 bytes needs 6 more bytes. The rest of the bound is for the
    // ends.
    return count + count / 1024 + 64;
}

size_t wm_deflate_workspace(void) {
    return sizeof(deflater);
}

size_t wm_deflate(const uint8_t *bytes, size_t count, size_t pixel, size_t row, bool is_dense, bool is_last, void *workspace,
                  uint8_t *output) {
    deflater *d = workspace;
    d->pixel = pixel, d->row = row;
    d->depth = is_dense ? 12 : 4, d->kept = is_dense ? longest : 5, d->enough = is_dense ? 64 : 32, d->hash_bits = is_dense ? 15 : 13;
    bool has_pixels = !is_dense && (pixel == 3 || pixel == 4) && row > pixel && row % pixel == 1;
    d->step = has_pixels ? pixel : 1, d->shift = has_pixels ? (unsigned)pixel / 2 : 0;
    d->output = output;
    d->bits = 0, d->bit_count = 0;
    d->run = d->sequence_count = d->token_count = 0, d->extra_bits = 0;
    memset(&d->literals, 0, sizeof d->literals);
    memset(&d->distances, 0, sizeof d->distances);
    for (size_t start = 0; start == 0 || start < count; start += piece) {
        size_t left = count - start;
        deflate_piece(d, bytes + start, left < piece ? left : piece);
        end_block(d, is_last && left <= piece);
    }
    if (!is_last) {
        // An empty stored block aligns the end to a byte.
        put(d, 0, 3);
        align(d);
        put(d, 0xffff0000, 32);
        store(d);
    }
    align(d);
    return (size_t)(d->output - output);
}
