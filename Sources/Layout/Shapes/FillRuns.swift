import WaymarkRaster

/// Finds the runs of fills in a picture: areas of one rank that follow one another, with nothing but outlines of areas between.
struct FillRuns {
    /// The number of the run that is open, or of the last one.
    private var number: Int32 = 0
    private var rank: Int32?
    /// The first path that the open run may have.
    private var firstPath = 0

    /// The run of an area of a rank, whose paths come next.
    mutating func run(_ rank: Int32, _ paths: inout [Path]) -> Int32 {
        if self.rank != rank {
            end(&paths)
            self.rank = rank
            number += 1
            firstPath = paths.count
        }
        return number
    }

    /// Ends the open run, if there is one. A single fill is no run.
    /// - Parameter end: The first path that does not belong to it; nil when all do.
    mutating func end(_ paths: inout [Path], before end: Int? = nil) {
        guard rank != nil else { return }
        rank = nil
        let own = firstPath..<(end ?? paths.count)
        guard paths[own].lazy.filter({ $0.layering != .over }).prefix(2).count < 2 else { return }
        for index in own { (paths[index].layering, paths[index].run) = (.over, 0) }
        number -= 1
    }
}
