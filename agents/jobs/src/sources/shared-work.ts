import { raceAbort } from 'dragoman/async'

/** Receives the progress of work. */
export type Listener<Progress> = (progress: Progress) => void

/** Work of which each key has one at a time. It is stopped when its last caller leaves. */
export interface SharedWork<Progress, Result> {
  /** Starts the work of a key, or joins it and receives its latest progress first. */
  run(
    key: string,
    caller: { readonly tell: Listener<Progress>; readonly signal: AbortSignal },
    work: (tell: Listener<Progress>, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>
  /** Whether the work of a key goes on. */
  isRunning(key: string): boolean
}

type RunningWork<Progress, Result> = {
  readonly result: Promise<Result>
  readonly listeners: Set<Listener<Progress>>
  readonly control: AbortController
  latest: Progress | undefined
}

export function sharedWork<Progress, Result>(): SharedWork<Progress, Result> {
  const running = new Map<string, RunningWork<Progress, Result>>()

  const start = (
    key: string,
    work: Parameters<SharedWork<Progress, Result>['run']>[2],
  ): RunningWork<Progress, Result> => {
    const control = new AbortController()
    const listeners = new Set<Listener<Progress>>()
    const tell: Listener<Progress> = (progress) => {
      started.latest = progress
      for (const listener of listeners) listener(progress)
    }
    // In a later microtask, when `started` is initialized.
    const result = Promise.resolve().then(() => work(tell, control.signal))
    const started: RunningWork<Progress, Result> = { result, listeners, control, latest: undefined }
    running.set(key, started)
    const remove = (): void => void running.delete(key)
    result.then(remove, remove)
    return started
  }

  return {
    isRunning: (key) => running.has(key),

    async run(key, { tell, signal }, work) {
      signal.throwIfAborted()
      // Work that its last caller has left is about to end.
      for (let last = running.get(key); last?.control.signal.aborted; last = running.get(key)) {
        await Promise.allSettled([last.result])
      }
      const { listeners, control, latest, result } = running.get(key) ?? start(key, work)
      // A function of its own: two callers may pass the same one.
      const listener: Listener<Progress> = (progress) => tell(progress)
      listeners.add(listener)
      if (latest !== undefined) tell(latest)
      try {
        return await raceAbort(result, signal, () => {
          throw signal.reason
        })
      } finally {
        listeners.delete(listener)
        if (listeners.size === 0) {
          control.abort(signal.reason)
          // The last caller waits for the end, so that nothing runs on after the server has closed.
          await Promise.allSettled([result])
        }
      }
    },
  }
}
