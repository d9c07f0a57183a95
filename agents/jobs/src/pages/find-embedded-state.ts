import { parseJson, type Json } from 'dragoman/events'
import { MAX_PAGE_CHARACTERS } from '@dragoman/agent-kit/pages/page-markup'

/** A page names its data here and there; only where it is given is it read. */
const MAX_TRIES = 20
const ASSIGNMENT = /^(?:["']?\]?\s*=\s*|["'][^<>{}]{0,200}>\s*)$/

/** The JSON that a page's scripts start from: `window.<name> = {…}` or `<script id="<name>">{…}`. */
export function findEmbeddedState(html: string, name: string): Json | undefined {
  let at = html.indexOf(name)
  let budget = MAX_PAGE_CHARACTERS
  for (let tries = 0; at >= 0 && tries < MAX_TRIES; tries += 1) {
    const from = at + name.length
    const open = html.slice(from, from + 300).indexOf('{')
    if (open >= 0 && ASSIGNMENT.test(html.slice(from, from + open))) {
      const object = objectAt(html.slice(from + open, from + open + budget))
      const state = parseJson(object.text)
      budget -= object.read
      if (state !== undefined) return state
    }
    at = html.indexOf(name, from)
  }
  return undefined
}

/** Up to the brace that closes the first one; braces in strings close nothing. */
function objectAt(text: string): { readonly text: string; readonly read: number } {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (inString && character === '\\') at += 1
    else if (character === '"') inString = !inString
    else if (!inString && character === '{') depth += 1
    else if (!inString && character === '}') depth -= 1
    if (depth === 0) return { text: text.slice(0, at + 1), read: at + 1 }
  }
  return { text: '', read: text.length }
}
