/// What happens where markers overlap. Hiding is one-sided: a flag says what a marker does to others that come after it, the
/// lower ones of the drawing order; the force flags protect a marker itself.
extension Marker {
    /// Whether base-map symbols that overlap its icon or caption are hidden. Default false.
    public var isHideCollidedSymbols: Bool {
        get { flags.contains(.hideCollidedSymbols) }
        set { set(.hideCollidedSymbols, newValue, .style) }
    }

    /// Whether lower markers that overlap its icon or caption are hidden: an icon with its caption, a caption on its own.
    /// Default false.
    public var isHideCollidedMarkers: Bool {
        get { flags.contains(.hideCollidedMarkers) }
        set { set(.hideCollidedMarkers, newValue, .style) }
    }

    /// Whether lower markers' captions that overlap its icon or caption are hidden. It adds nothing to
    /// `isHideCollidedMarkers`. Default false.
    public var isHideCollidedCaptions: Bool {
        get { flags.contains(.hideCollidedCaptions) }
        set { set(.hideCollidedCaptions, newValue, .style) }
    }

    /// Whether its icon shows whatever other markers hide. Default false.
    public var isForceShowIcon: Bool {
        get { flags.contains(.forceShowIcon) }
        set { set(.forceShowIcon, newValue, .style) }
    }

    /// Whether its caption shows whatever other markers hide, then at the first of `captionAligns`; it goes with its icon all
    /// the same. Default false.
    public var isForceShowCaption: Bool {
        get { flags.contains(.forceShowCaption) }
        set { set(.forceShowCaption, newValue, .style) }
    }
}
