import { setTimeout as pause } from 'node:timers/promises'

import { isServiceError, ServiceError } from '../packages/dragoman/src/errors.ts'
import type { ServerNode } from './server-node.ts'

/** How long a client waits before it asks again a server that is not there, in ms. */
const RETRY_DELAY_MS = 15

/** One that is asked what it may be asked twice is left after so many ms: it may be frozen, and another one there. */
export const REQUEST_TIMEOUT_MS = 3000

/** How clients reach whichever node is there. */
export interface RetryingNetwork {
  /** Aborts when nobody is to wait any longer. */
  readonly signal: AbortSignal
  /** Asks one node, once some node is there. Gives undefined where the line was lost before an answer came. @throws what the server refused */
  once<T>(act: (at: string) => Promise<T>): Promise<T | undefined>
  /** Asks what does no harm to ask twice until there is an answer. @throws what the server refused, and the signal's reason */
  ask<T>(act: (at: string) => Promise<T>): Promise<T>
}

export function createRetryingNetwork(nodes: readonly ServerNode[], signal: AbortSignal): RetryingNetwork {
  let turn = 0
  const someUrl = async (): Promise<string> => {
    for (;;) {
      const up = nodes.flatMap(({ url }) => url ?? [])
      const url = up[turn++ % Math.max(1, up.length)]
      if (url !== undefined) return url
      await pause(RETRY_DELAY_MS, undefined, { signal })
    }
  }
  const once = async <T>(act: (at: string) => Promise<T>): Promise<T | undefined> => {
    const at = await someUrl()
    try {
      return await act(at)
    } catch (error) {
      if (!isLost(error)) throw error
      await pause(RETRY_DELAY_MS, undefined, { signal })
      return undefined
    }
  }
  return {
    signal,
    once,
    async ask(act) {
      for (;;) {
        signal.throwIfAborted()
        const answer = await once(async (at) => ({ is: await withTimeout(act(at)) }))
        if (answer) return answer.is
      }
    },
  }
}

/** @throws ServiceError `unavailable` where it takes too long; the answer that comes then is left to itself */
async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new ServiceError('unavailable', 'It takes too long.'))
    answer.then(
      (came) => (came instanceof Response ? came.body?.cancel() : undefined),
      () => undefined,
    )
  }, REQUEST_TIMEOUT_MS)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** What `fetch` says of a server that is gone, before its answer or in the middle of it, and what one says that is about to go. */
function isLost(error: unknown): boolean {
  if (error instanceof TypeError) return /fetch failed|terminated/.test(error.message)
  return isServiceError(error, 'unavailable')
}
