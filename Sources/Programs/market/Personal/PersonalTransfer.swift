import MarketAPI
import MarketTransfer
import PersonalStore
import TextCoding

/// Error of exporting or importing personal data.
nonisolated enum PersonalTransferError: Error, Hashable {
  case file(TransferError)
  /// The file was not written by the export.
  case notPersonal
  case badLine(Int)
  /// The last line, which holds the number of rows, is missing.
  case cutShort
  case archive(PersonalArchive.Failure)
}

/// Transfer of the personal data as lines of JSON: format and version, one line for each row with its
/// table and columns, and at last the number of rows.
///
/// Texts are strings; bytes are objects with Base64.
nonisolated struct PersonalTransfer {
  private static let format = "openmarket-personal"
  private let archive: PersonalArchive

  init(_ archive: PersonalArchive) {
    self.archive = archive
  }

  // MARK: Writing

  /// Exports everything to a new file that only its owner can read; returns the number of rows.
  /// - Throws: `.file` if it exists (unless `replacing`) or cannot be written, `.archive` if the
  ///   personal file cannot be read.
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

  /// Merges the rows of a file, all or none; returns how many there were, and how many did not fit.
  /// - Throws: `.file` if it cannot be read, `.notPersonal`, `.badLine` with its number, `.cutShort`,
  ///   `.archive` for a newer version or if the personal file cannot be written.
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
