import Synchronization
import WaymarkGeo
import WaymarkImaging
import WaymarkText

/// The placement of a caption: a side or corner of the icon's bounding box, or its center. The box encloses the icon as drawn.
public enum AlignType: String, Sendable, CaseIterable {
    /// The caption is centered on the icon.
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

/// The caption texts of a marker, and their style. The object is immutable so that layouts can share it. Most markers have no captions.
package final class Caption: Sendable {
    package let text: String
    package let subText: String
    /// The style. All markers made from one template share it; a marker that changes it gets its own style.
    package let style: CaptionStyle

    init(text: String, subText: String, style: CaptionStyle) {
        (self.text, self.subText, self.style) = (text, subText, style)
    }
}

/// The style and placement of captions. The object is immutable so that thousands of markers can share it.
package final class CaptionStyle: Sendable {
    package let values: Values
    private let validity = Atomic(Validity.unknown)

    static let `default` = CaptionStyle(Values())

    init(_ values: Values) {
        self.values = values
    }

    private enum Validity: UInt8, AtomicRepresentable {
        case unknown, valid, invalid
    }

    /// Whether all values are in range. The check runs once for all markers that share this style.
    func isValid(_ check: () -> Bool) -> Bool {
        switch validity.load(ordering: .relaxed) {
        case .valid: return true
        case .invalid: return false
        case .unknown:
            let isValid = check()
            validity.store(isValid ? .valid : .invalid, ordering: .relaxed)
            return isValid
        }
    }

    package struct Values: Hashable, Sendable {
        package var main = TextStyle()
        package var sub = TextStyle()
        package var offset = 0.0
        package var haloWidth = 1.0
        package var haloBlur = 0.0
        package var letterSpacing = 0.0
        package var padding = 2.0
        package var aligns = [AlignType.bottom]
        package var weight = FontWeight.regular
        package var family: String?
        package var isPerspective = false
        package var isRequired = false
    }

    /// The properties that the caption and the sub-caption each have separately.
    package struct TextStyle: Hashable, Sendable {
        /// The text's color. Nil: the theme's color, or black without a theme.
        package var color: Color?
        /// The outline's color. Nil: the theme's color, or white without a theme.
        package var haloColor: Color?
        package var textSize = 12.0
        package var requestedWidth = 0.0
        package var minZoom = Camera.zoomRange.lowerBound
        package var maxZoom = Camera.zoomRange.upperBound

        package init() {}
    }
}
