import { visibleText } from '@dragoman/client/visible-text'
import { useState } from 'react'

import css from './diff.css?inline'
import type { DiffLine } from './parse-diff.ts'
import type { Translate } from './texts.ts'

/** Lines of a longer diff are folded: so many are shown at first. */
const FOLD_LINES = 20
const MARKS = { added: '+', removed: '−', same: ' ' } as const

type DiffViewProps = {
  readonly path: string
  readonly lines: readonly DiffLine[]
  /** Whether the diff goes on. */
  readonly isCut: boolean
  readonly t: Translate
}

/** A unified diff with line numbers and colors. */
export function DiffView({ path, lines, isCut, t }: DiffViewProps) {
  const [isWhole, setIsWhole] = useState(lines.length <= FOLD_LINES * 1.5)
  const visible = isWhole ? lines : lines.slice(0, FOLD_LINES)
  return (
    <div className="coding-diff">
      <DiffStyle />
      <div className="coding-lines" role="region" aria-label={t('diff.label', { path })} tabIndex={0}>
        {visible.map((line, index) => (
          <Line key={index} line={line} t={t} />
        ))}
      </div>
      {lines.length > FOLD_LINES * 1.5 && (
        <button
          type="button"
          className="coding-fold"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? t('diff.less') : t('diff.all', { count: lines.length })}
        </button>
      )}
      {isCut && isWhole && <p className="coding-note">{t('diff.cut')}</p>}
    </div>
  )
}

function Line({ line, t }: { readonly line: DiffLine; readonly t: Translate }) {
  if (line.kind === 'skip') return <div className="coding-skip">{t('diff.skip', { count: line.count })}</div>
  return (
    <div className={`coding-line ${line.kind}`}>
      <span className="coding-number" aria-hidden>
        {line.after ?? line.before}
      </span>
      <span className="coding-mark">{MARKS[line.kind]}</span>
      <code>{visibleText(line.text)}</code>
    </div>
  )
}

type CountsProps = { readonly added: number; readonly removed: number; readonly t: Translate }

/** How many lines were added and removed. */
export function LineCounts({ added, removed, t }: CountsProps) {
  return (
    <span className="coding-counts">
      {added > 0 && (
        <span className="added" title={t('count.added', { count: added })}>
          +{added}
        </span>
      )}
      {removed > 0 && (
        <span className="removed" title={t('count.removed', { count: removed })}>
          −{removed}
        </span>
      )}
    </span>
  )
}

export function DiffStyle() {
  return (
    <style href="coding-diff" precedence="low">
      {css}
    </style>
  )
}
