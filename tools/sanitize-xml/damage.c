// Parses documents complete, truncated at every byte, and damaged at random, each in a block of exactly its length. Truncated documents
// must be refused with a message; nothing may trip a sanitizer, and no entity that a document declares may be expanded.

#include "CWaymarkXML.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 1;

static uint32_t random_below(uint32_t bound) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % bound;
}

static const char *const documents[] = {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- a tour --><gpx xmlns=\"u\" xmlns:x=\"v\"><wpt lat=\"37.5\" lon=\"127\"><ele>38</ele>"
    "<name>City &amp; Hall &#x1F3DB;</name><desc><![CDATA[<b>\xec\x84\x9c\xec\x9a\xb8</b>]]></desc><x:y z='1'/></wpt>"
    "<trk><trkseg><trkpt lat=\"1\" lon=\"2\"/><trkpt lat=\"1\" lon=\"3\"></trkpt></trkseg></trk></gpx>\n",
    "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><!DOCTYPE gpx [<!ELEMENT gpx ANY><!ATTLIST gpx a CDATA \"b\">]><gpx>\xe9<?go on?></gpx>",
};
static const char bomb[] =
    "<?xml version=\"1.0\"?><!DOCTYPE gpx [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;\">]>"
    "<gpx>&c;</gpx>";

typedef struct counts {
    size_t depth, elements, bytes;
    // The number of calls after which it stops; 0 for never.
    size_t patience;
} counts;

static bool go_on(counts *counts) {
    return counts->patience == 0 || --counts->patience > 0;
}

static bool start(void *context, const char *name, const char **attributes, size_t line) {
    counts *counts = context;
    counts->depth++, counts->elements++;
    // Reads everything that is passed.
    for (const char **next = attributes; *next != NULL; next++) counts->bytes += strlen(*next);
    counts->bytes += strlen(name);
    if (line == 0) abort();
    return go_on(counts);
}

static bool end(void *context) {
    counts *counts = context;
    if (counts->depth-- == 0) abort();
    return go_on(counts);
}

static bool text(void *context, const char *text, size_t count) {
    counts *counts = context;
    for (size_t i = 0; i < count; i++) counts->bytes += (unsigned char)text[i] > 0;
    return go_on(counts);
}

static wm_xml_status parse(const uint8_t *bytes, size_t count, bool is_utf8, size_t patience, counts *counts) {
    *counts = (struct counts){.patience = patience};
    uint8_t *copy = malloc(count == 0 ? 1 : count);
    memcpy(copy, bytes, count);
    wm_xml_problem problem;
    memset(&problem, 0xff, sizeof problem);
    const wm_xml_status status = wm_xml_parse(copy, count, is_utf8, (wm_xml_handlers){counts, start, end, text}, &problem);
    free(copy);
    if (status == WM_XML_REFUSED && (memchr(problem.message, 0, sizeof problem.message) == NULL || problem.message[0] == 0 || problem.line == 0)) {
        fputs("refused without a message\n", stderr);
        exit(1);
    }
    if (status == WM_XML_DONE && counts->depth != 0) abort();
    return status;
}

static size_t widen(const uint8_t *bytes, size_t count, uint8_t *wide) {
    size_t length = 0;
    wide[length++] = 0xff, wide[length++] = 0xfe;
    for (size_t i = 0; i < count; i++) wide[length++] = bytes[i], wide[length++] = 0;
    return length;
}

int main(int argument_count, char **arguments) {
    const int rounds = argument_count > 1 ? atoi(arguments[1]) : 2000;
    unsigned long tried = 0, accepted = 0;
    counts counts;
    if (parse((const uint8_t *)bomb, sizeof bomb - 1, false, 0, &counts) != WM_XML_REFUSED || counts.elements > 0) {
        return fputs("declared entities were not refused\n", stderr), 1;
    }
    for (size_t number = 0; number < sizeof documents / sizeof *documents; number++) {
        const uint8_t *bytes = (const uint8_t *)documents[number];
        const size_t length = strlen(documents[number]);
        static uint8_t damaged[1 << 14], wide[1 << 15];
        if (parse(bytes, length, false, 0, &counts) != WM_XML_DONE) return fputs("an undamaged document was refused\n", stderr), 1;
        const size_t elements = counts.elements;
        for (size_t patience = 1; patience <= elements; patience++) {
            if (parse(bytes, length, false, patience, &counts) != WM_XML_STOPPED) return fputs("a handler did not stop it\n", stderr), 1;
        }
        // Only white space follows the last tag.
        for (size_t cut = 0; cut + 1 < length; cut++) {
            if (parse(bytes, cut, false, 0, &counts) != WM_XML_REFUSED) return fprintf(stderr, "accepted although cut off at %zu\n", cut), 1;
        }
        for (int round = 0; round < rounds; round++) {
            size_t count = length;
            memcpy(damaged, bytes, length);
            for (uint32_t changes = 1 + random_below(4); changes > 0; changes--) {
                const size_t at = random_below((uint32_t)count);
                switch (random_below(4)) {
                case 0: damaged[at] ^= (uint8_t)(1 + random_below(255)); break;
                case 1: damaged[at] = (uint8_t)"<>&;\"'/![]= x:%#"[random_below(16)]; break;
                case 2:
                    memmove(damaged + at, damaged + at + 1, count - at - 1);
                    if (count > 2) count--;
                    break;
                default:
                    memmove(damaged + at + 1, damaged + at, count - at);
                    damaged[at] = (uint8_t)random_below(256);
                    count++;
                }
            }
            accepted += parse(damaged, count, random_below(2), random_below(3) == 0 ? 1 + random_below(20) : 0, &counts) == WM_XML_DONE;
            const size_t widened = widen(damaged, count, wide);
            accepted += parse(wide, widened - random_below(2), false, 0, &counts) == WM_XML_DONE;
            tried += 2;
        }
    }
    printf("%lu damaged copies, %lu of them still documents\n", tried, accepted);
    return 0;
}
