import { useState } from 'react'

import type { Difference } from '../../src/tailoring/difference-shape.ts'
import { usePage } from '../page-context.ts'

/** The lines around a change that are shown. */
const CONTEXT_LINES = 2

const SIGNS = { same: ' ', added: '+', removed: '−' } as const

type Line = Difference['lines'][number]

/** How one text becomes another, by lines, and in a changed line by words. Unchanged lines can be unfolded. */
export function DifferenceView({
  difference: { added, removed, lines, omitted = 0 },
}: {
  readonly difference: Difference
}) {
  const { t } = usePage()
  const [isWhole, setWhole] = useState(false)
  const near = lines.map((_line, index) =>
    lines
      .slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1)
      .some(({ op }) => op !== 'same'),
  )
  return (
    <>
      <p className="quiet">
        {t('difference.count', { added, removed })}{' '}
        <button type="button" className="jobs-link" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('difference.fold') : t('difference.unfold')}
        </button>
      </p>
      <div className="jobs-difference">
        {lines.map((line, index) => {
          if (isWhole || near[index] === true) return <DifferenceLine key={index} line={line} />
          const isFirstHidden = index === 0 || near[index - 1] === true
          return isFirstHidden ? <div key={index} className="jobs-difference-gap" aria-hidden /> : null
        })}
      </div>
      {omitted > 0 && <p className="quiet">{t('difference.more', { count: omitted })}</p>}
    </>
  )
}

function DifferenceLine({ line: { op, text, words } }: { readonly line: Line }) {
  const { t } = usePage()
  return (
    <div data-op={op}>
      <span className="jobs-difference-sign" aria-hidden>
        {SIGNS[op]}
      </span>
      <span>
        {op !== 'same' && <span className="visually-hidden">{t(`difference.${op}`)}</span>}
        {words
          ? words.map((word, index) =>
              word.op === 'same' ? word.text : <mark key={index}>{word.text}</mark>,
            )
          : text}
      </span>
    </div>
  )
}
