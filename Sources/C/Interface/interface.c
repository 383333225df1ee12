// The functions of the header are in Swift; SwiftPM wants a source file of every C target.
#include "waymark.h"
