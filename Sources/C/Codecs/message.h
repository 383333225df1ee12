// Error messages of the codecs. Not part of the module.

#ifndef WAYMARK_CODECS_MESSAGE_H
#define WAYMARK_CODECS_MESSAGE_H

#include "CWaymarkCodecs.h"

#include <string.h>

static inline void set_message(char message[WM_MESSAGE_LENGTH], const char *text) {
    size_t length = strlen(text);
    if (length >= WM_MESSAGE_LENGTH) length = WM_MESSAGE_LENGTH - 1;
    memcpy(message, text, length);
    message[length] = 0;
}

static inline bool refuse(char message[WM_MESSAGE_LENGTH], const char *text) {
    set_message(message, text);
    return false;
}

#endif
