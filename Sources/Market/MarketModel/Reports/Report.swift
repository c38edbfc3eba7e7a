/// Report of a product or a question by a buyer, which only operators see.
package struct Report: Hashable, Sendable, Identifiable {
  /// Number of a report: ascending, never reused.
  package struct ID: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
  }

  package enum Subject: Hashable, Sendable {
    case product(Product.ID)
    case question(Question.ID)
  }

  /// Reason of a report; raw values are those of the API, the commands and the stores.
  package enum Reason: String, CaseIterable, Hashable, Sendable {
    case forbidden, fraud
    case wrongCategory = "wrong-category"
    case offensive, duplicate, other
  }

  package var id: ID
  package var subject: Subject
  package var reason: Reason
  /// At most 200 characters; foreign text.
  package var text: String
  /// Name of the product, or text of the question; foreign text.
  package var content: String
  /// Seller of the product, or asker of the question.
  package var author: Seller.ID
  /// Reporter; that of *guest* for one without an identifier.
  package var reporter: Seller.ID
  package var reported: Timestamp

  package init(
    id: ID, subject: Subject, reason: Reason, text: String, content: String, author: Seller.ID,
    reporter: Seller.ID, reported: Timestamp
  ) {
    self.id = id
    self.subject = subject
    self.reason = reason
    self.text = text
    self.content = content
    self.author = author
    self.reporter = reporter
    self.reported = reported
  }

  /// Characters of the text of a report; others are refused with `.invalid`.
  package static let textLimit = TextLimit(0...200)
  /// Maximum reports that a server accepts from one address in an hour.
  package static let sentInHour = 5
}

/// Report to send.
package struct NewReport: Hashable, Sendable {
  package var subject: Report.Subject
  package var reason: Report.Reason
  package var text: String
  /// Network of a reporter without an identifier, which a server fills in.
  package var network = ""

  package init(_ subject: Report.Subject, _ reason: Report.Reason, text: String = "") {
    self.subject = subject
    self.reason = reason
    self.text = String(Substring(text).trimmed)
  }

  /// What is invalid, the text as the description.
  package var problems: [FieldError] {
    Report.textLimit.problem(of: text).map { [FieldError(.description, $0)] } ?? []
  }
}

/// The port to a market's reports; `RepositoryCapabilities.hasReports` says whether it takes any.
package protocol ReportRepository: Sendable {
  /// Reports a product or a question to the operators.
  ///
  /// - Throws: `.invalid` naming `.description`; `.questionRefused(.alreadyReported)` where the author has
  ///   reported the same; `.notFound`; `.blocked`; `.unsupported` where the market takes no reports.
  func report(_ report: NewReport, by author: Author) async throws(RepositoryError)
}

extension ReportRepository {
  package func report(_ report: NewReport, by author: Author) async throws(RepositoryError) {
    throw .unsupported
  }
}
