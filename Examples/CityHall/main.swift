import Foundation
import Waymark

let mapView = MapView(size: CGSize(width: 400, height: 300), pixelRatio: 2)
mapView.background = Color(css: "#f2efe9")!
mapView.camera = Camera(center: LatLng(lat: 37.5666, lng: 126.9784), zoom: 14, bearing: 30, tilt: 45)

let hall = Marker(position: LatLng(lat: 37.5670135, lng: 126.9783740))
hall.id = "hall"
hall.iconImage = MarkerImage.red
hall.captionText = "서울특별시청"
mapView.add(hall)  // or hall.mapView = mapView, as in some mobile map SDKs

let renderer = try Renderer()  // keep it: one renderer for many pictures
try renderer.render(mapView).write(to: "city-hall.png")

hall.angle = 15  // changes are visible in the next picture
hall.alpha = 0.5
try renderer.render(mapView).write(to: "city-hall-leaning.png")

print(try mapView.inspection().overlays.map { "\($0.id) \($0.isVisible ? "is" : "is not") in the picture" })
