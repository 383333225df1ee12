# syntax=docker/dockerfile:1
# Waymark in a container, for the user who runs it:
#
#     docker build -t waymark .
#     docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" waymark render scene.json
#
# `docker build --target without-cjk` leaves out the fonts for Chinese, Japanese and Korean. `waymark doctor` says what is missing.
#
# The layers are in the order in which they change: packages first, the program last. A change of the sources installs no package again, and
# a change of other files builds nothing again: .dockerignore lists them.

FROM swift:6.1-bookworm AS build
WORKDIR /waymark
COPY tools/setup tools/setup
RUN tools/setup
COPY . .
# The cache keeps what earlier builds have compiled and downloaded.
RUN --mount=type=cache,target=/waymark/.build tools/release

# What the program loads: Mesa's rasterizer, the text libraries, librsvg, and fonts.
FROM debian:bookworm-slim AS libraries
RUN apt-get update \
    && apt-get install -y --no-install-recommends libegl1 libegl-mesa0 libgl1-mesa-dri libgles2 libfreetype6 libharfbuzz0b libfontconfig1 \
        librsvg2-2 fonts-noto-core fonts-noto-color-emoji \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 1000 waymark \
    && install -d -o waymark -g waymark /work
# Mesa and fontconfig write their caches here, whichever user runs the program.
ENV XDG_CACHE_HOME=/tmp
WORKDIR /work
ENTRYPOINT ["waymark"]

FROM libraries AS without-cjk
COPY LICENSE NOTICE /usr/share/doc/waymark/
COPY --from=build /waymark/out/release/waymark /usr/local/bin/waymark
# By number, so that Kubernetes knows that this is not root.
USER 1000:1000

FROM libraries AS with-cjk
RUN apt-get update \
    && apt-get install -y --no-install-recommends fonts-noto-cjk \
    && rm -rf /var/lib/apt/lists/*
COPY LICENSE NOTICE /usr/share/doc/waymark/
COPY --from=build /waymark/out/release/waymark /usr/local/bin/waymark
USER 1000:1000
