import { ServiceError } from '../../errors.ts'
import type { LoadKind } from './load-limits.ts'

const RETRY_AFTER_S = 1
const READER_RETRY_AFTER_S = 5

/** A sentence for a share that is used up, and one for a server that is full. `n` is the limit. */
const SENTENCES: Readonly<Record<LoadKind, readonly [share: string, full: string]>> = {
  connections: ['n of your connections are open already.', 'n connections are open already.'],
  requests: ['n of your requests are in progress already.', 'n requests are in progress already.'],
  readers: ['n answers are open already: let some of them end first.', 'n answers are open already.'],
  sockets: ['n of your connections are open already: close some first.', 'n sockets are open already.'],
  bytesRead: [
    'Your requests hold as many bytes as they may.',
    'The requests in progress hold as many bytes as they may.',
  ],
  bytesUnsent: [
    'Your answers hold as many bytes as they may: read them first.',
    'The answers in progress hold as many bytes as they may.',
  ],
  waitingMessages: ['n of your messages wait already.', 'n messages wait already.'],
  runs: ['n of your runs are at work already: let some of them end first.', 'n runs are at work already.'],
  runBytes: [
    'Your runs hold as many bytes as they may.',
    'The runs in progress hold as many bytes as they may.',
  ],
  expensiveReads: [
    'n of your searches, exports or histories are read already.',
    'n histories are read already.',
  ],
  downloads: ['n of your downloads are in progress already.', 'n downloads are in progress already.'],
}

/** The party has used up its share. If its share is all that the server has, the server is full. */
export function shareError(
  kind: LoadKind,
  limits: { readonly own: number; readonly all: number },
): ServiceError {
  const limit = limits.own
  if (limit === limits.all) return fullError(kind, limit)
  return new ServiceError('rate-limited', sentence(0, kind, limit), { retryAfter: retryAfter(kind) })
}

/** All have used up what the server has. */
export function fullError(kind: LoadKind, limit: number): ServiceError {
  return new ServiceError('overloaded', sentence(1, kind, limit), { retryAfter: retryAfter(kind) })
}

function sentence(which: 0 | 1, kind: LoadKind, limit: number): string {
  return SENTENCES[kind][which].replace(/^n\b/, String(limit))
}

function retryAfter(kind: LoadKind): number {
  return kind === 'readers' || kind === 'sockets' ? READER_RETRY_AFTER_S : RETRY_AFTER_S
}
