import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// One thing done to a marker, with valid values or not.
public enum MarkerEdit: Int, CaseIterable, Sendable {
    case position, removePosition, positionAltitude, altitude, icon, noIcon, width, height, anchor, angle, alpha, flat, perspective
    case zIndex, globalZIndex, layer, hidden, minZoom, maxZoom, hiddenZooms, tint, anchorOffset

    /// - Parameter invalid: The value is invalid once in this many cases; nil for never.
    public func apply(to marker: Marker, _ random: inout SplitMix64, invalid: Int? = nil) {
        let isInvalid = invalid.map { random.once(in: $0) } ?? false
        switch self {
        case .position:
            marker.position = LatLng(
                lat: isInvalid ? random.one(of: [95, .nan, 89]) : random.number(-60...60), lng: random.number(-170...170))
        case .removePosition: if isInvalid { marker.position = nil }
        case .positionAltitude:
            marker.position?.altitude = isInvalid ? random.one(of: [-9, .infinity]) : random.number(0...500_000)
        case .altitude: marker.altitude = isInvalid ? random.one(of: [-9, .nan]) : random.one(of: [0, random.number(0...500_000)])
        case .icon:
            let icons = [MarkerImage.red, MarkerImage.blue, MarkerImage.clusterHigh, RandomIcons.small, RandomIcons.large]
            marker.iconImage = isInvalid ? RandomIcons.missing : random.one(of: icons)
        case .noIcon: marker.iconImage = random.once(in: 3) ? .empty : MarkerImage.default
        case .width: marker.width = isInvalid ? random.one(of: [-1, 1e6]) : random.one(of: [0, random.number(1...80)])
        case .height: marker.height = isInvalid ? -1 : random.one(of: [0, random.number(1...80)])
        case .anchor: marker.anchor = CGPoint(x: isInvalid ? .nan : random.number(-0.5...1.5), y: random.number(0...1))
        case .angle: marker.angle = isInvalid ? .infinity : random.one(of: [0, 90, random.number(-400...400)])
        case .alpha: marker.alpha = isInvalid ? random.one(of: [2, -0.1, .nan]) : random.one(of: [0, 0.5, 1])
        case .flat: marker.isFlat.toggle()
        case .perspective: marker.iconPerspectiveEnabled.toggle()
        case .zIndex: marker.zIndex = random.integer(-2...2)
        case .globalZIndex: marker.globalZIndex = random.one(of: [Marker.defaultGlobalZIndex, -100, 0, .max])
        case .layer: marker.mapLayerType = random.one(of: MapLayerType.allCases)
        case .hidden: marker.isHidden.toggle()
        case .minZoom: marker.minZoom = isInvalid ? random.one(of: [-1, 25]) : random.one(of: [0, random.number(0...6)])
        case .maxZoom: marker.maxZoom = isInvalid ? .nan : random.one(of: [24, random.number(0...6)])
        case .hiddenZooms: marker.setVisibility(random.once(in: 2), fromZoom: random.integer(-1...3), toZoom: random.integer(0...5))
        case .tint:
            marker.iconTintColor = isInvalid ? Color(white: 2) : random.one(of: [.clear, .red, Color(white: 0.3, alpha: 0)])
        case .anchorOffset: marker.anchorOffset = CGPoint(x: isInvalid ? .nan : random.number(-30...30), y: random.one(of: [0, 12.5]))
        }
    }
}

private enum RandomIcons {
    static let small = OverlayImage(bitmap: icon(9, 7), reuseIdentifier: "small")
    static let large = OverlayImage(bitmap: icon(40, 60), scale: 2, reuseIdentifier: "large")
    static let missing = OverlayImage(path: "/nonexistent/icon.png")

    private static func icon(_ width: Int, _ height: Int) -> Bitmap {
        var random = SplitMix64(seed: UInt64(width))
        return .noise(width, height, &random)
    }
}

extension Marker {
    /// A marker of random valid properties at a random place.
    public static func random(_ random: inout SplitMix64, edits: Int = 5) -> Marker {
        let marker = Marker(position: LatLng(lat: random.number(-60...60), lng: random.number(-170...170)))
        for _ in 0..<edits {
            random.one(of: MarkerEdit.allCases).apply(to: marker, &random)
        }
        return marker
    }

    /// Another marker that is equal in everything.
    public func copy() -> Marker {
        let copy = Marker()
        copy.copyProperties(of: self)
        copy.position = position
        copy.id = id
        return copy
    }
}
