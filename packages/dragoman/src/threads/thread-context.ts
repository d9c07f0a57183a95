import { isJsonObject, type Json } from '../events/index.ts'
import type { Thread } from './thread-rows.ts'
import type { Threads } from './threads.ts'

/** Defaults for the runs of a thread, stored in its metadata. */
export type ThreadDefaults = {
  /** The client's context, by field. */
  readonly context: { readonly [field: string]: Json }
  readonly model?: string
}

/** Reads the defaults. Any surface creates threads, so the metadata may hold anything. */
export function threadDefaults({ metadata: { context, model } }: Pick<Thread, 'metadata'>): ThreadDefaults {
  return {
    context: isJsonObject(context) ? context : {},
    ...(typeof model === 'string' && { model }),
  }
}

/** The context of a request: its own fields, before those of the thread. */
export function mergeThreadContext(thread: Pick<Thread, 'metadata'> | undefined, context: Json): Json {
  return thread && isJsonObject(context) ? { ...threadDefaults(thread).context, ...context } : context
}

/**
 * Creates a reader of a thread's context. A new name has an empty context.
 * @throws ServiceError `not-found`, as `known`
 */
export function createContextReader(threads: Pick<Threads, 'known'>) {
  return async (named: {
    readonly userId: string
    readonly agent: string
    readonly name: string
  }): Promise<ThreadDefaults['context']> => {
    const thread = await threads.known(named.userId, named.name, named.agent)
    return thread ? threadDefaults(thread).context : {}
  }
}

/** Creates a function that adds fields to a thread's context. */
export function createContextUpdater(threads: Pick<Threads, 'find' | 'amend'>) {
  return async (
    named: { readonly userId: string; readonly agent: string; readonly name: string },
    fields: ThreadDefaults['context'],
  ): Promise<void> => {
    const thread = await threads.find(named.userId, named.name, named.agent)
    if (!thread) return
    await threads.amend(thread, (metadata) => ({
      ...metadata,
      context: { ...threadDefaults({ metadata }).context, ...fields },
    }))
  }
}
