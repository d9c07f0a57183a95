import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { validateUseAi } from '../../packages/ag-ui/src/protocol/ag-ui-validators.fixture.ts'

export type AgUiEvent = { readonly type: string; readonly [field: string]: unknown }
/** One event, and of which run it says that it is. */
export type SocketEvent = {
  readonly event: AgUiEvent
  readonly names: { readonly threadId?: string; readonly runId?: string }
}

/** A page's socket: what it sends as use-ai's client does, and all that it was told. */
export type SocketClient = Disposable & {
  readonly socket: Socket
  readonly events: readonly SocketEvent[]
  /** Resolves with the next event, of those to come or that have come, for which it holds. */
  until(holds: (told: SocketEvent) => boolean): Promise<SocketEvent>
  send(type: string, data: Json): void
  /** Sends, and waits for the answer. */
  ask(type: string, data: Json): Promise<Record<string, unknown>>
  /** Starts a run, and resolves once it has ended. */
  run(...request: Parameters<typeof runAgent>): Promise<SocketEvent>
  /** The events of one run, by its client's name. */
  of(runId: string): AgUiEvent[]
}

export function socketClient(
  url: string,
  options: Partial<ManagerOptions & SocketOptions> = {},
): SocketClient {
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: 1,
    reconnectionDelayMax: 50,
    ...options,
  })
  const socketEvents: SocketEvent[] = []
  const waiting = new Set<() => void>()
  socket.on('event', (event: AgUiEvent, names: SocketEvent['names']) => {
    socketEvents.push({ event, names })
    for (const look of waiting) look()
  })
  const until: SocketClient['until'] = (holds) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = socketEvents.find(holds)
        if (!found) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  const send = (type: string, data: Json): void => void socket.emit('message', { type, data })
  return {
    socket,
    events: socketEvents,
    until,
    send,
    run(...request) {
      send('run_agent', runAgent(...request))
      return until(isRunEnd(request[1]))
    },
    ask: (type, data) => socket.emitWithAck('message', { type, data }) as Promise<Record<string, unknown>>,
    of: (runId) => socketEvents.filter(({ names }) => names.runId === runId).map(({ event }) => event),
    [Symbol.dispose]: () => void socket.disconnect(),
  }
}

/** What use-ai's client sends to have something said. */
export function runAgent(
  threadId: string,
  runId: string,
  content: string,
  more: { readonly [field: string]: Json } = {},
): { readonly [field: string]: Json } {
  return {
    threadId,
    runId,
    messages: [{ id: `m-${runId}`, role: 'user', content }],
    tools: [],
    state: null,
    context: [],
    forwardedProps: {},
    ...more,
  }
}

export const isRunEnd =
  (runId: string) =>
  ({ event: { type }, names }: SocketEvent): boolean =>
    names.runId === runId && (type === 'RUN_FINISHED' || type === 'RUN_ERROR')

/** Of a run that may have asked for approvals on its way: that it has come to its own end. */
export const isFinalRunEnd =
  (runId: string) =>
  (received: SocketEvent): boolean =>
    isRunEnd(runId)(received) &&
    (received.event.type === 'RUN_ERROR' || received.event['metadata'] !== undefined)

/** The text of a run's messages. */
export function textIn(events: readonly AgUiEvent[]): string {
  return events.map(({ type, delta }) => (type === 'TEXT_MESSAGE_CONTENT' ? String(delta) : '')).join('')
}

/** Checks a run's events with the clients' own rules. Returns the event types without repetitions. */
export function checkEvents(events: readonly AgUiEvent[]): string[] {
  validateUseAi(
    events.map((event) => JSON.stringify(event)),
    true,
  )
  const types = events.map(({ type }) => type)
  return types.filter((type, index) => type !== types[index - 1])
}

/** The calls that a page was asked to make, with what they are given. */
export function callsIn(events: readonly AgUiEvent[]): { id: string; name: string; input: unknown }[] {
  return events.flatMap(({ type, toolCallId, toolCallName }) => {
    if (type !== 'TOOL_CALL_START') return []
    const pieces = events.map((each) =>
      each.type === 'TOOL_CALL_ARGS' && each['toolCallId'] === toolCallId ? String(each['delta']) : '',
    )
    return [
      { id: String(toolCallId), name: String(toolCallName), input: JSON.parse(pieces.join('')) as unknown },
    ]
  })
}

/** As use-ai's client sends what a tool of the page gave. */
export function toolResult(toolCallId: string, content: string): { readonly [field: string]: Json } {
  return { messageId: `result-${toolCallId}`, toolCallId, content, role: 'tool' }
}

/** Of a run: that it has been asked for the result of so many calls, whole. */
export const hasToolCalls =
  (runId: string, count = 1) =>
  (page: SocketClient): boolean =>
    page.of(runId).filter(({ type }) => type === 'TOOL_CALL_END').length >= count
