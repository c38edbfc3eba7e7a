import Posix
import TestSupport
import Testing

/// What the fuzzers begin with, as ordinary tests; a law that is broken ends the run with its line.
struct CorpusTests {
  private struct Reader: CustomTestStringConvertible, Sendable {
    let folder: String
    let read: @Sendable ([UInt8]) -> Void
    var testDescription: String { folder }
  }

  private static let readers = [
    Reader(folder: "Forms", read: readForm), Reader(folder: "Heads", read: readHeads),
    Reader(folder: "Keys", read: decodeKeys), Reader(folder: "Pages", read: readPage),
    Reader(folder: "Pictures", read: decodePicture), Reader(folder: "Requests", read: readRequest),
  ]

  @Test(arguments: readers)
  private func `what the fuzzers begin with keeps their laws`(reader: Reader) throws {
    let folder = "Tests/Fixtures/" + reader.folder
    let names = Folder.names(in: folder).filter { Folder.isFile(folder + "/" + $0) }

    for name in names { reader.read(try FileContent(of: folder + "/" + name).bytes) }

    #expect(!names.isEmpty)
  }
}
