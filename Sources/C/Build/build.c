#include "CWaymarkBuild.h"

// Package.swift defines the commit if the environment variable WAYMARK_COMMIT names one.
#define WM_TEXT_OF(words) #words
#define WM_TEXT(words) WM_TEXT_OF(words)

const char *wm_build_commit(void) {
#ifdef WAYMARK_COMMIT
    return WM_TEXT(WAYMARK_COMMIT);
#else
    return "";
#endif
}
