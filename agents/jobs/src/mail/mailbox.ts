import { z } from 'zod'

import { isServiceError, ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import type { SafeFetch } from 'dragoman/safe-fetch'
import { createFairQueue, openWorkerSession, type WorkerSession } from 'dragoman/isolate'
import type { Batch } from '../sources/found-posting.ts'
import type { Login, Timeouts } from './open-mailbox.ts'
import { linkKey } from './links.ts'
import type { MailboxAnswer, MailboxRequest, Position, Unread } from './mailbox-worker.ts'
import { readMail } from './read-mail.ts'

/** The age of mails that are read the first time. */
const FIRST_READING_DAYS = 30
const DAY_MS = 86_400_000
const TIMEOUTS: Timeouts = { connectMs: 10_000, silentMs: 60_000 }
/** For a whole answer, also from a server that never falls silent. */
const ANSWER_TIMEOUT_MS = 120_000
/** Connections at once, of all users and of one; and those that are open or wait. Each has its own thread. */
const PLACES = { workers: 16, waiting: 256, ofOwner: { workers: 2, waiting: 8 } } as const
/** Somebody waits for a check. */
const CHECK_WAIT_MS = 30_000
const MEGABYTES = 256

/** Reads job alerts in mailboxes. It changes nothing in them. Users take turns, two mailboxes of one at once. */
export interface Mailbox {
  /** Tries to open a mailbox. @returns the number of alerts in it. @throws ServiceError */
  check(userId: string, login: Login, signal: AbortSignal): Promise<number>
  /** The postings of the mails after `state`, a batch for each mail, the oldest first. @throws ServiceError */
  read(userId: string, login: Login, state: Json, signal: AbortSignal): AsyncIterable<Batch>
}

const positionShape: z.ZodType<Position> = z.object({ validity: z.string(), uid: z.number() })

type Ports = {
  readonly outward: SafeFetch
  readonly now: () => Date
  readonly timeouts?: Timeouts
  readonly answerTimeoutMs?: number
  readonly checkWaitMs?: number
}

type Thread = WorkerSession<MailboxRequest, MailboxAnswer>

/** A mailbox that is open in its own thread, and closes with it. */
type MailboxSession = Disposable & {
  readonly unread: Unread
  /** A mail's source, if it still exists. */
  readonly source: (uid: number) => Promise<Uint8Array | null>
}

export function mailboxes(ports: Ports): Mailbox {
  const { checkWaitMs = CHECK_WAIT_MS } = ports
  const places = createFairQueue(PLACES, {
    owner: () => new ServiceError('rate-limited', BUSY, { retryAfter: 60 }),
    all: busyError,
  })
  return {
    async check(userId, login, signal) {
      const timeout = AbortSignal.timeout(checkWaitMs)
      const work = async (): Promise<number> => {
        using mailbox = await open(ports, login, null, signal)
        return mailbox.unread.uids.length
      }
      return places.run(userId, 1, work, AbortSignal.any([signal, timeout])).catch((error: unknown) => {
        throw error === timeout.reason ? busyError() : error
      })
    },

    async *read(userId, login, state, signal) {
      using resources = new DisposableStack()
      resources.use(await places.turn(userId, 1, signal))
      const position = positionShape.safeParse(state).data ?? null
      const mailbox = resources.use(await open(ports, login, position, signal))
      const { validity, uids, last } = mailbox.unread
      for (const uid of uids) {
        yield {
          findings: await findings(userId, await mailbox.source(uid)),
          state: { validity, uid } satisfies Position,
        }
      }
      if (last > (uids.at(-1) ?? 0)) yield { findings: [], state: { validity, uid: last } satisfies Position }
    },
  }
}

async function open(
  { outward, now, timeouts = TIMEOUTS, answerTimeoutMs = ANSWER_TIMEOUT_MS }: Ports,
  login: Login,
  position: Position | null,
  signal: AbortSignal,
): Promise<MailboxSession> {
  const { host, port } = login.account
  const address = await outward.addressOf(host, port, signal)
  const thread = threadFor(host, signal)
  const close = (): void => thread[Symbol.dispose]()
  try {
    const since = new Date(now().getTime() - FIRST_READING_DAYS * DAY_MS)
    const connection = { ...login, address, timeouts }
    const answer = await thread.ask({ connection, known: position, since }, answerTimeoutMs)
    if (!('unread' in answer)) throw new Error('The thread of a mailbox answered with another message.')
    return { unread: answer.unread, source: sourceOn(thread, answerTimeoutMs), [Symbol.dispose]: close }
  } catch (error) {
    close()
    throw error
  }
}

const BUSY = 'Too many mailboxes are open already.'

function busyError(): ServiceError {
  return new ServiceError('unavailable', BUSY, { retryAfter: 60 })
}

/** Each mail server has its own thread, so that a slow one delays nothing else. */
function threadFor(host: string, signal: AbortSignal): Thread {
  return openWorkerSession<MailboxRequest, MailboxAnswer>(
    {
      module: new URL('./mailbox-worker', import.meta.url),
      limits: { megabytes: MEGABYTES },
      refusals: {
        slow: () => new ServiceError('timed-out', `${host} took too long to answer.`),
        large: () => new ServiceError('too-large', `${host} says more than can be read.`),
      },
    },
    signal,
  )
}

function sourceOn(thread: Thread, answerTimeoutMs: number): MailboxSession['source'] {
  return async (uid) => {
    const answer = await thread.ask({ uid }, answerTimeoutMs)
    return 'source' in answer ? answer.source : null
  }
}

/** A mail that cannot be read is skipped, so that it does not block the mails after it. */
async function findings(owner: string, source: Uint8Array | null): Promise<Batch['findings']> {
  if (!source) return []
  try {
    const { subject, sender, postings } = await readMail(owner, source)
    return postings.map(({ url, ...posting }) => {
      const at = new URL(url)
      return { key: linkKey(at), posting: { ...posting, url: at }, subject, sender }
    })
  } catch (error) {
    if (isServiceError(error) && error.code !== 'unavailable') return []
    throw error
  }
}
