import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'

import { client } from '../api/client.ts'
import type { Run } from '../api/types.ts'
import { ToolCard } from '../chat/tool-card.tsx'
import { formatNumber, formatTime } from '../i18n/format.ts'
import { useTranslate, type MessageKey } from '../i18n/translate.tsx'
import { LoadError } from '../ui/notices.tsx'
import { LogPane } from './log-pane.tsx'
import { runFacts, type RunFacts } from './run-facts.ts'
import { StreamPane } from './stream-pane.tsx'
import { useLog } from './use-log.ts'

/** Of the streams of events, so many are shown first. */
const STREAMS_SHOWN = 2

/** Everything about one run: what its log says, and how each protocol tells it. */
export function RunView({ runId }: { readonly runId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['run', runId],
    queryFn: () => client.call('GET /v1/runs/{id}', { path: { id: runId } }),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  return data ? <LoadedRun run={data.run} /> : null
}

function LoadedRun({ run }: { readonly run: Run }) {
  const { t } = useTranslate()
  const log = useLog(run.id)
  const facts = runFacts(log)
  const { data: protocols = [] } = useQuery({
    queryKey: ['protocols'],
    queryFn: () => client.call('GET /v1/protocols').then(({ protocols: all }) => all),
    staleTime: Infinity,
  })
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const streams = protocols.filter(({ framing }) => framing === 'events').slice(0, STREAMS_SHOWN)
  const selection = chosen ?? new Set(streams.map(({ name }) => name))
  const toggle = (name: string): void => {
    const next = new Set(selection)
    if (!next.delete(name)) next.add(name)
    setChosen(next)
  }
  const tools = facts.message.parts.filter((part) => part.type === 'tool')
  return (
    <>
      <Facts run={run} facts={facts} />
      {tools.length > 0 && (
        <section aria-label={t('inspector.tools')}>
          {tools.map((part) => (
            <ToolCard key={part.callId} part={part} messageId={run.messageId} />
          ))}
        </section>
      )}
      <fieldset className="protocols">
        <legend>{t('inspector.protocols')}</legend>
        {protocols.map(({ name }) => (
          <label key={name}>
            <input type="checkbox" checked={selection.has(name)} onChange={() => toggle(name)} />
            {name}
          </label>
        ))}
      </fieldset>
      <div className="panes">
        <LogPane log={log} />
        {protocols
          .filter(({ name }) => selection.has(name))
          .map((protocol) => (
            <StreamPane key={protocol.name} runId={run.id} protocol={protocol} />
          ))}
      </div>
    </>
  )
}

function Facts({ run, facts }: { readonly run: Run; readonly facts: RunFacts }) {
  const { t, language } = useTranslate()
  const { message, durationMs, firstTokenMs, entries, steps, crashes, waits } = facts
  const number = (value: number): string => formatNumber(value, language)
  const rows: readonly (readonly [MessageKey, string])[] = [
    ['inspector.status', t(`run.${message.status}`)],
    ['inspector.started', formatTime(Date.parse(run.createdAt), language)],
    ['inspector.duration', t('inspector.ms', { ms: number(durationMs) })],
    [
      'inspector.firstToken',
      firstTokenMs === undefined ? '–' : t('inspector.ms', { ms: number(firstTokenMs) }),
    ],
    ['inspector.entries', number(entries)],
    ['inspector.steps', number(steps)],
    ['inspector.attempts', number(crashes + 1)],
    ['inspector.waits', number(waits)],
    [
      'inspector.tokens',
      message.usage
        ? t('message.usage', {
            input: number(message.usage.inputTokens),
            output: number(message.usage.outputTokens),
          })
        : '–',
    ],
  ]
  return (
    <>
      <dl className="facts">
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {message.failure && <p className="notice error">{message.failure.message}</p>}
      <p className="quiet run-id">
        <code>{run.id}</code> · <Link href={`/console/threads/${run.threadId}`}>{t('inbox.openThread')}</Link>
      </p>
    </>
  )
}
