"""What type checkers and editors know of the classes. It is not run: `test_types` has mypy read it, and each mistake is one that mypy must find."""

import waymark_maps
from waymark_maps import Circle, ClusterLayer, Container, Label, LocalModel, Marker, MarkerTemplate, Picture, Polyline, Route, Scene

marker = Marker((1, 2), caption_text="Here", z_index=3, is_flat=True, altitude=4.0)
text: str | None = marker.caption_text
placed = [Marker(lat=1.5, lng=2), Circle(lat=1, lng=2, radius=3)]
camera = waymark_maps.Fit(bounds=(1, 2, 3, 4), padding=5)
altitude: float | None = marker.altitude
layer = ClusterLayer(source="a.geojson", min_zoom=3, marker=MarkerTemplate(alpha="{opacity}", z_index=3))
model = LocalModel((1, 2), model="a.glb", alpha=0.5, altitude=3)
lines = [Polyline([(1, 2), (3, 4)], width=3, id="x"), Route([(1, 2), (3, 4)], progress=0.5, pattern=[4, 2])]
scene = Scene(overlays=[marker, Circle((1, 2), 3, id="a", min_zoom=3), *lines, layer, model, Container([marker])])
picture: Picture = waymark_maps.render(scene, size=(3, 4), pixel_ratio=2)
plotted: Picture = waymark_maps.plot("a.geojson", "population", scheme="quantiles", k=5, legend=True, size=(3, 4))

Marker((1, 2), "id")  # type: ignore[call-arg]
Marker((1, 2), caption="There")  # type: ignore[call-arg]
Marker(lat="1", lng=2)  # type: ignore[arg-type]
Marker((1, 2), alpha="half")  # type: ignore[arg-type]
Circle((1, 2), 3, z_index="a")  # type: ignore[arg-type]
ClusterLayer(altitude=3)  # type: ignore[call-arg]
Label("Text", width="wide")  # type: ignore[arg-type]
marker.altitude = "high"  # type: ignore[assignment]
marker.captionText = "There"  # type: ignore[attr-defined]
waymark_maps.render(scene, ratio=2)  # type: ignore[call-arg]
waymark_maps.plot("a.geojson", shceme="quantiles")  # type: ignore[call-arg]
waymark_maps.plot("a.geojson", legend="yes")  # type: ignore[arg-type]
wrong: bytes = waymark_maps.render(scene)  # type: ignore[assignment]


class Shop(Marker):
    """As users write them."""

    def __init__(self, name: str) -> None:
        super().__init__((1, 2), caption_text=name)


Shop("Books").caption_text = "Café"
