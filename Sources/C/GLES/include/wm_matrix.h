// Matrices of the camera and of models, in double precision. Column-major: element (row r, column c) of a 4x4 is m[c * 4 + r].
// In C++ because GLM is; Swift has no matrix library on Linux.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Sine and cosine of an angle in degrees, exact at every multiple of 90 (and equal to the bit a whole turn further on, where
/// the remainder is exact). Not finite gives not a number.
void wm_sincos_degrees(double degrees, double *sine, double *cosine);

/// What wm_view_projection needs to know. Lengths in pt.
typedef struct wm_camera {
    /// Width and height of the viewport; more than 0.
    double width, height;
    /// From looking straight down, towards the horizon.
    double tilt_degrees;
    /// Clockwise from north: what is up on the screen.
    double bearing_degrees;
    /// The optical centre, relative to the middle of the viewport, y down.
    double offset_x, offset_y;
    /// Depths of the clip planes along the view; 0 < near_depth < far_depth.
    double near_depth, far_depth;
} wm_camera;

/// The matrix from a world offset (X' east, Y' south, height a, 1) in pt from the centre to clip space.
/// clip w is the depth; NDC x = 2 sx / width - 1 and NDC y = 2 sy / height - 1 for the screen point (sx, sy), y down, so that
/// row 0 of a framebuffer is the top row of the picture; NDC z runs from -1 at near_depth to 1 at far_depth.
/// The vertical field of view is 2 atan(1/3): the camera stands 1.5 * height from the centre.
void wm_view_projection(const wm_camera *camera, double matrix[16]);

/// The matrix from mesh units (x east, y north, z up) to world offsets (X' east, Y' south, height a) in pt:
/// translation * mirror(y) * yaw * pitch * roll * scale, with yaw about up, pitch about east, roll about north, each
/// right-handed, in degrees, exact at multiples of 90. It mirrors, so a positive scale gives a negative determinant.
void wm_model_matrix(double yaw_degrees, double pitch_degrees, double roll_degrees, double scale,
                     const double translation[3], double matrix[16]);

/// The inverse. A matrix that has none gives values that are not finite.
void wm_inverse(const double matrix[16], double inverse[16]);

/// The inverse transpose of the upper left 3x3, column-major 3x3: it carries normals where `matrix` carries points.
void wm_normal_matrix(const double matrix[16], double normal[9]);

/// left * right, that is: right first. `product` may be one of the factors.
void wm_multiply(const double left[16], const double right[16], double product[16]);

#ifdef __cplusplus
}
#endif
