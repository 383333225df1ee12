// Lets Package.swift find, through pkg-config, the library that the C target in the parent folder is compiled against.
#include <sqlite3.h>
