import { ServiceError } from '../errors.ts'
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
export function threadDefaults({
  metadata: { context, inherited, model },
}: Pick<Thread, 'metadata'>): ThreadDefaults {
  return {
    context: { ...(isJsonObject(inherited) && inherited), ...(isJsonObject(context) && context) },
    ...(typeof model === 'string' && { model }),
  }
}

/** Metadata with fields added to the context that the thread stores. */
export function addThreadContext(
  metadata: Thread['metadata'],
  fields: ThreadDefaults['context'],
): Thread['metadata'] {
  const { context } = metadata
  return { ...metadata, context: { ...(isJsonObject(context) && context), ...fields } }
}

/** Metadata that hold what later messages inherit of a context: see `ContextRules.inherit`. */
export function inheritedContext(context: Json, fields: readonly string[] = []): Thread['metadata'] {
  if (!isJsonObject(context)) return {}
  const inherited = Object.fromEntries(Object.entries(context).filter(([field]) => fields.includes(field)))
  return Object.keys(inherited).length > 0 ? { inherited } : {}
}

/** The context of a request: its own fields, before those of the thread. */
export function mergeThreadContext(thread: Pick<Thread, 'metadata'> | undefined, context: Json): Json {
  return thread && isJsonObject(context) ? { ...threadDefaults(thread).context, ...context } : context
}

/**
 * Creates a reader of a thread's context. A new name has an empty context. `place`: where this node's files are.
 * @throws ServiceError `not-found`, as `known`; `unavailable` if the thread works on files of another place
 */
export function createContextReader(threads: Pick<Threads, 'known'>, place?: string) {
  return async (named: {
    readonly userId: string
    readonly agent: string
    readonly name: string
  }): Promise<ThreadDefaults['context']> => {
    const thread = await threads.known(named.userId, named.name, named.agent)
    if (!thread) return {}
    const { place: stored } = thread.metadata
    if (place !== undefined && typeof stored === 'string' && stored !== place)
      throw new ServiceError(
        'unavailable',
        `The files of this conversation are at "${stored}", and this node is at "${place}". Ask a node of that place.`,
      )
    return threadDefaults(thread).context
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
    await threads.amend(thread, (metadata) => addThreadContext(metadata, fields))
  }
}
