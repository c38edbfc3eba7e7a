extension SafeText {
  /// What one cell, or a pair of cells, shows: a character and the marks on it.
  package struct Cluster: Hashable, Sendable {
    package let string: Character

    /// 1 or 2.
    package let columns: Int
  }

  /// The clusters of a text from left to right.
  package struct Clusters: Sequence, IteratorProtocol {
    private var scalars: String.UnicodeScalarView.Iterator
    private var base: Unicode.Scalar?

    fileprivate init(_ string: String) {
      scalars = string.unicodeScalars.makeIterator()
      base = scalars.next()
    }

    package mutating func next() -> Cluster? {
      guard let base else { return nil }
      let columns = cellWidth(of: base)
      self.base = scalars.next()
      guard let mark = self.base, cellWidth(of: mark) == 0 else {
        return Cluster(string: Character(base), columns: columns)
      }
      return Cluster(string: collectMarks(on: base), columns: columns)
    }

    private mutating func collectMarks(on first: Unicode.Scalar) -> Character {
      var cluster = String(Character(first))
      while let mark = base, cellWidth(of: mark) == 0 {
        cluster.unicodeScalars.append(mark)
        base = scalars.next()
      }
      return Character(cluster)
    }
  }

  package init(_ cluster: Cluster) {
    self.init(safe: String(cluster.string), columns: cluster.columns)
  }

  package var clusters: Clusters { Clusters(string) }
}
