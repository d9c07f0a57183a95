import type { Answer } from '../events/index.ts'

/** What becomes of a question: its answer, or that the user has said something else, which the log says already. */
export type Reply = Answer | 'unanswered'

/** The calls of a run that have no outcome yet: each is at work, or waits for its answer. */
export interface OpenCalls {
  /** A call is at work until `work` is over, but for the time in which it waits for an answer. */
  atWork<T>(work: () => Promise<T>): Promise<T>
  /** Waits for the answer to a call that is at work; gives nothing once the run is aborted. */
  answerTo(callId: string): Promise<Reply | undefined>
  /** Hands an answer to the call that waits for it, or is about to. */
  answer(callId: string, answer: Reply): void
  /** Those that wait for an answer, in the order in which they were asked. */
  readonly asked: readonly string[]
  /** Those at work and those that wait. */
  readonly count: number
  /** Resolves once nothing is at work. */
  idle(): Promise<void>
}

export function openCalls(signal: AbortSignal): OpenCalls {
  const waiting = new Map<string, (answer: Reply | undefined) => void>()
  /** Answers to questions that are in the log, and not yet waited for. */
  const early = new Map<string, Reply>()
  let working = 0
  let quiet: PromiseWithResolvers<void> | undefined
  const add = (change: 1 | -1): void => {
    working += change
    if (working > 0) return
    quiet?.resolve()
    quiet = undefined
  }
  const settle = (callId: string, answer: Reply | undefined): void => {
    const resolve = waiting.get(callId)
    if (!resolve) return
    waiting.delete(callId)
    add(1)
    resolve(answer)
  }
  signal.addEventListener(
    'abort',
    () => {
      for (const callId of waiting.keys()) settle(callId, undefined)
    },
    { once: true },
  )
  return {
    async atWork(work) {
      add(1)
      return work().finally(() => add(-1))
    },
    async answerTo(callId) {
      const known = early.get(callId)
      early.delete(callId)
      if (known !== undefined || signal.aborted) return known
      const { promise, resolve } = Promise.withResolvers<Reply | undefined>()
      waiting.set(callId, resolve)
      add(-1)
      return promise
    },
    answer(callId, answer) {
      if (waiting.has(callId)) settle(callId, answer)
      else early.set(callId, answer)
    },
    get asked() {
      return [...waiting.keys()]
    },
    get count() {
      return working + waiting.size
    },
    async idle() {
      while (working > 0) {
        quiet ??= Promise.withResolvers()
        await quiet.promise
      }
    },
  }
}
