import { useEffect, useMemo } from 'react'

import { useIsReachable } from '../api/changes.ts'
import {
  refreshThread,
  useAgents,
  useChangeThread,
  useIsGuest,
  useMessages,
  useThread,
} from '../api/queries.ts'
import { RequestError } from '../api/request.ts'
import type { Agent, OpenThread } from '../api/types.ts'
import { useSeen } from '../api/unread.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { NotFoundPage } from '../layout/not-found-page.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { ThreadMenu } from '../threads/thread-menu.tsx'
import { LoadError } from '../ui/notices.tsx'
import { AgentPanel, AgentPanelButton, useAgentPanel } from '../views/agent-panel.tsx'
import { CardContext, type CardContextValue } from '../views/agent-card.tsx'
import { Composer } from './composer.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { threadEntries } from './entries.ts'
import { finishRuns, followLiveRun, rejoinRuns, showThread, useLiveRuns } from './live-runs.ts'
import { MessageList } from './message-list.tsx'
import { DemoNotice } from './demo-notice.tsx'
import { ModelMenu } from './model-menu.tsx'
import { sendMessage, useOutbox } from './outbox.ts'
import { usePathToTarget, useTarget } from './use-target.ts'
import './chat.css'

/** A conversation: its messages, what is being written, and the field for the next message. */
export function ThreadPage({ id }: { readonly id: string }) {
  const { t } = useTranslate()
  const thread = useThread(id)
  const { data: agents = [] } = useAgents()
  const isGuest = useIsGuest()
  const target = useTarget()
  const messages = useMessages(id, target !== undefined)
  const outbox = useOutbox(id)
  const liveRuns = useLiveRuns().filter(({ threadId }) => threadId === id)
  useEffect(() => showThread(id), [id])
  useFollowedThread(thread.data)
  useSeen(id)
  const entries = threadEntries({ pages: messages.data, outbox, liveRuns })
  const isTargetMissing = usePathToTarget({ threadId: id, target, messages, entries })
  const isBusy = liveRuns.some(({ state }) => state === 'active')
  const agent = agents.find((each) => each.id === thread.data?.agent)
  const error = thread.error ?? messages.error
  const isGone = thread.error instanceof RequestError && thread.error.status === 404
  const isReachable = useIsReachable()
  const cards = useCards({ id, agent: thread.data?.agent, isBusy })
  const panel = useAgentPanel(agent)
  if (isGone) return <NotFoundPage note={t('thread.gone')} />
  return (
    <main className="chat">
      <PageHeader title={thread.data?.title ?? t('thread.untitled')}>
        <AgentPanelButton {...panel} />
        {agent && thread.data && !isGuest && <ThreadModel agent={agent} thread={thread.data} />}
        {thread.data && <ThreadMenu thread={thread.data} />}
      </PageHeader>
      {error && entries.length === 0 ? (
        <LoadError error={error} onRetry={() => void refreshThread(id)} />
      ) : (
        <CardContext value={cards}>
          <MessageList
            threadId={id}
            entries={entries}
            target={target}
            isIdle={!isBusy}
            hasEarlier={messages.hasNextPage}
            isLoadingEarlier={messages.isFetchingNextPage}
            onLoadEarlier={() => void messages.fetchNextPage()}
          />
        </CardContext>
      )}
      <div className="composer-area">
        {isTargetMissing && <p className="composer-note quiet">{t('search.gone')}</p>}
        <ConnectionNotice runs={liveRuns} isServerReachable={isReachable} />
        {agent?.model.demo === true && thread.data?.model === null && (
          <p className="composer-note quiet">
            <DemoNotice />
          </p>
        )}
        <Composer threadId={id} isBusy={isBusy} />
      </div>
      <AgentPanel {...panel} threadId={id} isBusy={isBusy} />
    </main>
  )
}

function ThreadModel({ agent, thread }: { readonly agent: Agent; readonly thread: OpenThread }) {
  const { mutate } = useChangeThread()
  const choose = (model: string | null): void => mutate({ id: thread.id, change: { model } })
  return <ModelMenu agent={agent} chosen={thread.model} onChoose={choose} />
}

/** What the cards of the agent can do: a click on one sends a message. */
function useCards({
  id,
  agent,
  isBusy,
}: {
  readonly id: string
  readonly agent: string | undefined
  readonly isBusy: boolean
}) {
  return useMemo((): CardContextValue => {
    const send: CardContextValue['send'] = (text, context) =>
      sendMessage({
        threadId: id,
        parts: [{ type: 'text', text }],
        policy: 'reject',
        ...(context && { context }),
      })
    return { agent, send: isBusy ? undefined : send }
  }, [id, agent, isBusy])
}

/** Follows the live run of a thread, also one that another client has started. */
function useFollowedThread(thread: OpenThread | undefined): void {
  const { id, live } = thread ?? {}
  useEffect(() => {
    if (id === undefined) return
    rejoinRuns(id, (runId) => runId !== live?.id || live.status !== 'waiting')
    finishRuns(id, live?.id)
    if (!live) return
    const { id: runId, threadId, messageId } = live
    followLiveRun({ runId, threadId, messageId, onEnd: () => refreshThread(threadId) })
  }, [id, live])
}
