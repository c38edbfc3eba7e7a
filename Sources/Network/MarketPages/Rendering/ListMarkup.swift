internal import MarketAPI
internal import MarketModel
internal import MarketStrings
internal import SafeTextKit

/// Markup of a list: search, cards and links to further pages.
struct ListMarkup {
  private let list: ListContent
  private let context: PageContext
  private var strings: Strings { context.strings }

  init(_ list: ListContent, _ context: PageContext) {
    self.list = list
    self.context = context
  }

  var html: HTML {
    "\(list.seller.map(head) ?? search)\(notes)\(cards)\(pages)"
  }

  private func address(_ route: PageRoute) -> PageAddress {
    PageAddress(route, below: context.site.root)
  }

  // MARK: Above the products

  private func head(_ seller: ListContent.SellerHead) -> HTML {
    """
    <div class="seller"><h1 dir="auto">\(seller.name)</h1>
    <p dir="auto">\(seller.contact)</p></div>

    """
  }

  private var search: HTML {
    """
    <h1 class="unseen">\(strings[.pageProducts])</h1>
    <search><form class="search" action="\(address(.home))">
    <label class="unseen" for="q">\(strings[.search])</label>
    <input id="q" name="q" type="search" dir="auto" value="\(list.line)" maxlength="200" autocomplete="off" \
    placeholder="\(strings[.pageSearchHint])"><button>\(strings[.search])</button></form>
    <div class="choices">\(chips)\(choices(list.filters, strings[.pageFilters]))\
    \(choices(list.orders, strings[.pageOrder]))</div></search>

    """
  }

  private var chips: HTML {
    guard !list.chips.isEmpty else { return .empty }
    let chips: [HTML] = list.chips.map { chip in
      """
      <li><a class="chip" href="\(address(chip.route))" \
      aria-label="\(strings(.pageRemove, chip.text))">\(HTML.isolated(chip.text)) ×</a></li>
      """
    }
    return "<ul>\(chips)</ul>"
  }

  private func choices(_ choices: [ListContent.Choice], _ name: SafeText) -> HTML {
    let items: [HTML] = choices.map { choice in
      let state: HTML = choice.isTaken ? " aria-current=\"true\"" : .empty
      return "<li><a href=\"\(address(choice.route))\"\(state)>\(choice.name)</a></li>"
    }
    return "<ul aria-label=\"\(name)\">\(items)</ul>"
  }

  private var notes: HTML {
    let notes: [HTML] = list.notes.map { "<p class=\"note\" dir=\"auto\">\($0)</p>\n" }
    return "\(notes)"
  }

  // MARK: The products

  private var cards: HTML {
    guard !list.cards.isEmpty else {
      return "<p class=\"empty\">\(list.empty)\(other)\(backHint)</p>\n"
    }
    return CardMarkup.grid(list.cards, early: Self.earlyCards, context)
  }

  /// Link to the search in the keyboard's other mode.
  private var other: HTML {
    list.other.map { "<a href=\"\(address($0.route))\">\(HTML.isolated($0.text))</a>" } ?? .empty
  }

  /// Link to all products, shown below an empty search result; empty if there was no search.
  private var backHint: HTML {
    guard !list.line.isEmpty else { return .empty }
    return "<a href=\"\(address(.home))\">\(strings[.pageToMarket])</a>"
  }

  /// Number of cards that are visible at once; pictures of later ones are loaded lazily.
  private static let earlyCards = 6

  // MARK: Below them

  private var pages: HTML {
    let links = [
      list.first.map { (strings[.pageFirst], $0, "first" as HTML) },
      list.next.map { (strings[.pageNext], $0, "next" as HTML) },
    ].compactMap(\.self)
    guard !links.isEmpty else { return .empty }
    let items: [HTML] = links.map { name, route, relation in
      "<a rel=\"\(relation)\" href=\"\(address(route))\">\(name)</a> "
    }
    return "<nav class=\"pages\" aria-label=\"\(strings[.pageNext])\">\(items)</nav>"
  }
}

/// Markup of product cards.
struct CardMarkup {
  private let context: PageContext

  /// Grid of cards; the pictures of the first `count` are loaded at once.
  static func grid(_ cards: [PageCard], early count: Int, _ context: PageContext) -> HTML {
    let markup = CardMarkup(context: context)
    let cards = cards.enumerated().map { markup.card($1, isEarly: $0 < count) }
    return "<ul class=\"grid\">\n\(cards)</ul>\n"
  }

  private func card(_ card: PageCard, isEarly: Bool) -> HTML {
    let price = PriceMarkup(card.price, isAmongOthers: true).html
    let kind: HTML = card.price.isSold ? "card sold" : "card"
    return """
      <li><a class="\(kind)" href="\(PageAddress(.product(card.id), below: context.site.root))">\(picture(card, isEarly))\
      <span class="name" dir="auto">\(card.name)</span>\(price)\
      <span class="facts"><span dir="auto">\(card.facts(context.strings))</span>\(TimeMarkup.html(card.created, card.age))</span></a></li>

      """
  }

  private func picture(_ card: PageCard, _ isEarly: Bool) -> HTML {
    guard let thumbnail = card.thumbnail else {
      return "<span class=\"photo none\">\(context.strings[.noPicture])</span>"
    }
    let address = PageAddress(thumbnail, .thumbnail, below: context.site.root)
    let loading: HTML = isEarly ? .empty : " loading=\"lazy\""
    // The name beside the picture describes it.
    return "<img class=\"photo\" src=\"\(address)\" alt=\"\"\(loading)>"
  }
}

/// Markup of a price, followed by the struck-through old one.
struct PriceMarkup {
  private let price: PagePrice
  /// Whether the word for "reserved" replaces the percentage instead of preceding the price.
  private let isAmongOthers: Bool

  init(_ price: PagePrice, isAmongOthers: Bool = false) {
    self.price = price
    self.isAmongOthers = isAmongOthers
  }

  var html: HTML {
    guard !price.isSold else {
      return "<span class=\"price gone\">\(price.toPay)</span>"
    }
    let old: HTML = price.old.map { " <s>\($0)</s>" } ?? .empty
    let percent: HTML = price.percent.map { " <em>\($0)</em>" } ?? .empty
    guard let word = price.reserved else {
      return "<span class=\"price\"><b>\(price.toPay)</b>\(old)\(percent)</span>"
    }
    let reserved: HTML = "<em class=\"reserved\">\(word)</em>"
    return isAmongOthers
      ? "<span class=\"price\"><b>\(price.toPay)</b>\(old) \(reserved)</span>"
      : "<span class=\"price\">\(reserved) <b>\(price.toPay)</b>\(old)\(percent)</span>"
  }
}

/// Markup of a time: words for people, the timestamp for machines.
enum TimeMarkup {
  static func html(_ instant: Timestamp, _ words: SafeText) -> HTML {
    "<time datetime=\"\(SafeText(WireDate.instant(instant)))\">\(words)</time>"
  }
}
