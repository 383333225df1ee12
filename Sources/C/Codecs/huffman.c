#include "huffman.h"

#include <string.h>

/// Sorts counts and symbols with Shellsort: the rarest first and, on ties, the lower symbol, so that equal counts give equal codes.
static void sort(uint64_t *keys, unsigned count) {
    static const unsigned gaps[] = {132, 57, 23, 10, 4, 1};
    for (unsigned g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        for (unsigned i = gaps[g]; i < count; i++) {
            uint64_t key = keys[i];
            unsigned j = i;
            for (; j >= gaps[g] && keys[j - gaps[g]] > key; j -= gaps[g]) keys[j] = keys[j - gaps[g]];
            keys[j] = key;
        }
    }
}

/// Converts sorted counts to the depths of their leaves, in place: Moffat and Katajainen, "In-Place Calculation of Minimum-Redundancy
/// Codes".
static void find_depths(uint32_t *a, int count) {
    if (count == 2) {
        a[0] = a[1] = 1;
        return;
    }
    // First, the tree's nodes are built from the deepest on. A node with a parent stores the parent's number.
    a[0] += a[1];
    int root = 0, leaf = 2;
    for (int next = 1; next < count - 1; next++) {
        if (leaf >= count || a[root] < a[leaf]) {
            a[next] = a[root];
            a[root++] = (uint32_t)next;
        } else {
            a[next] = a[leaf++];
        }
        if (leaf >= count || (root < next && a[root] < a[leaf])) {
            a[next] += a[root];
            a[root++] = (uint32_t)next;
        } else {
            a[next] += a[leaf++];
        }
    }
    // Then the parents are converted to depths of nodes, and these to depths of leaves.
    a[count - 2] = 0;
    for (int next = count - 3; next >= 0; next--) a[next] = a[a[next]] + 1;
    int available = 1, node = count - 2, next = count - 1;
    for (uint32_t depth = 0; available > 0; depth++) {
        int used = 0;
        for (; node >= 0 && a[node] == depth; node--) used++;
        for (; available > used; available--) a[next--] = depth;
        available = 2 * used;
    }
}

void wm_huffman_build(huffman *huffman, unsigned symbols, unsigned limit) {
    uint64_t keys[most_symbols];
    uint32_t depths[most_symbols] = {0};
    unsigned used = 0;
    for (unsigned symbol = 0; symbol < symbols; symbol++) {
        if (huffman->count[symbol] > 0) keys[used++] = (uint64_t)huffman->count[symbol] << 16 | symbol;
    }
    for (unsigned symbol = 0; used < 2; symbol++) {
        if (huffman->count[symbol] == 0) keys[used++] = symbol;
    }
    sort(keys, used);
    for (unsigned i = 0; i < used; i++) depths[i] = (uint32_t)(keys[i] >> 16);
    find_depths(depths, (int)used);

    // Leaves that are too deep are raised to the limit. To keep the code valid, other leaves are lowered by one bit each, starting with
    // the deepest.
    uint32_t leaves[16] = {0}, total = 0;
    for (unsigned i = 0; i < used; i++) leaves[depths[i] < limit ? depths[i] : limit]++;
    for (unsigned length = 1; length <= limit; length++) total += leaves[length] << (limit - length);
    for (; total > 1u << limit; total--) {
        unsigned length = limit - 1;
        while (leaves[length] == 0) length--;
        leaves[limit]--;
        leaves[length]--;
        leaves[length + 1] += 2;
    }
    memset(huffman->length, 0, sizeof huffman->length);
    unsigned next = used;
    for (unsigned length = 1; length <= limit; length++) {
        for (uint32_t i = 0; i < leaves[length]; i++) huffman->length[keys[--next] & 0xffff] = (uint8_t)length;
    }
    wm_huffman_number(huffman, symbols);
}

void wm_huffman_number(huffman *huffman, unsigned symbols) {
    unsigned count[16] = {0}, next[16] = {0};
    for (unsigned symbol = 0; symbol < symbols; symbol++) count[huffman->length[symbol]]++;
    count[0] = 0;
    for (unsigned length = 1; length < 16; length++) next[length] = (next[length - 1] + count[length - 1]) << 1;
    for (unsigned symbol = 0; symbol < symbols; symbol++) {
        unsigned length = huffman->length[symbol];
        if (length == 0) continue;
        unsigned code = next[length]++, reversed = 0;
        for (unsigned bit = 0; bit < length; bit++) reversed |= (code >> bit & 1) << (length - 1 - bit);
        huffman->code[symbol] = (uint16_t)reversed;
    }
}
