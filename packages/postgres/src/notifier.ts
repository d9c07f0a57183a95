import { nanoid } from 'nanoid'
import type pg from 'pg'

import type { Notifier } from 'dragoman/stores'

import type { Session } from './client/session.ts'
import { createLocalListeners } from './notifier/local-listeners.ts'
import { createOutbox, type Notice } from './notifier/outbox.ts'
import { waitAtMost } from './notifier/wait-at-most.ts'

const CHANNEL = 'dragoman'
/** PostgreSQL refuses a payload of 8,000 bytes. https://www.postgresql.org/docs/current/sql-notify.html */
const MAX_PAYLOAD_BYTES = 7900
const FLUSH_TIMEOUT_MS = 1000

/** The answer does not matter: a lost notification does no harm. So the commit does not wait for the disk. */
const NOTIFY = `SELECT set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', payload)
  FROM unnest($1::text[]) AS payload`

/** A notifier that knows how long its latest notification took through the database, in ms. */
export interface PostgresNotifier extends Notifier {
  lagMs(): number | undefined
}

/**
 * Sends what this process appended to all nodes, after the commit and on its own: inside the transaction, NOTIFY
 * would lock all commits of the whole cluster. Notices that are dropped while the database is away do no harm: readers
 * look at the store when it is back.
 */
export async function createPostgresNotifier(pool: pg.Pool, session: Session): Promise<PostgresNotifier> {
  const node = nanoid(12)
  const local = createLocalListeners()
  /** When each notification was sent that has not come back yet. */
  const sentAt: number[] = []
  let lagMs: number | undefined
  await session.onConnect(async (client) => {
    await client.query(`LISTEN ${CHANNEL}`)
    // Notifications since the last connection are lost.
    sentAt.length = 0
    local.wakeAll()
  })
  session.onNotification((channel, payload) => {
    if (channel !== CHANNEL) return
    const [sender, notices] = JSON.parse(payload) as readonly [string, readonly Notice[]]
    if (sender === node) {
      lagMs = performance.now() - (sentAt.shift() ?? performance.now())
      return
    }
    for (const [topic, entries] of notices) local.notify(topic, entries)
  })
  const outbox = createOutbox(async (notices) => {
    const texts = payloads(node, notices)
    for (const _ of texts) sentAt.push(performance.now())
    await pool.query({ name: 'dragoman-notify', text: NOTIFY, values: [texts] }).catch((error: unknown) => {
      sentAt.length = 0
      throw error
    })
  })
  return {
    pollIntervalMs: local.pollIntervalMs,
    lagMs: () => lagMs,
    notify(topic, entries) {
      local.notify(topic, entries)
      outbox.add(entries ? [topic, entries] : [topic])
    },
    listen: local.listen,
    async [Symbol.asyncDispose]() {
      // Another node must hear of the runs that this one has let go.
      await waitAtMost(FLUSH_TIMEOUT_MS, outbox.flush())
      await local[Symbol.asyncDispose]()
    },
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
