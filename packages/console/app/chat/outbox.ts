import { useSyncExternalStore } from 'react'

import { loadedMessageIds, refreshThread } from '../api/queries.ts'
import { keepRecord, loadRecords, removeRecord } from '../api/local-records.ts'
import { client } from '../api/client.ts'
import { RequestError } from '../api/request.ts'
import type { Json, UserPart } from '../api/types.ts'
import { followLiveRun, liveMessageIds } from './live-runs.ts'

/** What happens if the thread's answer is still being written. */
export type BusyPolicy = 'reject' | 'enqueue' | 'interrupt' | 'steer'

export type Outgoing = {
  /** Also the idempotency key: a message that is sent again starts no second run. */
  readonly key: string
  readonly threadId: string
  readonly parts: readonly UserPart[]
  readonly policy: BusyPolicy
  /** For the agent, in addition to the message. */
  readonly context?: { readonly [key: string]: Json }
  /** The message in whose place this one stands. */
  readonly replaces?: string
  /** Ids of the messages that the thread had when this one was sent. */
  readonly earlier: ReadonlySet<string>
  readonly state: 'sending' | 'sent' | 'failed'
  readonly runId?: string
  readonly error?: string
  /** It was not sent because the session of the user has ended. */
  readonly isSignedOut?: boolean
}

let messages: readonly Outgoing[] = []
const listeners = new Set<() => void>()

function set(next: readonly Outgoing[]): void {
  messages = next
  for (const listener of listeners) listener()
}

function change(key: string, to: Partial<Outgoing>): void {
  set(messages.map((message) => (message.key === key ? { ...message, ...to } : message)))
}

export function discardOutgoing(key: string): void {
  void removeRecord('outgoing', key)
  set(messages.filter((message) => message.key !== key))
}

/** `crypto.randomUUID` exists on pages with TLS alone. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')
}

/** Sends a message. It stays visible, and can be sent again, until the server has it. */
export function sendMessage(outgoing: Omit<Outgoing, 'key' | 'state' | 'earlier'>): void {
  const { threadId } = outgoing
  const earlier = new Set([...loadedMessageIds(threadId), ...liveMessageIds(threadId)])
  const message: Outgoing = { ...outgoing, earlier, key: newKey(), state: 'sending' }
  set([...messages, message])
  void keepRecord('outgoing', message.key, message)
  void deliver(message)
}

/** Shows again what an earlier page has not sent. What was on its way then is sent again: it counts once. */
export async function restoreOutbox(): Promise<void> {
  const earlier = [...(await loadRecords<Outgoing>('outgoing')).values()]
  set([...earlier, ...messages])
  for (const message of earlier) if (message.state === 'sending') void deliver(message)
}

export function sendAgain(key: string): void {
  const message = messages.find((each) => each.key === key)
  if (!message) return
  change(key, { state: 'sending' })
  void deliver(message)
}

async function deliver({ key, threadId, parts, policy, context, replaces }: Outgoing): Promise<void> {
  try {
    const response = await client.send('POST /v1/threads/{id}/runs', {
      path: { id: threadId },
      body: {
        ...(parts.length > 0 && { parts }),
        policy,
        ...(context && { context }),
        ...(replaces !== undefined && { replaces }),
      },
      headers: { 'idempotency-key': key },
    })
    const runId = response.headers.get('x-run-id') ?? ''
    void removeRecord('outgoing', key)
    change(key, { state: 'sent', runId })
    // A steered message joins the run that is followed already.
    const isSteered = response.headers.get('x-after') !== null
    if (isSteered) {
      await response.body?.cancel()
      discardOutgoing(key)
      return
    }
    const { run } = await client.call('GET /v1/runs/{id}', { path: { id: runId } })
    followLiveRun({
      runId,
      threadId,
      messageId: run.messageId,
      response,
      onEnd: async () => {
        await refreshThread(threadId)
        discardOutgoing(key)
      },
    })
    await refreshThread(threadId)
  } catch (error) {
    const isSignedOut = error instanceof RequestError && error.status === 401
    change(key, {
      state: 'failed',
      error: error instanceof Error ? error.message : String(error),
      isSignedOut,
    })
    const failed = messages.find((each) => each.key === key)
    if (failed) void keepRecord('outgoing', key, failed)
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The messages of a thread that its stored messages may not have yet. */
export function useOutbox(threadId: string): readonly Outgoing[] {
  const all = useSyncExternalStore(subscribe, () => messages)
  return all.filter((message) => message.threadId === threadId)
}
