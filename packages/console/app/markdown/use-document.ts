import { useEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { Extension } from 'micromark-util-types'

import { growDocument, type Document } from './document.ts'

/** CommonMark does not see emphasis next to Chinese punctuation. */
const CJK = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u

let loaded: Extension | undefined

/** The tree of a text. One that is long is read in pieces, so that it never holds the page up. */
export function useDocument(text: string, isOpen: boolean): Document {
  const syntax = useCjkSyntax(text)
  const [turn, takeTurn] = useReducer((count: number) => count + 1, 0)
  const earlier = useRef<Document>(undefined)
  const document = useMemo(
    () => growDocument(earlier.current, { text, syntax, isOpen }),
    [text, syntax, isOpen, turn],
  )
  useEffect(() => {
    earlier.current = document
    if (document.isWhole) return undefined
    const timer = setTimeout(takeTurn)
    return () => clearTimeout(timer)
  }, [document])
  return document
}

/** What a text in Chinese or Japanese needs besides, once it is loaded. */
function useCjkSyntax(text: string): Extension | undefined {
  const [syntax, setSyntax] = useState(() => loaded)
  const isNeeded = useMemo(() => CJK.test(text), [text])
  useEffect(() => {
    if (!isNeeded || syntax) return
    const load = async (): Promise<void> => {
      const { cjkFriendlyExtension } = await import('micromark-extension-cjk-friendly')
      loaded ??= cjkFriendlyExtension()
      setSyntax(loaded)
    }
    void load()
  }, [isNeeded, syntax])
  return isNeeded ? syntax : undefined
}
