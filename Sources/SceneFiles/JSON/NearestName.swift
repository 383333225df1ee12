/// The known name for which `name` is probably a typo: the nearest one within two edits, or within a third of its length. Among equally
/// near names, the one that shares the most letters is chosen (`lng` for `lon`, not `lat`), and then the first. Case is ignored. Names of
/// more than 64 letters are not compared, because that takes time in proportion to the product of their lengths.
package func nearestName(to name: String, among names: some Sequence<String>) -> String? {
    let longest = 64
    guard name.unicodeScalars.count <= longest else { return nil }
    let typed = Array(name.lowercased().unicodeScalars)
    var best: (name: String, distance: Int, shared: Int)?
    for candidate in names where candidate.unicodeScalars.count <= longest {
        let known = Array(candidate.lowercased().unicodeScalars)
        let limit = max(2, known.count / 3)
        // Two edits turn any two-letter word into any other.
        guard abs(known.count - typed.count) <= limit else { continue }
        let distance = editDistance(typed, known)
        guard distance <= limit, distance < min(typed.count, known.count) else { continue }
        let shared = typed.count { known.contains($0) }
        if let best, (best.distance, -best.shared) <= (distance, -shared) { continue }
        best = (candidate, distance, shared)
    }
    return best?.name
}

/// The optimal string alignment distance (restricted Damerau–Levenshtein): insertions, deletions, substitutions and transpositions.
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
        var current = [i + 1]
        for j in b.indices {
            var distance = min(previous[j] + (a[i] == b[j] ? 0 : 1), previous[j + 1] + 1, current[j] + 1)
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { distance = min(distance, beforePrevious[j - 1] + 1) }
            current.append(distance)
        }
        beforePrevious = previous
        previous = current
    }
    return previous[b.count]
}
