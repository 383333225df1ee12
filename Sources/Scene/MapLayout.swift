/// The layout of a map: places its overlays and caches results between pictures. A map holds its layout, so that both have the same
/// lifetime.
package protocol MapLayout: AnyObject {}
