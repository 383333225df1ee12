/// The commit from which this program was built. In C because only this file must be compiled again when the commit changes.
#pragma once

/// The commit as hexadecimal digits; empty if the build was not given one.
const char *wm_build_commit(void);
