// Returns sentences about foreign text that became markup on a page, and about content that overflows.
// Takes the names of the elements and attributes that pages are made of.
([elements, attributes]) => {
  const found = new Set()
  const all = [...document.querySelectorAll('*')]
  const values = all.flatMap(element => [...element.attributes].map(attribute => attribute.value))

  for (const element of all) {
    if (!elements.includes(element.localName)) found.add(`an element ${element.localName}`)
    for (const {name, value} of element.attributes) {
      if (!attributes.includes(name)) found.add(`an attribute ${name}`)
      if (!['href', 'src', 'action'].includes(name)) continue
      const {origin} = new URL(value, location)
      if (![location.origin, 'https://schema.org'].includes(origin)) found.add(`a link to ${value}`)
    }
  }

  // Controls but line ends, and marks that turn text around.
  const bad = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
  for (const [character] of (document.documentElement.textContent + values.join('')).matchAll(bad))
    found.add(`a character U+${character.codePointAt(0).toString(16)}`)

  for (const picture of document.images)
    if (picture.complete && !picture.naturalWidth) found.add(`a broken picture ${picture.src}`)
  const width = document.scrollingElement.scrollWidth
  if (width > innerWidth) found.add(`a width of ${width} where there is ${innerWidth}`)

  if (window.stranger !== undefined) found.add('a script that ran')
  return [...found]
}
