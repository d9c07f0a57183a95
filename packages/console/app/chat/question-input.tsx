import { visibleJson, visibleText } from '@dragoman/client/visible-text'
import { useContext, useEffect, useId, useLayoutEffect, useRef } from 'react'

import type { Json, Preview } from '../api/types.ts'
import { formatNumber } from '../i18n/format.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { CallPreview } from './call-preview.tsx'
import { QuestionOpenContext } from './follow-end.ts'
import { useLinesInView } from './use-lines-in-view.ts'
import './question-input.css'

type QuestionInputProps = {
  readonly input: Json
  readonly preview?: Preview | undefined
  readonly onSeen: () => void
}

/**
 * All that an answer approves: nothing is cut, hidden or reordered. The preview of its tool
 * comes first. `onSeen` is called once each line has been in view; until then a mark that stays in view says how many
 * have not.
 */
export function QuestionInput({ input, preview, onSeen }: QuestionInputProps) {
  const { t } = useTranslate()
  const section = useRef<HTMLElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const open = useContext(QuestionOpenContext)
  useLayoutEffect(() => {
    if (section.current) open(section.current)
  }, [open])
  const { linesLeft, isLong, showNext } = useLinesInView(text)
  useEffect(() => {
    if (linesLeft === 0) onSeen()
  }, [linesLeft, onSeen])
  const markId = useId()
  const showLines = (): void => {
    showNext()
    // From here on the keys that scroll go on.
    section.current?.focus({ preventScroll: true })
  }
  const fields =
    typeof input === 'object' && input !== null && !Array.isArray(input) ? Object.entries(input) : []
  return (
    <section
      ref={section}
      className="question-input"
      aria-label={t('question.input')}
      aria-describedby={isLong ? markId : undefined}
      tabIndex={isLong ? 0 : undefined}
    >
      {isLong && <LinesMark id={markId} linesLeft={linesLeft} onShow={showLines} />}
      <div ref={text} className="question-text">
        {preview && <CallPreview preview={preview} />}
        {fields.length === 0 ? (
          <Value value={input} />
        ) : (
          fields.map(([name, value]) => (
            <div key={name}>
              <h4>{visibleText(name)}</h4>
              <Value value={value} />
            </div>
          ))
        )}
      </div>
    </section>
  )
}

type LinesMarkProps = { readonly id: string; readonly linesLeft: number; readonly onShow: () => void }

function LinesMark({ id, linesLeft, onShow }: LinesMarkProps) {
  const { t, language } = useTranslate()
  return (
    <div className="question-mark">
      <span id={id}>
        {linesLeft === 0
          ? t('question.seen')
          : t('question.lines', { count: linesLeft, number: formatNumber(linesLeft, language) })}
      </span>
      {linesLeft > 0 && (
        <button type="button" className="button small" onClick={onShow}>
          {t('question.next')}
        </button>
      )}
    </div>
  )
}

function Value({ value }: { readonly value: Json }) {
  return (
    <div className="question-value">
      <bdo dir="ltr">{typeof value === 'string' ? visibleText(value) : visibleJson(value, 2)}</bdo>
    </div>
  )
}
