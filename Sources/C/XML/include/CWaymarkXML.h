// Reads XML with expat, as elements and their texts. Documents are in memory, and callbacks receive their parts. No document can open a
// file, or expand an entity that it declares.

#ifndef WAYMARK_XML_H
#define WAYMARK_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The size of a message buffer, including the terminating zero.
#define WM_XML_MESSAGE_LENGTH 128

/// The callbacks for the parts of a document, in document order. Texts are UTF-8 for any encoding of the document. A callback returns false
/// to stop the parser.
typedef struct wm_xml_handlers {
    void *context;
    /// An element begins. `attributes` are alternating names and values, NULL-terminated; `line` counts from 1.
    bool (*start)(void *context, const char *name, const char **attributes, size_t line);
    bool (*end)(void *context);
    /// A part of the text between two tags.
    bool (*text)(void *context, const char *text, size_t count);
} wm_xml_handlers;

/// The result of parsing.
typedef enum wm_xml_status {
    WM_XML_DONE,
    /// A handler returned false.
    WM_XML_STOPPED,
    /// The bytes are not XML, declare an entity, or use an undeclared entity. The problem states the reason.
    WM_XML_REFUSED,
} wm_xml_status;

/// The error in a document, and its position.
typedef struct wm_xml_problem {
    /// The line and the column, in bytes. Both count from 1.
    size_t line, column;
    char message[WM_XML_MESSAGE_LENGTH];
} wm_xml_problem;

/// Parses a whole document. If `is_utf8` is true, the document is UTF-8 regardless of its declaration. Otherwise, its byte order mark or
/// its declaration selects UTF-8, UTF-16, ISO-8859-1 or ASCII.
///
/// This is in C because expat's functions take function pointers of special types, and so that the sanitizers check the calls.
wm_xml_status wm_xml_parse(const uint8_t *bytes, size_t count, bool is_utf8, wm_xml_handlers handlers, wm_xml_problem *problem);

/// The version of expat, such as "2.5.0".
void wm_xml_version(char text[WM_XML_MESSAGE_LENGTH]);

#endif
