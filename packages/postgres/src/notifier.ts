import { nanoid } from 'nanoid'
import type pg from 'pg'

import type { LogEntry } from 'dragoman/events'
import { memoryNotifier, type Notifier } from 'dragoman/stores'

import type { Session } from './client/session.ts'

const CHANNEL = 'dragoman'
/** PostgreSQL refuses a payload of 8,000 bytes. https://www.postgresql.org/docs/current/sql-notify.html */
const MAX_PAYLOAD_BYTES = 7900
/** While the sender is away, older notifications are dropped: readers look at the store when it is back. */
const MAX_WAITING = 10_000

/** A topic, and the entries that were appended to it, if they fit. */
type Notice = readonly [topic: string, entries?: readonly LogEntry[]]

/**
 * Sends what this process appended to all nodes, after the commit and on its own: inside the transaction, NOTIFY
 * would lock all commits of the whole cluster. Notices that come while one is under way are sent as one.
 */
export async function createPostgresNotifier(pool: pg.Pool, session: Session): Promise<Notifier> {
  const node = nanoid(12)
  const near = memoryNotifier()
  const topics = new Map<string, number>()
  const wakeAll = (): void => {
    for (const topic of topics.keys()) near.notify(topic)
  }
  await session.onConnect(async (client) => {
    await client.query(`LISTEN ${CHANNEL}`)
    // Notifications since the last connection are lost.
    wakeAll()
  })
  session.onNotification((channel, payload) => {
    if (channel !== CHANNEL) return
    const [sender, notices] = JSON.parse(payload) as readonly [string, readonly Notice[]]
    if (sender === node) return
    for (const [topic, entries] of notices) if (topics.has(topic)) near.notify(topic, entries)
  })
  const send = createSender(pool, node)
  return {
    notify(topic, entries) {
      near.notify(topic, entries)
      send(entries ? [topic, entries] : [topic])
    },
    async listen(topic, onNews) {
      topics.set(topic, (topics.get(topic) ?? 0) + 1)
      const unlisten = await near.listen(topic, onNews)
      return async () => {
        await unlisten()
        const listeners = (topics.get(topic) ?? 1) - 1
        if (listeners === 0) topics.delete(topic)
        else topics.set(topic, listeners)
      }
    },
    async [Symbol.asyncDispose]() {
      topics.clear()
      await near[Symbol.asyncDispose]()
    },
  }
}

/** The answer does not matter: a lost notification does no harm. So the commit does not wait for the disk. */
const NOTIFY = `SELECT set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', payload)
  FROM unnest($1::text[]) AS payload`

function createSender(pool: pg.Pool, node: string): (notice: Notice) => void {
  let waiting: Notice[] = []
  let isSending = false
  const send = async (): Promise<void> => {
    isSending = true
    while (waiting.length > 0) {
      const notices = waiting
      waiting = []
      await pool
        .query({ name: 'dragoman-notify', text: NOTIFY, values: [payloads(node, notices)] })
        .catch(() => undefined)
    }
    isSending = false
  }
  return (notice) => {
    if (waiting.push(notice) > MAX_WAITING) waiting = waiting.slice(-MAX_WAITING / 2)
    if (!isSending) setImmediate(() => isSending || void send())
  }
}

/** As few payloads as the notices fit in. A notice whose entries do not fit tells only its topic. */
function payloads(node: string, notices: readonly Notice[]): string[] {
  const texts: string[] = []
  const head = `[${JSON.stringify(node)},[`
  let items: string[] = []
  let bytes = 0
  const flush = (): void => {
    if (items.length > 0) texts.push(`${head}${items.join(',')}]]`)
    items = []
    bytes = 0
  }
  for (const [topic, entries] of notices) {
    const whole = JSON.stringify(entries ? [topic, entries] : [topic])
    const isTooLarge = Buffer.byteLength(whole) > MAX_PAYLOAD_BYTES - head.length - 2
    const item = isTooLarge ? JSON.stringify([topic]) : whole
    const size = Buffer.byteLength(item) + 1
    if (head.length + 2 + bytes + size > MAX_PAYLOAD_BYTES) flush()
    items.push(item)
    bytes += size
  }
  flush()
  return texts
}
