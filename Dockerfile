# syntax=docker/dockerfile:1
# Waymark in a container:
#
#     docker build -t waymark .
#     docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" waymark render scene.json
#
# Targets: `default`, the program with fonts for every script; `slim`, without the fonts for Chinese, Japanese and Korean; `server`, which runs
# waymark-server. `--build-arg WAYMARK_COMMIT=$(git rev-parse HEAD)` names the commit for `waymark --version`.
#
# The layers are in the order in which they change: packages first, the program last. A change of the sources installs no package again, and
# a change of other files builds nothing again: .dockerignore lists them. tools/container builds all targets but the first stages without a
# container engine, and checks them.

FROM swift:6.1-bookworm AS build
WORKDIR /waymark
COPY tools/setup tools/setup
RUN tools/setup
COPY . .
ARG WAYMARK_COMMIT
# The cache keeps what earlier builds have compiled and downloaded.
RUN --mount=type=cache,target=/waymark/.build tools/release

FROM build AS build-server
RUN --mount=type=cache,target=/waymark/.build tools/release --server

# What the programs load: Mesa's rasterizer, the text libraries, librsvg, and fonts.
FROM debian:bookworm-slim AS libraries
RUN apt-get update \
    && apt-get install -y --no-install-recommends libegl1 libegl-mesa0 libgl1-mesa-dri libgles2 libfreetype6 libharfbuzz0b libfontconfig1 \
        librsvg2-2 fonts-noto-core fonts-noto-color-emoji \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 1000 waymark \
    && install -d -o waymark -g waymark /work
# Mesa and fontconfig write their caches here, whichever user runs the program. With a read-only file system, mount /tmp as a tmpfs, or the
# caches are left out.
ENV XDG_CACHE_HOME=/tmp
WORKDIR /work
COPY LICENSE NOTICE /usr/share/doc/waymark/

FROM libraries AS slim
COPY --from=build /waymark/out/release/waymark /usr/local/bin/waymark
# By number, so that Kubernetes knows that this is not root.
USER 1000:1000
ENTRYPOINT ["waymark"]

FROM libraries AS fonts
RUN apt-get update \
    && apt-get install -y --no-install-recommends fonts-noto-cjk \
    && rm -rf /var/lib/apt/lists/*

FROM fonts AS server
COPY --from=build-server /waymark/out/release/waymark-server /usr/local/bin/waymark-server
USER 1000:1000
EXPOSE 8080
# Debian's image has no client for HTTP; bash can open a connection.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /health/live HTTP/1.0\\r\\n\\r\\n' >&3 && read -r line <&3 && [[ $line == *' 200 '* ]]"]
ENTRYPOINT ["waymark-server", "--host", "0.0.0.0"]

FROM fonts AS default
COPY --from=build /waymark/out/release/waymark /usr/local/bin/waymark
USER 1000:1000
ENTRYPOINT ["waymark"]
