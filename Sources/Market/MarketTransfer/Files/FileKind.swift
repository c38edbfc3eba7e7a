import MarketStrings

/// Kind of a file that is no table, by its first bytes.
package enum FileKind: Hashable, Sendable {
  /// Workbook of Excel since 2007.
  case workbook
  /// Workbook of Excel up to 2003.
  case oldWorkbook
  /// Spreadsheet of LibreOffice.
  case openDocument
  case zip
  case gzip
  case pdf
  /// Table of a web page, which some shops save as `.xls`, or of XML.
  case markup

  /// Nil for what may be a table.
  init?(sniffing bytes: [UInt8]) {
    if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      let start = String(decoding: bytes.prefix(4_096), as: UTF8.self)
      self =
        if start.contains("opendocument.spreadsheet") {
          .openDocument
        } else if start.contains("[Content_Types].xml") || start.contains("xl/") { .workbook } else
        { .zip }
    } else if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
      self = .oldWorkbook
    } else if bytes.starts(with: [0x1F, 0x8B]) {
      self = .gzip
    } else if bytes.starts(with: Array("%PDF-".utf8)) {
      self = .pdf
    } else {
      let start = String(decoding: bytes.prefix(200), as: UTF8.self).lowercased()
      let text = start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
      guard
        ["<html", "<!doctype", "<table", "<?xml", "<meta", "<head"].contains(where: text.hasPrefix)
      else { return nil }
      self = .markup
    }
  }

  var phrase: Phrase {
    switch self {
    case .workbook: .fileKindWorkbook
    case .oldWorkbook: .fileKindOldWorkbook
    case .openDocument: .fileKindOpenDocument
    case .zip: .fileKindZip
    case .gzip: .fileKindGzip
    case .pdf: .fileKindPDF
    case .markup: .fileKindMarkup
    }
  }
}
