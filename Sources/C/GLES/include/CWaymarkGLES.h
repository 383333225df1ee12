// CWaymarkGLES: EGL and OpenGL ES loaded at run time, and the matrices of the camera and of models.
// It does not link libEGL or libGLESv2, makes no context, keeps no state beside the function table, and has no opinion.
#pragma once

#include "wm_functions.h"
#include "wm_loader.h"
#include "wm_matrix.h"
