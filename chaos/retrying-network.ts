import { setTimeout as pause } from 'node:timers/promises'

import { isServiceError, ServiceError } from '../packages/dragoman/src/errors.ts'
import type { ServerNode } from './server-node.ts'

const RETRY_DELAY_MS = 15

/** A repeatable request is abandoned after this time: its node may be frozen while another is up. */
export const REQUEST_TIMEOUT_MS = 3000

/** Sends requests to any node that is up. */
export interface RetryingNetwork {
  /** Aborts when all waiting must end. */
  readonly signal: AbortSignal
  /**
   * Sends a request once, when a node is up. Undefined if the connection is lost before a response.
   * @throws the server's error
   */
  once<T>(act: (at: string) => Promise<T>): Promise<T | undefined>
  /** Repeats an idempotent request until it is answered. @throws the server's error, and the signal's reason */
  ask<T>(act: (at: string) => Promise<T>): Promise<T>
}

/** `proxyUrl`: of a proxy in front of the nodes, if there is one. */
export function createRetryingNetwork(
  nodes: readonly ServerNode[],
  signal: AbortSignal,
  proxyUrl?: string,
): RetryingNetwork {
  let turn = 0
  const someUrl = async (): Promise<string> => {
    for (;;) {
      const up = nodes.flatMap(({ url }) => url ?? [])
      const url = up[turn++ % Math.max(1, up.length)]
      if (url !== undefined) return proxyUrl ?? url
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

/** @throws ServiceError `unavailable` after the timeout; a late response is discarded */
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

/** Errors of `fetch` and of a closing server that mean that the request is lost. */
function isLost(error: unknown): boolean {
  if (error instanceof TypeError) return /fetch failed|terminated/.test(error.message)
  return isServiceError(error, 'unavailable')
}
