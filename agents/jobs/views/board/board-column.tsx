import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

import type { Posting } from '../../src/postings/posting.ts'
import { usePage } from '../page-context.ts'
import { Problem } from '../page-parts.tsx'
import type { Status } from '../statuses.ts'
import { BoardCard, draggedPosting } from './board-card.tsx'
import type { Move } from './board.tsx'

const PAGE_SIZE = 30
const MAX_CARDS = 100

export type PostingPage = { readonly jobs: readonly Posting[]; readonly total: number }

type BoardColumnProps = {
  readonly status: Status
  readonly words: string
  readonly moves: readonly Move[]
  /** The posting that was moved by a key: its card takes the focus. */
  readonly focusedId: number | undefined
  readonly onMove: (posting: Posting, to: Status) => void
  readonly onStep: (posting: Posting, by: -1 | 1) => void
}

/** The postings of one status, and a place to drop others. */
export function BoardColumn({ status, words, moves, focusedId, onMove, onStep }: BoardColumnProps) {
  const { t, kit } = usePage()
  const [limit, setLimit] = useState(PAGE_SIZE)
  const query = new URLSearchParams({ status, limit: String(limit), search: words })
  const { data, error } = kit.useJson<PostingPage>(`/jobs?${query}`)
  const column = useRef<HTMLElement>(null)
  const isOver = useDropTarget(column, (posting) => onMove(posting, status))
  const moved = new Set(moves.map(({ posting }) => posting.id))
  const arriving = moves.flatMap(({ posting, to }) => (to === status ? [posting] : []))
  const postings = [...arriving, ...(data?.jobs ?? []).filter(({ id }) => !moved.has(id))]
  const hidden = (data?.total ?? 0) - (data?.jobs.length ?? 0)
  const title = t(`status.${status}`)
  return (
    <section className="jobs-column" ref={column} data-over={isOver} data-status={status} aria-label={title}>
      <h2>
        {title} <span className="quiet">{data?.total ?? ''}</span>
      </h2>
      <Problem message={error?.message} />
      <ul>
        {postings.map((posting) => (
          <li key={posting.id}>
            <BoardCard
              posting={posting}
              isFocused={posting.id === focusedId}
              onMove={(to) => onMove(posting, to)}
              onStep={(by) => onStep(posting, by)}
            />
          </li>
        ))}
      </ul>
      {data && postings.length === 0 && <p className="jobs-column-empty quiet">{t('board.columnEmpty')}</p>}
      {hidden > 0 && limit < MAX_CARDS && (
        <button type="button" className="button" onClick={() => setLimit(MAX_CARDS)}>
          {t('board.more', { count: hidden })}
        </button>
      )}
      {hidden > 0 && limit >= MAX_CARDS && <p className="quiet">{t('board.inTable', { count: hidden })}</p>}
    </section>
  )
}

/** Whether a card is over the element. */
function useDropTarget(target: { readonly current: HTMLElement | null }, onDrop: (posting: Posting) => void) {
  const [isOver, setOver] = useState(false)
  const drop = useEffectEvent(onDrop)
  useEffect(() => {
    if (!target.current) return undefined
    return dropTargetForElements({
      element: target.current,
      canDrop: ({ source }) => draggedPosting(source.data) !== undefined,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false)
        const posting = draggedPosting(source.data)
        if (posting) drop(posting)
      },
    })
  }, [target])
  return isOver
}
