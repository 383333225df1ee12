/// The commit from which this program was built. This is in C because the build passes the commit as a preprocessor definition, which
/// Swift cannot read.
#pragma once

/// The commit as hexadecimal digits; empty if it was not passed to the build.
const char *wm_build_commit(void);
