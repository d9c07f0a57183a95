import { normalForm } from 'dragoman/events'
import { isCjk, graphemesOf } from './split-at-break-opportunities.ts'

export type Weight = 'light' | 'regular' | 'medium' | 'bold'
export type Type = { readonly weight: Weight; readonly italic: boolean }

/** Of which font: one has the letters of Europe, the other the signs of Chinese and many marks. */
export type Script = 'western' | 'chinese'

/** Chinese signs never lean. */
export type Face = Type & { readonly script: Script }

/** Signs of one face. */
export type Piece = { readonly text: string; readonly face: Face }

/** Whether a font has a sign, in all of its weights and styles. */
export type InFont = (script: Script, codePoint: number) => boolean

/** What stands for a sign that no font has: the mark for it in Chinese print. */
const MISSING = '□'

/** Both fonts have them; among Chinese signs they are as wide as those. */
const SHARED = /[‘’“”—―…‥·]/
/**
 * The font has letters of India too, but draws them in another order than they are read: programs would not find the
 * words.
 */
const EUROPEAN = /^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Common}\p{sc=Inherited}]+$/u

/** No letter of any language bears more; to set thousands on one takes a font a minute. */
const MAX_MARKS = 16

type Settable = { readonly set: string; readonly script: Script }

/** Says how each sign of a text is set. What no font has is replaced, and noted. */
export type FontFaceSplitter = (text: string, type: Type) => readonly Piece[]

/** `replaced` is filled with the signs that no font has. */
export function createFontFaceSplitter(inFont: InFont, replaced: Set<string>): FontFaceSplitter {
  const scriptOf = (sign: string, preferred: Script): Script | undefined => {
    const codePoints = Array.from(sign, (one) => one.codePointAt(0) ?? 0)
    const has = (script: Script): boolean =>
      (script === 'chinese' || EUROPEAN.test(sign)) && codePoints.every((one) => inFont(script, one))
    if (codePoints.length > MAX_MARKS) return undefined
    const other = preferred === 'western' ? 'chinese' : 'western'
    return has(preferred) ? preferred : has(other) ? other : undefined
  }
  const found = (sign: string, preferred: Script): Settable => {
    const script = scriptOf(sign, preferred)
    if (script) return { set: sign, script }
    replaced.add(sign)
    const letter = normalForm(sign, 'NFKD').replaceAll(/\p{M}/gu, '')
    const fallback = letter === '' ? undefined : scriptOf(letter, preferred)
    return fallback ? { set: letter, script: fallback } : { set: MISSING, script: 'chinese' }
  }
  /** The same signs come again and again: each is looked for once. */
  const cache = new Map<string, Settable>()
  const settable = (sign: string, preferred: Script): Settable => {
    const key = preferred + sign
    const set = cache.get(key) ?? found(sign, preferred)
    cache.set(key, set)
    return set
  }
  return (text, { weight, italic }) => {
    const amongChinese = isCjk(text)
    const pieces: Piece[] = []
    for (const sign of graphemesOf(text.replaceAll('\u00A0', ' '))) {
      const last = pieces.at(-1)
      // A space goes with what is before it: no font changes for it.
      const wide =
        isCjk(sign) ||
        (amongChinese && SHARED.test(sign)) ||
        (sign === ' ' && last?.face.script === 'chinese')
      const { set, script } = settable(sign, wide ? 'chinese' : 'western')
      const face = { weight, script, italic: italic && script === 'western' }
      if (last && sameFace(last.face, face)) pieces[pieces.length - 1] = { face, text: last.text + set }
      else pieces.push({ face, text: set })
    }
    return pieces
  }
}

export function sameFace(one: Face, other: Face): boolean {
  return one.weight === other.weight && one.script === other.script && one.italic === other.italic
}
