# Waymark in a container: docker build -t waymark . && docker run --rm -v "$PWD:/work" waymark render scene.json
#
# The first stage builds the release program in Swift's own image, where tools/setup installs what that needs. The second has only what
# that program loads: Mesa's rasterizer, the text libraries, librsvg and fonts. Leave out fonts-noto-cjk (90 MB) where no Chinese,
# Japanese or Korean is drawn; `waymark doctor` says what is missing.
FROM swift:6.1-bookworm AS build
COPY . /waymark
RUN /waymark/tools/setup && /waymark/tools/release

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends libegl1 libegl-mesa0 libgl1-mesa-dri libgles2 libfreetype6 libharfbuzz0b libfontconfig1 \
        librsvg2-2 fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /waymark/out/release/waymark /usr/local/bin/waymark
WORKDIR /work
ENTRYPOINT ["waymark"]
