import { useState } from 'react'

import { Choice } from '../choice.tsx'
import { formatDay, usePage } from '../page-context.ts'
import { PageLink, Problem } from '../page-parts.tsx'
import { statuses, type Status } from '../statuses.ts'
import { useAction } from '../use-action.ts'
import type { PostingPage } from './board-column.tsx'
import { Score } from './score.tsx'
import { SearchField } from './search-field.tsx'
import { StatusSelect } from './status-select.tsx'

const PAGE_SIZE = 50

type Sort = 'newest' | 'score'

/** All postings as rows, a page at a time. */
export default function PostingTable() {
  const { t, kit } = usePage()
  const [words, setWords] = useState('')
  const [status, setStatus] = useState<Status | 'all'>('all')
  const [sort, setSort] = useState<Sort>('newest')
  const [offset, setOffset] = useState(0)
  const query = new URLSearchParams({ status, sort, search: words.trim(), limit: String(PAGE_SIZE) })
  const { data, error } = kit.useJson<PostingPage>(`/jobs?${query}&offset=${offset}`)
  /** Another selection begins at its first page. */
  const fromStart =
    <T,>(change: (value: T) => void) =>
    (value: T): void => {
      setOffset(0)
      change(value)
    }
  return (
    <>
      <div className="jobs-toolbar">
        <SearchField words={words} onChange={fromStart(setWords)} />
        <Choice
          label={t('table.status')}
          value={status}
          options={[['all', t('table.all')], ...statuses.map((each) => [each, t(`status.${each}`)] as const)]}
          onChange={fromStart(setStatus)}
        />
        <Choice
          label={t('table.sort')}
          value={sort}
          options={[
            ['newest', t('table.newest')],
            ['score', t('table.bestMatch')],
          ]}
          onChange={fromStart(setSort)}
        />
        <a className="button" href={kit.url('/jobs/export?format=csv')} download>
          {t('table.export')}
        </a>
      </div>
      <Problem message={error?.message} />
      {data && <Rows postings={data.jobs} />}
      <Pages offset={offset} total={data?.total ?? 0} onChange={setOffset} />
    </>
  )
}

type PagesProps = {
  readonly offset: number
  readonly total: number
  readonly onChange: (offset: number) => void
}

function Pages({ offset, total, onChange }: PagesProps) {
  const { t } = usePage()
  const from = total === 0 ? 0 : offset + 1
  const to = Math.min(total, offset + PAGE_SIZE)
  return (
    <div className="jobs-actions">
      <button
        type="button"
        className="button"
        disabled={offset === 0}
        onClick={() => onChange(Math.max(0, offset - PAGE_SIZE))}
      >
        {t('table.previous')}
      </button>
      <span className="quiet">{t('table.range', { from, to, total })}</span>
      <button
        type="button"
        className="button"
        disabled={to >= total}
        onClick={() => onChange(offset + PAGE_SIZE)}
      >
        {t('table.next')}
      </button>
    </div>
  )
}

const COLUMNS = ['title', 'company', 'place', 'status', 'match', 'salary', 'added'] as const

function Rows({ postings }: { readonly postings: PostingPage['jobs'] }) {
  const { t, kit, language } = usePage()
  const { error, run } = useAction()
  // Only a model gives scores that are stored.
  const hasScores = postings.some(({ matchScore }) => matchScore !== undefined)
  const columns = COLUMNS.filter((column) => column !== 'match' || hasScores)
  const change = (id: number, status: Status): void =>
    void run(async () => {
      await kit.request(`/jobs/${id}`, { method: 'PATCH', body: { status } })
      await kit.refresh('/jobs')
    })
  return (
    <>
      <Problem message={error} />
      <div className="jobs-table-scroll" tabIndex={0} role="region" aria-label={t('tab.table')}>
        <table className="jobs-table">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {t(`table.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {postings.map(({ id, title, company, location, status, matchScore, salary, createdAt }) => (
              <tr key={id}>
                <th scope="row">
                  <PageLink to={`postings/${id}`}>{title}</PageLink>
                </th>
                <td>{company}</td>
                <td>{location}</td>
                <td>
                  <StatusSelect
                    status={status}
                    label={t('status.of', { title })}
                    onChange={(to) => change(id, to)}
                  />
                </td>
                {hasScores && <td>{matchScore !== undefined && <Score value={matchScore} />}</td>}
                <td>{salary?.text}</td>
                <td>{formatDay(createdAt, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
