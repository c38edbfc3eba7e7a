import MarketModel

/// Coding of questions as JSON, in both directions.
package enum QuestionCoding {
  /// Writes a page: `{"questions":[…],"next":"…"}`.
  static func write(_ page: QuestionPage) -> [UInt8] {
    var writer = JSONWriter(capacity: 64 + 256 * page.questions.count)
    writer.beginObject()
    writer.key("questions")
    writer.beginArray()
    for question in page.questions { write(question, to: &writer) }
    writer.endArray()
    if let next = page.next { writer.member("next", next.rawValue) }
    writer.endObject()
    return writer.bytes
  }

  package static func write(_ question: Question) -> [UInt8] {
    var writer = JSONWriter(capacity: 256)
    write(question, to: &writer)
    return writer.bytes
  }

  private static func write(_ question: Question, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", question.id.rawValue)
    writer.member("product_id", question.product.rawValue)
    writer.member("text", question.text)
    if let offer = question.offer {
      writer.member("offer", hundredths: offer.hundredths)
      writer.member("currency", offer.currency.rawValue)
    }
    writer.member("asker", question.asker ?? Seller.guest.name)
    writer.member("asked_at", WireDate.instant(question.asked))
    if let answer = question.answer {
      writer.member("answer", answer.text)
      writer.member("answered_at", WireDate.instant(answer.given))
    }
    if question.isOwn { writer.member("mine", true) }
    writer.endObject()
  }

  /// Reads a page; unreadable questions are skipped.
  ///
  /// - Throws: `.missing` where there is no list of questions.
  static func page(_ value: JSONValue) throws(ResponseDecodingError) -> QuestionPage {
    guard let list = value["questions"], list.isArray else { throw .missing("questions") }
    return QuestionPage(
      questions: list.elements.prefix(QuestionsRequest.sizes.upperBound)
        .compactMap(read),
      next: value["next"]?.text(upTo: .message).flatMap {
        $0.isEmpty ? nil : PageCursor(rawValue: $0)
      })
  }

  /// Reads a question; nil where it is unreadable.
  package static func read(_ value: JSONValue) -> Question? { try? question(value) }

  /// Reads a question.
  ///
  /// - Throws: `.missing` or `.unreadable` for its number, product, text or time.
  static func question(_ value: JSONValue) throws(ResponseDecodingError) -> Question {
    let answer = try value["answer"].map { text throws(ResponseDecodingError) in
      Question.Answer(
        text: text.text(upTo: QuestionRules.text) ?? "", given: try value.date(of: "answered_at"))
    }
    let currency = value["currency"]?.text(upTo: .currency).map(Currency.init) ?? .krw
    let asker = value["asker"]?.text(upTo: .sellerName)
    return Question(
      id: Question.ID(rawValue: try value.integer(of: "id")),
      product: Product.ID(rawValue: try value.integer(of: "product_id")),
      text: try value.name(of: "text", QuestionRules.text),
      offer: value["offer"]?.number?.hundredths.map { Money(hundredths: $0, currency: currency) },
      asker: asker == Seller.guest.name ? nil : asker, asked: try value.date(of: "asked_at"),
      answer: answer, isOwn: value["mine"]?.bool == true)
  }
}

/// Names of question fields in errors, by the product fields that stand for them.
struct QuestionFields: ErrorFields {
  func name(of field: ProductField) -> WireName? {
    [.description: WireName("text"), .price: WireName("offer")][field]
  }
}
