// The functions of the header are in Swift; SwiftPM requires a source file in every C target.
#include "waymark.h"
