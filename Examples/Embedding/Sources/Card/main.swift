import Foundation
import Waymark

let mapView = MapView(size: CGSize(width: 400, height: 300))
let hall = Marker(position: LatLng(37.5670, 126.9784), image: .red)
hall.captionText = "서울특별시청"
mapView.add(hall)
mapView.camera = try mapView.camera()
try Renderer().render(mapView).write(to: "card.png")
