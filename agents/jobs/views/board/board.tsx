import { useState } from 'react'

import type { Posting } from '../../src/postings/posting.ts'
import { usePage } from '../page-context.ts'
import { Problem } from '../page-parts.tsx'
import { neighborOf, statuses, type Status } from '../statuses.ts'
import { BoardColumn } from './board-column.tsx'
import { EmptyBoard } from './empty-board.tsx'
import { SearchField } from './search-field.tsx'

type Counts = Readonly<Record<Status, number>>

/** A posting on its way to another column, until the server has it. */
export type Move = { readonly posting: Posting; readonly to: Status }

/** The postings by status. A card is dragged, or moved with Alt and an arrow key, or by its menu. */
export function Board() {
  const { t, kit } = usePage()
  const counts = kit.useJson<Counts>('/jobs/stats')
  const [words, setWords] = useState('')
  const { moves, announcement, error, move } = useMoves()
  const [movedByKey, setMovedByKey] = useState<number>()
  if (counts.error) return <Problem message={counts.error.message} />
  if (!counts.data) return <div aria-busy />
  const total = statuses.reduce((sum, status) => sum + (counts.data?.[status] ?? 0), 0)
  if (total === 0) return <EmptyBoard />
  const step = (posting: Posting, by: -1 | 1): void => {
    const to = neighborOf(posting.status, by)
    if (!to) return
    setMovedByKey(posting.id)
    void move(posting, to)
  }
  return (
    <>
      <div className="jobs-toolbar">
        <SearchField words={words} onChange={setWords} />
        <span className="quiet jobs-keys">{t('board.keys')}</span>
      </div>
      <Problem message={error} />
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <div className="jobs-board" tabIndex={-1}>
        {statuses.map((status) => (
          <BoardColumn
            key={status}
            status={status}
            words={words.trim()}
            moves={moves}
            focusedId={movedByKey}
            onMove={(posting, to) => void move(posting, to)}
            onStep={step}
          />
        ))}
      </div>
    </>
  )
}

/** Moves postings at once, and back if the server refuses. */
function useMoves() {
  const { t, kit } = usePage()
  const [moves, setMoves] = useState<readonly Move[]>([])
  const [error, setError] = useState<string>()
  const [announcement, setAnnouncement] = useState('')
  const move = async (posting: Posting, to: Status): Promise<void> => {
    const { id, title, status } = posting
    if (status === to) return
    const next: Move = { posting: { ...posting, status: to }, to }
    setError(undefined)
    setMoves((all) => [...all.filter((each) => each.posting.id !== id), next])
    setAnnouncement(t('board.moved', { title, status: t(`status.${to}`) }))
    try {
      await kit.request(`/jobs/${id}`, { method: 'PATCH', body: { status: to } })
      await kit.refresh('/jobs')
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause))
      setAnnouncement('')
    } finally {
      setMoves((all) => all.filter((each) => each !== next))
    }
  }
  return { moves, announcement, error, move }
}
