type Listener = Parameters<AbortSignal['addEventListener']>[1]
type Options = Parameters<AbortSignal['addEventListener']>[2]

export type GuardedSignal = {
  readonly signal: AbortSignal
  /** The signal no longer follows its source. Call it once the code is over: the source keeps the signal until then. */
  readonly release: () => void
}

/**
 * A signal for code of others. What a listener throws, or rejects with, is reported: Node would end the process.
 * https://nodejs.org/api/events.html#nodejs-eventtarget-error-handling
 */
export function guardSignal(source: AbortSignal, report: (error: unknown) => void): GuardedSignal {
  // The source owns the controller. Node keeps one of `AbortSignal.any` that has a listener as long as its sources.
  const control = new AbortController()
  const abort = (): void => control.abort(source.reason)
  if (source.aborted) abort()
  else source.addEventListener('abort', abort, { once: true })
  const inner = control.signal
  const add = inner.addEventListener.bind(inner)
  const remove = inner.removeEventListener.bind(inner)
  const guards = new WeakMap<object, (event: Event) => void>()
  const guardOf = (listener: Listener): ((event: Event) => void) => {
    const existing = guards.get(listener)
    if (existing) return existing
    const guard = (event: Event): void => {
      const act = async (): Promise<unknown> =>
        typeof listener === 'function' ? listener.call(inner, event) : listener.handleEvent(event)
      act().catch(report)
    }
    guards.set(listener, guard)
    return guard
  }
  let handler: AbortSignal['onabort'] = null
  const signal = Object.defineProperties(inner, {
    addEventListener: {
      value: (type: 'abort', listener: Listener | null, options?: Options) =>
        listener && add(type, guardOf(listener), options),
    },
    removeEventListener: {
      value: (type: 'abort', listener: Listener | null, options?: Options) =>
        listener && remove(type, guardOf(listener), options),
    },
    onabort: {
      get: () => handler,
      set: (next: AbortSignal['onabort']) => {
        if (handler) remove('abort', guardOf(handler as Listener))
        handler = typeof next === 'function' ? next : null
        if (handler) add('abort', guardOf(handler as Listener))
      },
    },
  })
  return { signal, release: () => source.removeEventListener('abort', abort) }
}
