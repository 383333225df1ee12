// Package.swift's way to pkg-config: the library that the shim beside this folder is compiled against.
#include <sqlite3.h>
