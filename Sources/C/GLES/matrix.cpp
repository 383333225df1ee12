#include "CWaymarkGLES.h"

#include <algorithm>
#include <cmath>

#define GLM_FORCE_XYZW_ONLY
#if !__has_include(<glm/mat4x4.hpp>)
#error "the headers of GLM are missing; install libglm-dev (Fedora: glm-devel)"
#endif
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <glm/mat4x4.hpp>

namespace {

enum class Axis { x, z };

// glm::rotate is not used, because it takes the sine of a rounded pi/2, and quarter turns must be exact.
glm::dmat4 rotation(double degrees, Axis axis) {
    double s, c;
    wm_sincos_degrees(degrees, &s, &c);
    const int first = axis == Axis::x ? 1 : 0;
    const int second = first + 1;
    glm::dmat4 result(1.0);
    result[first][first] = c;
    result[first][second] = s;
    result[second][first] = -s;
    result[second][second] = c;
    return result;
}

glm::dmat4 scaling(double x, double y, double z) { return glm::scale(glm::dmat4(1.0), glm::dvec3(x, y, z)); }

glm::dmat4 translation(double x, double y, double z) { return glm::translate(glm::dmat4(1.0), glm::dvec3(x, y, z)); }

void store(const glm::dmat4 &matrix, double *values) { std::copy_n(glm::value_ptr(matrix), 16, values); }

}  // namespace

extern "C" {

void wm_sincos_degrees(double degrees, double *sine, double *cosine) {
    // The remainder of remquo is exact and within +-45 degrees, where the conversion to radians loses no relevant precision.
    int quarter = 0;
    const double rest = std::remquo(degrees, 90.0, &quarter) * (3.14159265358979323846 / 180.0);
    const double s = std::sin(rest), c = std::cos(rest);
    switch (quarter & 3) {
        case 0: *sine = s, *cosine = c; break;
        case 1: *sine = c, *cosine = -s; break;
        case 2: *sine = -s, *cosine = -c; break;
        default: *sine = -c, *cosine = s; break;
    }
    // Removes negative zeros, so that equal angles give equal bits.
    *sine += 0.0;
    *cosine += 0.0;
}

void wm_view_projection(const wm_camera *camera, double matrix[16]) {
    const double w = camera->width, h = camera->height;
    const double distance = camera->distance;
    const double top = camera->near_depth * (h / 2) / distance, right = camera->near_depth * (w / 2) / distance;
    const glm::dmat4 frustum = glm::frustum(-right, right, -top, top, camera->near_depth, camera->far_depth);
    // The optical center translates the picture after the division by w; the reflection makes y run down on the screen.
    const glm::dmat4 screen = translation(2 * camera->offset_x / w, 2 * camera->offset_y / h, 0) * scaling(1, -1, 1);
    // World offsets run south; the reflection gives the right-handed frame (east, north, up).
    const glm::dmat4 view = translation(0, 0, -distance) * rotation(-camera->tilt_degrees, Axis::x) *
                            rotation(camera->bearing_degrees, Axis::z) * scaling(1, -1, 1);
    store(screen * frustum * view, matrix);
}

void wm_multiply(const double left[16], const double right[16], double product[16]) {
    store(glm::make_mat4(left) * glm::make_mat4(right), product);
}

}  // extern "C"
