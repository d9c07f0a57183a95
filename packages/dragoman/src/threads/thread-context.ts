import { isJsonObject, type Json } from '../events/index.ts'
import type { Thread } from './thread-rows.ts'
import type { Threads } from './threads.ts'

/** What holds for each run of a thread that says nothing else: a part of its metadata. */
export type ThreadDefaults = {
  /** Of its surroundings, field by field. */
  readonly context: { readonly [field: string]: Json }
  readonly model?: string
}

/** Threads are begun everywhere: what is there may be anything. */
export function threadDefaults({ metadata: { context, model } }: Pick<Thread, 'metadata'>): ThreadDefaults {
  return {
    context: isJsonObject(context) ? context : {},
    ...(typeof model === 'string' && { model }),
  }
}

/** The context in which something is asked there: what it says itself, before what is remembered. */
export function mergeThreadContext(thread: Pick<Thread, 'metadata'> | undefined, context: Json): Json {
  return thread && isJsonObject(context) ? { ...threadDefaults(thread).context, ...context } : context
}

/**
 * The context of a conversation, for those who cannot see it: nothing where its name is new.
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

/** Keeps fields of the surroundings with a conversation, beside those that it remembers already. */
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
