import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'

import { keys, queryClient, stopRun, useAgents } from '../api/queries.ts'
import { client } from '../api/client.ts'
import type { Run } from '../api/types.ts'
import { formatAge } from '../i18n/format.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { LoadError } from '../ui/notices.tsx'
import { agentTexts } from '../views/agent-views.ts'
import './recent-runs.css'

const PAGE_SIZE = 10

/** The runs of the user, the latest first. Live ones can be stopped. */
export function RecentRuns() {
  const { t } = useTranslate()
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: keys.runs,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before }) => client.call('GET /v1/runs', { query: { limit: PAGE_SIZE, before } }),
    getNextPageParam: ({ before }) => before,
  })
  const runs = data?.pages.flatMap((page) => page.runs) ?? []
  return (
    <>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data && runs.length === 0 && <p className="quiet">{t('runs.none')}</p>}
      <ul className="run-list">
        {runs.map((run) => (
          <RunItem key={run.id} run={run} />
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" className="button" onClick={() => void fetchNextPage()}>
          {t('runs.more')}
        </button>
      )}
    </>
  )
}

const LIVE: ReadonlySet<string> = new Set(['queued', 'running', 'waiting'])

function RunItem({ run: { id, agent, status, createdAt, threadId } }: { readonly run: Run }) {
  const { t, language } = useTranslate()
  const { data: agents = [] } = useAgents()
  const offered = agents.find((each) => each.id === agent)
  const name = offered ? agentTexts(offered, language).name : agent
  const stop = async (): Promise<void> => {
    await stopRun(id)
    await queryClient.invalidateQueries({ queryKey: keys.runs })
  }
  return (
    <li>
      <span className="run-status" data-status={status}>
        {t(`run.${status}`)}
      </span>
      <Link href={`/console/inspect/${id}`}>{name}</Link>
      <span className="quiet">{formatAge(createdAt, language)}</span>
      <Link href={`/console/threads/${threadId}`} className="quiet">
        {t('inbox.openThread')}
      </Link>
      {LIVE.has(status) && (
        <button type="button" className="button" onClick={() => void stop()}>
          {t('chat.stop')}
        </button>
      )}
    </li>
  )
}
