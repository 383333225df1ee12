/// The numbers of expensive operations so far; tests check them.
package struct LayoutStatistics: Equatable, Sendable {
    /// Overlays read from their objects. An overlay read twice counts twice.
    package var refreshedOverlays = 0
    /// Full sorts of the points, and merges of a few moved points into the sorted order.
    package var orderSorts = 0
    package var orderMerges = 0
    package var orderRebuilds: Int { orderSorts + orderMerges }
    /// Rebuilds of the spatial index.
    package var indexBuilds = 0
    /// Reads of a shape's points, and simplifications of a line.
    package var shapeReads = 0
    package var simplifications = 0
    /// The points of shapes in memory.
    package var keptShapePoints = 0
    /// Meshes prepared for frames, and very large meshes cut.
    package var meshPreparations = 0
    package var meshCuts = 0
    /// Caption pieces made; they are rasterized when a frame shows them.
    package var madeCaptionPieces = 0
    /// Indexes of cluster layers built anew, and markers put into one, or taken out, by themselves.
    package var clusterBuilds = 0
    package var clusterEdits = 0
    /// How often the values of a cluster's markers were added up.
    package var clusterSums = 0
    /// How often values of points were read from the source of a cluster layer.
    package var clusterValueReads = 0
    /// Contents of views measured, and those whose pixels were made, which happens when they are first asked for.
    package var measuredContents = 0
    package var drawnContents = 0
}
