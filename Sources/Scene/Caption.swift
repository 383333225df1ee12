import WaymarkGeo
import WaymarkImaging
import WaymarkText

/// Where a caption stands: beside its icon as drawn, touching the named side or corner of the box around it.
public enum AlignType: String, Sendable, CaseIterable {
    /// On the icon's middle.
    case center
    case left
    case right
    case top
    case bottom
    case topLeft
    case topRight
    case bottomRight
    case bottomLeft
}

/// The texts of a marker: most markers have none.
package final class Caption {
    package internal(set) var text = ""
    package internal(set) var subText = ""
    /// Shared by markers made from one template, until one of them changes it.
    package internal(set) var style = CaptionStyle.default

    init() {}

    init(_ other: Caption) {
        text = other.text
        subText = other.subText
        style = other.style
    }

    func changeStyle(_ edit: (inout CaptionStyle.Values) -> Void) {
        var values = style.values
        edit(&values)
        style = CaptionStyle(values)
    }
}

/// How captions look and where they stand: never changed, so that thousands of markers may share one.
package final class CaptionStyle: Sendable {
    package let values: Values

    fileprivate static let `default` = CaptionStyle(Values())

    fileprivate init(_ values: Values) {
        self.values = values
    }

    package struct Values: Hashable, Sendable {
        package var main = Part()
        package var sub = Part()
        package var offset = 0.0
        package var aligns = [AlignType.bottom]
        package var weight = FontWeight.regular
        package var family: String?
        package var isPerspective = false
    }

    /// What the caption and the sub caption have each.
    package struct Part: Hashable, Sendable {
        package var color = Color.black
        package var haloColor = Color.white
        package var textSize = 12.0
        package var requestedWidth = 0.0
        package var minZoom = Camera.zoomRange.lowerBound
        package var maxZoom = Camera.zoomRange.upperBound

        package init() {}
    }
}

extension CaptionStyle.Values {
    /// The first number that is out of range.
    func validate() throws(PropertyError) {
        try main.validate("caption")
        try sub.validate("subCaption")
        try PropertyError.check(offset, in: Marker.offsetRange, "captionOffset")
        guard !aligns.isEmpty else { throw PropertyError(path: "captionAligns", problem: "names no side to stand at") }
        guard aligns.count <= AlignType.allCases.count else {
            throw PropertyError(path: "captionAligns", problem: "names \(aligns.count) sides, and there are \(AlignType.allCases.count)")
        }
    }
}

extension CaptionStyle.Part {
    fileprivate func validate(_ name: String) throws(PropertyError) {
        try PropertyError.check(textSize, in: Marker.textSizeRange, "\(name)TextSize")
        try PropertyError.check(requestedWidth, in: Marker.sizeRange, "\(name)RequestedWidth")
        try PropertyError.check(minZoom, in: Camera.zoomRange, "\(name)MinZoom")
        try PropertyError.check(maxZoom, in: Camera.zoomRange, "\(name)MaxZoom")
        guard color.isValid else { throw PropertyError(path: "\(name)Color", problem: "a channel is outside 0…1") }
        guard haloColor.isValid else { throw PropertyError(path: "\(name)HaloColor", problem: "a channel is outside 0…1") }
    }
}
