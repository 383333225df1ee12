// Package.swift's way to pkg-config: the XML parser that the shim beside this folder is compiled against.
#include <expat.h>
