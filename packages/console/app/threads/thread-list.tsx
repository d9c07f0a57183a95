import { Archive, ArchiveRestore, MessageCircleQuestion } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'

import { useAgents, useLiveThreads, useThreads } from '../api/queries.ts'
import type { Thread } from '../api/types.ts'
import { useUnread } from '../api/unread.ts'
import { formatAge } from '../i18n/format.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { LoadError } from '../ui/notices.tsx'
import { agentTexts } from '../views/agent-views.ts'
import { ThreadMenu } from './thread-menu.tsx'
import { IconButton } from '../ui/icon-button.tsx'

/** The threads of all agents, the latest change first; or those that are archived. */
export function ThreadList() {
  const { t } = useTranslate()
  const [isArchive, setArchive] = useState(false)
  const { data, error, refetch, hasNextPage, fetchNextPage, isPending } = useThreads(isArchive)
  const threads = data?.pages.flat() ?? []
  const live = useLiveThreads()
  const unread = useUnread()
  const label = isArchive ? t('threads.showActive') : t('threads.showArchived')
  return (
    <section className="thread-list" aria-label={t('threads.title')}>
      <h2>
        {isArchive ? t('threads.archived') : t('threads.title')}
        <IconButton label={label} onClick={() => setArchive(!isArchive)}>
          {isArchive ? <ArchiveRestore size={15} aria-hidden /> : <Archive size={15} aria-hidden />}
        </IconButton>
      </h2>
      {error && threads.length === 0 && <LoadError error={error} onRetry={() => void refetch()} />}
      {!isPending && !error && threads.length === 0 && (
        <p className="quiet thread-note nav-item">{t('threads.none')}</p>
      )}
      <ul>
        {threads.map((thread) => (
          <ThreadItem
            key={thread.id}
            thread={thread}
            state={live.get(thread.id) ?? (unread.has(thread.id) ? 'unread' : undefined)}
          />
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" className="nav-item quiet" onClick={() => void fetchNextPage()}>
          {t('threads.more')}
        </button>
      )}
    </section>
  )
}

type ThreadState = 'running' | 'waiting' | 'unread' | undefined
type ThreadItemProps = { readonly thread: Thread; readonly state: ThreadState }

function ThreadItem({ thread, state }: ThreadItemProps) {
  const { t, language } = useTranslate()
  const { data: agents = [] } = useAgents()
  const [location] = useLocation()
  const href = `/console/threads/${thread.id}`
  const isCurrent = location === href
  const offered = agents.find(({ id }) => id === thread.agent)
  const agent = offered ? agentTexts(offered, language).name : thread.agent
  return (
    <li className="thread-item" data-current={isCurrent}>
      <Link href={href} {...(isCurrent && { 'aria-current': 'page' as const })}>
        <span className="thread-title">
          <ThreadMark state={isCurrent && state === 'unread' ? undefined : state} />
          {thread.title ?? t('thread.untitled')}
        </span>
        <span className="thread-note">
          {agent} · {formatAge(thread.updatedAt, language)}
        </span>
      </Link>
      <ThreadMenu thread={thread} />
    </li>
  )
}

/** What goes on in a thread, as a mark and in words. */
function ThreadMark({ state }: { readonly state: ThreadState }) {
  const { t } = useTranslate()
  if (state === undefined) return null
  return (
    <span className="thread-mark" data-state={state} title={t(`thread.state.${state}`)}>
      {state === 'waiting' && <MessageCircleQuestion size={15} aria-hidden />}
      <span className="visually-hidden">{t(`thread.state.${state}`)}</span>
    </span>
  )
}
