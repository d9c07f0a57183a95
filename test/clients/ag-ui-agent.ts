import { HttpAgent as Newest } from '@ag-ui/client'
import { HttpAgent as Older } from 'ag-ui-client-0-0-59'

import type { Json } from '../../packages/dragoman/src/index.ts'

export type Called = {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}
/** A message as either generation keeps it. */
export type AgUiRun = {
  readonly id: string
  readonly role: string
  readonly content?: unknown
  readonly toolCalls?: readonly Called[]
  readonly toolCallId?: string
}
export type Interrupt = { readonly id: string; readonly toolCallId?: string; readonly reason: string }
export type Event = { readonly type: string; readonly [field: string]: unknown }
export type Resume = {
  readonly interruptId: string
  readonly status: 'resolved' | 'cancelled'
  readonly payload?: Json
}

/** What the tests need of the client: the same in both generations. */
export interface Agent {
  threadId: string
  messages: AgUiRun[]
  state: unknown
  pendingInterrupts: readonly Interrupt[]
  runAgent(parameters: object, subscriber: object): Promise<unknown>
  abortRun(): void
}

export const generations = [
  {
    version: '1.0.0',
    open: (url: string, threadId: string): Agent => new Newest({ url, threadId }),
  },
  {
    version: '0.0.59',
    open: (url: string, threadId: string): Agent => new Older({ url, threadId }) as Agent,
  },
]

/** Says something, unless it is nothing, and gives the events of the run that follows. */
export async function run(
  agent: Agent,
  text: string | undefined,
  parameters: {
    readonly runId?: string
    readonly tools?: readonly object[]
    readonly resume?: readonly Resume[]
    readonly forwardedProps?: Json
  } = {},
): Promise<Event[]> {
  const events: Event[] = []
  if (text !== undefined) agent.messages.push({ id: crypto.randomUUID(), role: 'user', content: text })
  await agent.runAgent(parameters, { onEvent: ({ event }: { event: Event }) => void events.push(event) })
  return events
}

/** Gives what a page's tool has made of a call. */
export function give(agent: Agent, toolCallId: string, content: string): void {
  agent.messages.push({ id: crypto.randomUUID(), role: 'tool', toolCallId, content })
}

/** Calls of the page's tools that have no outcome yet. */
export function openCalls({ messages }: Agent): Called[] {
  const resultIds = new Set(messages.map(({ toolCallId }) => toolCallId))
  return messages.flatMap(({ toolCalls = [] }) => toolCalls.filter(({ id }) => !resultIds.has(id)))
}

export function textOf({ messages }: Agent): string {
  return messages
    .filter(({ role, content }) => role === 'assistant' && typeof content === 'string')
    .map(({ content }) => content)
    .join('|')
}

export function typesOf(events: readonly Event[]): string[] {
  return events.map(({ type }) => type)
}
