#include "CWaymarkXML.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

/// The maximum number of bytes for one call of expat, whose lengths have the type `int`. It is nearly the maximum, because older versions
/// restart a token with every piece, so a token of many pieces takes quadratic time.
static const size_t piece = (size_t)1 << 29;

typedef struct parse {
    XML_Parser parser;
    wm_xml_handlers handlers;
    wm_xml_problem *problem;
    bool is_stopped, is_refused;
} parse;

static void note_place(parse *self) {
    self->problem->line = (size_t)XML_GetCurrentLineNumber(self->parser);
    self->problem->column = (size_t)XML_GetCurrentColumnNumber(self->parser) + 1;
}

/// Before it stops, expat may still report parts that it has already read.
static bool is_over(const parse *self) {
    return self->is_stopped || self->is_refused;
}

static void stop(parse *self) {
    self->is_stopped = true;
    XML_StopParser(self->parser, XML_FALSE);
}

static void refuse(parse *self, const char *sentence, const char *name) {
    note_place(self);
    snprintf(self->problem->message, WM_XML_MESSAGE_LENGTH, sentence, name == NULL ? "" : name);
    self->is_refused = true;
    XML_StopParser(self->parser, XML_FALSE);
}

static void XMLCALL start_element(void *data, const XML_Char *name, const XML_Char **attributes) {
    parse *self = data;
    if (is_over(self)) return;
    if (!self->handlers.start(self->handlers.context, name, attributes, (size_t)XML_GetCurrentLineNumber(self->parser))) stop(self);
}

static void XMLCALL end_element(void *data, const XML_Char *name) {
    parse *self = data;
    (void)name;
    if (is_over(self)) return;
    if (!self->handlers.end(self->handlers.context)) stop(self);
}

static void XMLCALL character_data(void *data, const XML_Char *text, int count) {
    parse *self = data;
    if (is_over(self)) return;
    if (!self->handlers.text(self->handlers.context, text, (size_t)count)) stop(self);
}

static void XMLCALL entity_declaration(void *data, const XML_Char *name, int is_parameter, const XML_Char *value, int length,
                                       const XML_Char *base, const XML_Char *system, const XML_Char *public, const XML_Char *notation) {
    parse *self = data;
    (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
    // A few entities that refer to one another can expand to gigabytes.
    if (!is_over(self)) refuse(self, "the document declares the entity \"%.60s\", which is not allowed", name);
}

static void XMLCALL skipped_entity(void *data, const XML_Char *name, int is_parameter) {
    parse *self = data;
    // A parameter entity is part of a declaration that is not read.
    if (!is_over(self) && !is_parameter) refuse(self, "the entity \"%.60s\" is not known", name);
}

wm_xml_status wm_xml_parse(const uint8_t *bytes, size_t count, bool is_utf8, wm_xml_handlers handlers, wm_xml_problem *problem) {
    parse self = {XML_ParserCreate(is_utf8 ? "UTF-8" : NULL), handlers, problem, false, false};
    *problem = (wm_xml_problem){.line = 1, .column = 1};
    if (self.parser == NULL) {
        snprintf(problem->message, WM_XML_MESSAGE_LENGTH, "out of memory");
        return WM_XML_REFUSED;
    }
    XML_SetUserData(self.parser, &self);
    XML_SetElementHandler(self.parser, start_element, end_element);
    XML_SetCharacterDataHandler(self.parser, character_data);
    XML_SetEntityDeclHandler(self.parser, entity_declaration);
    XML_SetSkippedEntityHandler(self.parser, skipped_entity);
    enum XML_Status status = XML_STATUS_OK;
    for (size_t start = 0; status == XML_STATUS_OK;) {
        const size_t length = count - start < piece ? count - start : piece;
        const bool is_last = start + length == count;
        // An empty piece may be NULL, which expat would take for a missing piece.
        status = XML_Parse(self.parser, length == 0 ? "" : (const char *)bytes + start, (int)length, is_last);
        start += length;
        if (is_last) break;
    }
    if (status != XML_STATUS_OK && !is_over(&self)) {
        note_place(&self);
        const XML_LChar *reason = XML_ErrorString(XML_GetErrorCode(self.parser));
        snprintf(problem->message, WM_XML_MESSAGE_LENGTH, "%s", reason == NULL ? "not XML" : reason);
        self.is_refused = true;
    }
    XML_ParserFree(self.parser);
    return self.is_refused ? WM_XML_REFUSED : self.is_stopped ? WM_XML_STOPPED : WM_XML_DONE;
}

void wm_xml_version(char text[WM_XML_MESSAGE_LENGTH]) {
    const XML_Expat_Version version = XML_ExpatVersionInfo();
    snprintf(text, WM_XML_MESSAGE_LENGTH, "%d.%d.%d", version.major, version.minor, version.micro);
}
