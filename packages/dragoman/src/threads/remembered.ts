import { isJsonObject, type Json } from '../events/index.ts'
import type { Thread, Threads } from './threads.ts'

/** What holds for each run of a thread that says nothing else: a part of its metadata. */
export type Remembered = {
  /** Of its surroundings, field by field. */
  readonly context: { readonly [field: string]: Json }
  readonly model?: string
}

/** Threads are begun everywhere: what is there may be anything. */
export function rememberedOf({ metadata: { context, model } }: Pick<Thread, 'metadata'>): Remembered {
  return {
    context: isJsonObject(context) ? context : {},
    ...(typeof model === 'string' && { model }),
  }
}

/** The context in which something is asked there: what it says itself, before what is remembered. */
export function contextIn(thread: Pick<Thread, 'metadata'> | undefined, said: Json): Json {
  return thread && isJsonObject(said) ? { ...rememberedOf(thread).context, ...said } : said
}

/** The context of a conversation, for those who cannot see it: nothing where its name is new. @throws ServiceError `not-found`, as `known` */
export function contextOf(threads: Pick<Threads, 'known'>) {
  return async (named: {
    readonly userId: string
    readonly agent: string
    readonly name: string
  }): Promise<Remembered['context']> => {
    const thread = await threads.known(named.userId, named.name, named.agent)
    return thread ? rememberedOf(thread).context : {}
  }
}

/** Keeps fields of the surroundings with a conversation, beside those that it remembers already. */
export function remembering(threads: Pick<Threads, 'find' | 'amend'>) {
  return async (
    named: { readonly userId: string; readonly agent: string; readonly name: string },
    fields: Remembered['context'],
  ): Promise<void> => {
    const thread = await threads.find(named.userId, named.name, named.agent)
    if (!thread) return
    await threads.amend(thread, (metadata) => ({
      ...metadata,
      context: { ...rememberedOf({ metadata }).context, ...fields },
    }))
  }
}
