import { useEffect, useLayoutEffect, useRef, useState } from 'react'

import { inTurn } from './in-turn.ts'

/** A longer one would hold the page up. */
const MAX_CHARACTERS = 5000
const MAX_EXPANSIONS = 1000
/** A macro of its own makes a short formula as large as it likes. */
const DEFINITION =
  /\\(?:[egx]?def|(?:new|renew|provide)command|DeclareMathOperator|(?:future)?let)(?![A-Za-z])/

const loadKatex = () =>
  Promise.all([import('katex'), import('katex/dist/katex.min.css')]).then(([{ default: katex }]) => katex)
type Katex = Awaited<ReturnType<typeof loadKatex>>

let loaded: Katex | undefined

type FormulaProps = {
  /** In TeX. */
  readonly value: string
  /** With the signs around it: it is shown until the formula is drawn, and where it cannot be. */
  readonly source: string
  readonly isDisplay: boolean
}

/** A formula, drawn by a library that is loaded with the first one. */
export function Formula({ value, source, isDisplay }: FormulaProps) {
  const [katex, setKatex] = useState(() => loaded)
  const [isDrawn, setDrawn] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (katex) return
    const load = async (): Promise<void> => {
      loaded = await loadKatex()
      // A function is a way to set it, so it is given in one.
      setKatex(() => loaded)
    }
    void load()
  }, [katex])
  useLayoutEffect(() => {
    if (!katex) return undefined
    return inTurn(() => {
      if (place.current) setDrawn(draw(katex, place.current, { value, isDisplay }))
    })
  }, [katex, value, isDisplay])
  return (
    <span dir="ltr" className="formula">
      <span ref={place} hidden={!isDrawn} />
      {!isDrawn && <code>{source}</code>}
    </span>
  )
}

type Facts = Pick<FormulaProps, 'value' | 'isDisplay'>

/** Draws a formula. Returns whether it could be drawn. */
function draw(katex: Katex, place: HTMLElement, { value, isDisplay }: Facts): boolean {
  if (value === '' || value.length > MAX_CHARACTERS || DEFINITION.test(value)) return false
  try {
    katex.render(value, place, { displayMode: isDisplay, strict: 'ignore', maxExpand: MAX_EXPANSIONS })
    return true
  } catch (error) {
    if (error instanceof katex.ParseError || error instanceof RangeError) return false
    throw error
  }
}
