import MarketAPI
import MarketTransfer
import PersonalStore
import TextCoding

/// Failure to carry what a person keeps.
nonisolated enum PersonalTransferError: Error, Hashable {
  case file(TransferError)
  /// The file is not one that the export has written.
  case notPersonal
  case badLine(Int)
  /// Its last line is missing, which says how many there are.
  case cutShort
  case archive(PersonalArchive.Failure)
}

/// Transfer of what a person keeps as lines of JSON: what the file is and by which version, a line for
/// each row with the table's name and its columns, and at last how many rows there are.
///
/// A text is a string; bytes are an object with them in Base64.
nonisolated struct PersonalTransfer {
  private static let format = "openmarket-personal"
  private let archive: PersonalArchive

  init(_ archive: PersonalArchive) {
    self.archive = archive
  }

  // MARK: Writing

  /// Writes everything to a new file that its owner alone reads; how many rows there were.
  func export(to path: String, replacing: Bool) throws(PersonalTransferError) -> Int {
    let file: NewFile
    do throws(TransferError) {
      file = try NewFile(path: path, replaces: replacing)
    } catch {
      throw .file(error)
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("format", Self.format)
    writer.member("version", Int64(PersonalArchive.version))
    writer.endObject()
    try write(writer, to: file)
    let count = try writeRows(to: file)
    writer = JSONWriter()
    writer.beginObject()
    writer.member("rows", Int64(count))
    writer.endObject()
    try write(writer, to: file)
    do throws(TransferError) { try file.publish() } catch { throw .file(error) }
    return count
  }

  private func writeRows(to file: NewFile) throws(PersonalTransferError) -> Int {
    var count = 0
    var failure: PersonalTransferError?
    do throws(PersonalArchive.Failure) {
      try archive.readAll { row in
        do throws(PersonalTransferError) {
          try write(row.json, to: file)
          count += 1
        } catch {
          failure = error
        }
        return failure == nil
      }
    } catch {
      throw .archive(error)
    }
    if let failure { throw failure }
    return count
  }

  private func write(_ line: JSONWriter, to file: NewFile) throws(PersonalTransferError) {
    do throws(TransferError) {
      try file.write(line.bytes + [UInt8(ascii: "\n")])
    } catch {
      throw .file(error)
    }
  }

  // MARK: Reading

  /// Merges the rows of a file, all or none; how many there were, and for how many there was no room.
  func importRows(
    from path: String
  ) throws(PersonalTransferError) -> (read: Int, leftOut: Int) {
    var lines: LineReader
    do throws(TransferError) { lines = LineReader(try InputFile(path: path)) } catch {
      throw .file(error)
    }
    guard let first = try next(&lines)?.value, first["format"]?.string == Self.format,
      let version = first["version"]?.number?.integer, version > 0
    else { throw .notPersonal }
    guard version <= PersonalArchive.version else { throw .archive(.newer) }
    var failure: PersonalTransferError?
    do throws(PersonalArchive.Failure) {
      var count: Int64 = 0
      return try archive.merge(version: Int(version)) { () throws(PersonalArchive.Failure) in
        do throws(PersonalTransferError) {
          guard let line = try next(&lines) else { throw .cutShort }
          if let rows = line.value["rows"]?.number?.integer {
            guard rows == count, try next(&lines) == nil else { throw .badLine(line.number) }
            return nil
          }
          count += 1
          guard let row = PersonalRow(line.value) else { throw .badLine(line.number) }
          return row
        } catch {
          failure = error
          throw .badRow(Int(count))
        }
      }
    } catch {
      throw failure ?? .archive(error)
    }
  }

  private func next(
    _ lines: inout LineReader
  ) throws(PersonalTransferError) -> (number: Int, value: JSONValue)? {
    let line: LineReader.Line?
    do throws(TransferError) { line = try lines.next() } catch { throw .file(error) }
    guard let line else { return nil }
    guard !line.isTooLong, let document = try? JSONDocument(parsing: line.bytes, maximumDepth: 8)
    else { throw line.number == 1 ? .notPersonal : .badLine(line.number) }
    return (line.number, document.root)
  }
}

nonisolated extension PersonalRow {
  fileprivate init?(_ line: JSONValue) {
    guard let table = line["table"]?.string, let row = line["row"], row.isObject else { return nil }
    var columns: [(name: String, value: Value)] = []
    for member in row.members {
      guard let value = Value(member.value) else { return nil }
      columns.append((member.key, value))
    }
    self.init(table: table, columns: columns)
  }

  fileprivate var json: JSONWriter {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("table", table)
    writer.key("row")
    writer.beginObject()
    for column in columns {
      writer.raw(JSONDocument.string(column.name) + [UInt8(ascii: ":")] + column.value.json)
    }
    writer.endObject()
    writer.endObject()
    return writer
  }
}

nonisolated extension PersonalRow.Value {
  fileprivate init?(_ value: JSONValue) {
    if value.isNull {
      self = .null
    } else if let text = value.string {
      self = .text(text)
    } else if let number = value.number?.integer {
      self = .integer(number)
    } else if let bytes = value["base64"]?.string.flatMap(Base64.decode) {
      self = .bytes(bytes)
    } else {
      return nil
    }
  }

  fileprivate var json: [UInt8] {
    switch self {
    case .null: Array("null".utf8)
    case .integer(let number): Array(String(number).utf8)
    case .text(let text): JSONDocument.string(text)
    case .bytes(let bytes):
      Array("{\"base64\":\"".utf8) + Base64.encode(bytes) + Array("\"}".utf8)
    }
  }
}
