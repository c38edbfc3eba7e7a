internal import MarketModel
internal import MarketStrings
internal import SafeTextKit

/// Markup of one product: a scrollable row of pictures, and its details.
struct ProductMarkup {
  private let product: ProductContent
  private let context: PageContext
  private var strings: Strings { context.strings }

  init(_ product: ProductContent, _ context: PageContext) {
    self.product = product
    self.context = context
  }

  var html: HTML {
    """
    <article class="product"\(ProductItem.scope(in: context))>
    \(ProductItem(product, context).html)\(pictures)<div class="about">
    <h1 dir="auto">\(product.name)</h1>
    <p>\(PriceMarkup(product.price).html)</p>
    <p class="facts">\(facts)</p>
    <p class="text" dir="auto">\(text)</p>
    \(rest)\(questions)</div>
    </article>
    \(others)
    """
  }

  // MARK: Pictures

  private var pictures: HTML {
    guard !product.pictures.isEmpty else {
      return "<div class=\"slides\"><p class=\"photo none\">\(strings[.noPicture])</p></div>\n"
    }
    let slides = product.pictures.indices.map(slide)
    return """
      <div class="slides" tabindex="0" role="group" aria-label="\(strings[.pagePhotos])">
      \(slides)</div>

      """
  }

  private func slide(_ index: Int) -> HTML {
    let (picture, count) = (product.pictures[index], product.pictures.count)
    let address = PageAddress(picture, .original, below: context.site.root)
    let words = strings(
      .pagePhoto, SafeText(index + 1), SafeText(count), product.name.truncated(toColumns: 60))
    let loading: HTML = index == 0 ? .empty : " loading=\"lazy\""
    return """
      <figure id="picture-\(index + 1)">\
      <a href="\(address)"><img class="photo" src="\(address)" alt="\(words)"\(loading)></a>\
      \(count > 1 ? caption(index, of: count) : .empty)</figure>

      """
  }

  /// Caption of a picture: a dot linked to each picture, and the number of this one.
  private func caption(_ index: Int, of count: Int) -> HTML {
    let dots: [HTML] = (0..<count).map { other in
      let name = strings(
        .pagePhoto, SafeText(other + 1), SafeText(count), product.name.truncated(toColumns: 20))
      return other == index
        ? "<a class=\"dot\" href=\"\(PageAddress.picture(other + 1))\" aria-current=\"true\" aria-label=\"\(name)\">●</a>"
        : "<a class=\"dot\" href=\"\(PageAddress.picture(other + 1))\" aria-label=\"\(name)\">○</a>"
    }
    return """
      <figcaption>\(dots)<span>\(index + 1)/\(count)</span>\
      \(turn("←", to: index - 1, .pagePreviousPhoto))\(turn("→", to: index + 1, .pageNextPhoto))\
      </figcaption>
      """
  }

  private func turn(_ arrow: HTML, to index: Int, _ phrase: Phrase) -> HTML {
    guard product.pictures.indices.contains(index) else { return .empty }
    let position = PageAddress.picture(index + 1)
    return "<a class=\"turn\" href=\"\(position)\" aria-label=\"\(strings[phrase])\">\(arrow)</a>"
  }

  // MARK: Words

  private var facts: HTML {
    let facts: [HTML] = product.facts.map { "\(HTML.isolated($0)) · " }
    let seller = PageAddress(.seller(product.sellerID, after: nil), below: context.site.root)
    let contact: HTML = product.contact.map { " · \(HTML.isolated($0))" } ?? .empty
    return """
      \(facts)\(TimeMarkup.html(product.created, product.age))\
      <br><a href="\(seller)">\(HTML.isolated(product.seller))</a>\(contact)
      """
  }

  /// Description with line ends between its lines, since safe text contains none.
  private var text: HTML {
    let lines: [HTML] = product.lines.enumerated().map { $0 == 0 ? "\($1)" : "\n\($1)" }
    return "\(lines)"
  }

  // MARK: Questions

  /// Questions with their answers; only `b` with the class `mark` is the seller's mark.
  private var questions: HTML {
    let questions: [HTML] = product.questions.map { question in
      let offer: HTML = question.offer.map { " · \($0)" } ?? .empty
      let answer: HTML =
        question.answer.map { answer in
          """
          <div class="answer"><p><b class="mark">\(strings[.columnSeller])</b> \
          \(TimeMarkup.html(answer.time, answer.age))</p>
          <p class="text" dir="auto">\(answer.text)</p></div>

          """
        } ?? .empty
      let asked = question.question
      return """
        <li><p class="facts">\(HTML.isolated(question.asker)) · \(TimeMarkup.html(asked.time, asked.age))\(offer)</p>
        <p class="text" dir="auto">\(asked.text)</p>
        \(answer)</li>

        """
    }
    let notes: [HTML] = product.questionNotes.map { "<p class=\"note\">\($0)</p>\n" }
    guard !questions.isEmpty || !notes.isEmpty else { return .empty }
    let list: HTML = questions.isEmpty ? .empty : "<ul>\n\(questions)</ul>\n"
    let title: HTML = product.questionsTitle.map { "<h2>\($0)</h2>" } ?? .empty
    return """
      <div class="questions">\(title)
      \(list)\(notes)</div>

      """
  }

  private var others: HTML {
    guard !product.others.isEmpty else { return .empty }
    let seller = PageAddress(.seller(product.sellerID, after: nil), below: context.site.root)
    return """
      <div class="others"><h2>\(strings[.otherProducts]) <a href="\(seller)">\(product.othersCount)</a></h2>
      \(CardMarkup.grid(product.others, early: 0, context))</div>

      """
  }

  private var rest: HTML {
    guard product.isCut else { return .empty }
    let address = PageAddress(dataOf: product.id, below: context.site.root)
    return "<p class=\"note\">\(strings[.pageTextGoesOn]) <a href=\"\(address)\">JSON</a></p>\n"
  }
}
