/// What happens where markers overlap. Hiding is one-sided: the hide flags make a marker hide others that are lower in drawing
/// order; the force flags keep the marker itself from being hidden.
extension Marker {
    /// Whether base-map symbols that overlap its icon or caption are hidden. Default false.
    public var isHideCollidedSymbols: Bool {
        get { flags.contains(.hideCollidedSymbols) }
        set { set(.hideCollidedSymbols, newValue, .style) }
    }

    /// Whether lower markers that overlap its icon or caption are hidden: an icon together with its caption, a caption alone.
    /// Default false.
    public var isHideCollidedMarkers: Bool {
        get { flags.contains(.hideCollidedMarkers) }
        set { set(.hideCollidedMarkers, newValue, .style) }
    }

    /// Whether captions of lower markers that overlap its icon or caption are hidden. It has no effect in addition to
    /// `isHideCollidedMarkers`. Default false.
    public var isHideCollidedCaptions: Bool {
        get { flags.contains(.hideCollidedCaptions) }
        set { set(.hideCollidedCaptions, newValue, .style) }
    }

    /// Whether its icon shows even where other markers would hide it. Default false.
    public var isForceShowIcon: Bool {
        get { flags.contains(.forceShowIcon) }
        set { set(.forceShowIcon, newValue, .style) }
    }

    /// Whether its caption shows even where other markers would hide it, at the first of `captionAligns`; it is still hidden together
    /// with its icon. Default false.
    public var isForceShowCaption: Bool {
        get { flags.contains(.forceShowCaption) }
        set { set(.forceShowCaption, newValue, .style) }
    }
}
