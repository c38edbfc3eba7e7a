/// Something that a key does to the text of any field.
package struct TextChange {
  private let body: (inout any TextEditing) -> Void

  package init(_ body: @escaping (inout any TextEditing) -> Void) {
    self.body = body
  }

  package func apply<Editor: TextEditing>(to editor: inout Editor) {
    var any: any TextEditing = editor
    body(&any)
    if let changed = any as? Editor { editor = changed }
  }
}
