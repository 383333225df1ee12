// Lets Package.swift find, through pkg-config, the XML parser that the C target in the parent folder is compiled against.
#include <expat.h>
