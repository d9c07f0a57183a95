import { z } from 'zod'

import { isServiceError, ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import type { SafeFetch } from 'dragoman/safe-fetch'
import { openWorkerSession, type WorkerSession } from '@dragoman/agent-kit/isolate/isolated-worker'
import type { Batch } from '../sources/finding.ts'
import type { Login, Patience } from './connection.ts'
import { linkKey } from './links.ts'
import type { MailboxAnswer, MailboxRequest, Mark, Unread } from './mailbox-worker.ts'
import { readMail } from './read-mail.ts'

/** What is older is not read the first time. */
const FIRST_DAYS = 30
const DAY_MS = 86_400_000
const PATIENCE: Patience = { connectMs: 15_000, silentMs: 60_000 }
/** A server that never falls silent has so long for each answer. */
const WITHIN_MS = 120_000
/** Each takes a thread. */
const MAX_CONNECTIONS = 16
const MEGABYTES = 256

/** Reads job alerts out of mailboxes. Nothing in them is changed. */
export interface Mailbox {
  /** Tries to open one. @returns how many alerts there are to be read. @throws ServiceError */
  check(login: Login, signal: AbortSignal): Promise<number>
  /**
   * The postings of the mails that have come since `state`, a batch for each mail, the oldest first. @throws
   * ServiceError
   */
  read(login: Login, state: Json, signal: AbortSignal): AsyncIterable<Batch>
}

const mark: z.ZodType<Mark> = z.object({ validity: z.string(), uid: z.number() })

type Ports = {
  readonly outward: SafeFetch
  readonly now: () => Date
  readonly patience?: Patience
  readonly withinMs?: number
}

type Thread = WorkerSession<MailboxRequest, MailboxAnswer>

/** A mailbox that is open on a thread of its own. It closes with the thread. */
type Opened = Disposable & {
  readonly unread: Unread
  /** A mail as it was sent, if it is still there. */
  readonly source: (uid: number) => Promise<Uint8Array | null>
}

export function mailboxes({ outward, now, patience = PATIENCE, withinMs = WITHIN_MS }: Ports): Mailbox {
  let count = 0

  const open = async (login: Login, position: Mark | null, signal: AbortSignal): Promise<Opened> => {
    const { host, port } = login.account
    const address = await outward.addressOf(host, port, signal)
    if (count >= MAX_CONNECTIONS) throw new ServiceError('unavailable', BUSY, { retryAfter: 60 })
    const thread = threadFor(host, signal)
    count += 1
    const close = (): void => {
      count -= 1
      thread[Symbol.dispose]()
    }
    try {
      const since = new Date(now().getTime() - FIRST_DAYS * DAY_MS)
      const answer = await thread.ask(
        { door: { ...login, address, patience }, known: position, since },
        withinMs,
      )
      if (!('unread' in answer)) throw new Error('The thread of a mailbox gave a mail that nobody wanted.')
      return { unread: answer.unread, source: sourceOn(thread, withinMs), [Symbol.dispose]: close }
    } catch (error) {
      close()
      throw error
    }
  }

  return {
    async check(login, signal) {
      using mailbox = await open(login, null, signal)
      return mailbox.unread.uids.length
    },

    async *read(login, state, signal) {
      const position = mark.safeParse(state).data ?? null
      using mailbox = await open(login, position, signal)
      const { validity, uids, last } = mailbox.unread
      for (const uid of uids) {
        yield {
          findings: await findings(await mailbox.source(uid)),
          state: { validity, uid } satisfies Mark,
        }
      }
      if (last > (uids.at(-1) ?? 0)) yield { findings: [], state: { validity, uid: last } satisfies Mark }
    },
  }
}

const BUSY = 'Too many mailboxes are open already.'

/** Each mail server gets one of its own: one that stalls holds up no other, nor a stream. */
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

function sourceOn(thread: Thread, withinMs: number): Opened['source'] {
  return async (uid) => {
    const answer = await thread.ask({ uid }, withinMs)
    return 'source' in answer ? answer.source : null
  }
}

/** A mail that cannot be read is passed over: it must not hold up those after it. */
async function findings(source: Uint8Array | null): Promise<Batch['findings']> {
  if (!source) return []
  try {
    const { subject, sender, postings } = await readMail(source)
    return postings.map(({ url, ...posting }) => {
      const at = new URL(url)
      return { key: linkKey(at), posting: { ...posting, url: at }, subject, sender }
    })
  } catch (error) {
    if (isServiceError(error) && error.code !== 'unavailable') return []
    throw error
  }
}
