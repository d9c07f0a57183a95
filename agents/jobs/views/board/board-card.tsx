import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'

import type { Posting } from '../../src/postings/posting.ts'
import { formatDay, usePage } from '../page-context.ts'
import { PageLink } from '../page-parts.tsx'
import type { Status } from '../statuses.ts'
import { Score } from './score.tsx'
import { StatusSelect } from './status-select.tsx'

const DRAG_TYPE = 'posting'

/** The posting that is dragged, if it is one. */
export function draggedPosting(data: Record<string, unknown>): Posting | undefined {
  return data['type'] === DRAG_TYPE ? (data['posting'] as Posting) : undefined
}

type BoardCardProps = {
  readonly posting: Posting
  readonly isFocused: boolean
  readonly onMove: (to: Status) => void
  readonly onStep: (by: -1 | 1) => void
}

/** A posting on the board. */
export function BoardCard({ posting, isFocused, onMove, onStep }: BoardCardProps) {
  const { t, language } = usePage()
  const { id, title, company, location, status, matchScore, starred, salary, followUpAt } = posting
  const card = useRef<HTMLElement>(null)
  const isDragged = useDraggable(card, posting)
  useEffect(() => {
    // A card that changes its column is a new element.
    if (isFocused) card.current?.querySelector('a')?.focus()
  }, [isFocused])
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = STEPS[event.key]
    if (by === undefined || !event.altKey) return
    event.preventDefault()
    onStep(by)
  }
  const facts = [location, salary?.text].filter((fact) => fact !== undefined && fact !== '')
  return (
    <article
      className="jobs-card"
      ref={card}
      data-dragged={isDragged}
      data-posting={id}
      onKeyDown={onKeyDown}
    >
      <PageLink to={`postings/${id}`} className="jobs-card-title">
        {starred && <span aria-label={t('starred')}>★ </span>}
        {title}
      </PageLink>
      <p>{company}</p>
      {facts.length > 0 && <p className="quiet">{facts.join(' · ')}</p>}
      <footer>
        {matchScore !== undefined && <Score value={matchScore} />}
        {followUpAt !== undefined && (
          <span className="quiet">{t('followUp.on', { day: formatDay(followUpAt, language) })}</span>
        )}
        <StatusSelect status={status} label={t('status.of', { title })} onChange={onMove} />
      </footer>
    </article>
  )
}

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 }

/** Whether the element is being dragged. */
function useDraggable(element: { readonly current: HTMLElement | null }, posting: Posting): boolean {
  const [isDragged, setDragged] = useState(false)
  const getData = useEffectEvent(() => ({ type: DRAG_TYPE, posting }))
  useEffect(() => {
    if (!element.current) return undefined
    return draggable({
      element: element.current,
      getInitialData: () => getData(),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    })
  }, [element])
  return isDragged
}
