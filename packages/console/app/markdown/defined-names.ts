import type { Extension, Tokenizer } from 'micromark-util-types'
import { normalizeIdentifier } from 'micromark-util-normalize-identifier'

/** For one parse: makes the parser take names as defined: what they name may be in another part of the text. */
export function definedNames(names: DefinedNames): Extension {
  let isAdded = false
  const tokenize: Tokenizer = function (_effects, _ok, nok) {
    const parser = this.parser as { defined: string[]; gfmFootnotes?: string[] }
    if (!isAdded) {
      parser.defined.push(...names.links)
      parser.gfmFootnotes = [...(parser.gfmFootnotes ?? []), ...names.notes]
    }
    isAdded = true
    return nok
  }
  return { document: { null: { name: 'definedNames', tokenize } } }
}

/** In the form in which the parser compares them. */
export type DefinedNames = { readonly links: ReadonlySet<string>; readonly notes: ReadonlySet<string> }

/**
 * The start of a definition, up to its colon: spaces and the signs of lists and quotations, then a label of up to 999
 * characters, where an escaped one counts once. No part can match in two ways, so that a search is linear.
 */
const DEFINITION = /^[ \t>*+\-\d.)]{0,99}\[((?:[^[\]\\\r\n]|\\.){1,999})\]:/gm
const MAX_DEFINITION_START = 99 + 2 * 999 + '[]:'.length

type ReadText = { readonly text: string; readonly names: DefinedNames }

/**
 * The names that a text defines, for links and for footnotes. Some may turn out to be part of a code block. Where the
 * text goes on from an earlier one, only the new part is read, and the same names are returned if it defines none.
 */
export function namesIn(text: string, earlier?: ReadText): DefinedNames {
  const before = earlier && text.startsWith(earlier.text) ? earlier : undefined
  const links = new Set<string>()
  const notes = new Set<string>()
  // A definition may have begun at the end of the earlier text.
  DEFINITION.lastIndex = Math.max(0, (before?.text.length ?? 0) - MAX_DEFINITION_START)
  for (let match = DEFINITION.exec(text); match; match = DEFINITION.exec(text)) {
    const name = normalizeIdentifier(match[1] ?? '')
    if (name.startsWith('^')) notes.add(name.slice(1))
    else links.add(name)
  }
  if (!before) return { links, notes }
  const all = {
    links: new Set([...before.names.links, ...links]),
    notes: new Set([...before.names.notes, ...notes]),
  }
  const isNew = all.links.size > before.names.links.size || all.notes.size > before.names.notes.size
  return isNew ? all : before.names
}
