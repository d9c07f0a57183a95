import { nanoid } from 'nanoid'

import type { LogEntry } from 'dragoman/events'
import type { Notifier } from 'dragoman/stores'

import { createLocalListeners } from '../notifier/local-listeners.ts'
import { createOutbox, type Notice } from '../notifier/outbox.ts'
import { waitAtMost } from '../notifier/wait-at-most.ts'
import { ANSWER_TIMEOUT_MS, MAX_MESSAGE_BYTES, type Bus, type BusEvents, type BusMessage } from './bus.ts'

/** A listener waits at most this long for a bus that does not answer. */
const MAX_SUBSCRIBE_MS = 1000
/** Topics that are kept while the bus is away. Readers of others look at the store by themselves. */
const MAX_MISSED = 10_000

/** Notices over a bus that passes to a node only the topics that it listens to. */
export function createBusNotifier(createBus: (events: BusEvents) => Bus): Notifier {
  /** How the messages of this node begin. */
  const head = `["${nanoid(12)}"`
  const missed = new Set<string>()
  const miss = (notices: readonly Notice[]): void => {
    for (const [topic] of notices) if (missed.size < MAX_MISSED) missed.add(topic)
  }
  const local = createLocalListeners({
    begin: (topic) => subscribeInTime(bus, topic, () => local.notify(topic)),
    end: (topic) => bus.unsubscribe(topic),
  })
  const bus = createBus({
    onMessage(topic, text) {
      if (!text.startsWith(head)) local.notify(topic, readEntries(text))
    },
    onResubscribe: local.wakeAll,
    onReopen() {
      const topics = [...missed]
      missed.clear()
      for (const topic of topics) outbox.add([topic])
    },
  })
  const outbox = createOutbox(
    async (notices) =>
      bus.publish(messagesOf(notices, head, Math.min(bus.maxMessageBytes(), MAX_MESSAGE_BYTES))),
    miss,
  )
  return {
    pollIntervalMs: local.pollIntervalMs,
    notify(topic, entries) {
      local.notify(topic, entries)
      if (bus.isOpen()) outbox.add(entries ? [topic, entries] : [topic])
      else miss([[topic]])
    },
    listen: local.listen,
    async [Symbol.asyncDispose]() {
      await waitAtMost(ANSWER_TIMEOUT_MS, outbox.flush())
      await local[Symbol.asyncDispose]()
      await bus[Symbol.asyncDispose]()
    },
  }
}

/** `onLate` is called if the subscription begins later than this resolves. */
async function subscribeInTime(bus: Bus, topic: string, onLate: () => void): Promise<void> {
  let isLate = false
  const subscribing = bus.subscribe(topic).then(
    () => isLate && onLate(),
    () => undefined,
  )
  await waitAtMost(MAX_SUBSCRIBE_MS, subscribing)
  isLate = true
}

/** One message for each topic. It carries the entries if all its notices do, and if they fit. */
function messagesOf(notices: readonly Notice[], head: string, maxBytes: number): BusMessage[] {
  return [...Map.groupBy(notices, ([topic]) => topic)].map(([topic, group]) => {
    const entries = group.every((notice) => notice[1]) && group.flatMap(([, each]) => each ?? [])
    const text = entries ? `${head},${JSON.stringify(entries)}]` : ''
    return [topic, text !== '' && Buffer.byteLength(text) <= maxBytes ? text : `${head}]`]
  })
}

/** The entries of a message. One that cannot be read is a notice without entries: its sender may be newer. */
function readEntries(text: string): readonly LogEntry[] | undefined {
  try {
    const [, entries] = JSON.parse(text) as readonly unknown[]
    return Array.isArray(entries) ? (entries as readonly LogEntry[]) : undefined
  } catch {
    return undefined
  }
}
