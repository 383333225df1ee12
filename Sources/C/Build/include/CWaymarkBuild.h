/// The commit from which this program was built. In C because a value of a build is a definition of the preprocessor, which Swift does not have.
#pragma once

/// The commit as hexadecimal digits; empty if the build was not given one.
const char *wm_build_commit(void);
