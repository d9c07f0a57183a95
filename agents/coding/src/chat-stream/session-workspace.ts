import { z } from 'zod'

import { isJsonObject, type Json } from 'dragoman/events'
import { addThreadContext, threadDefaults, type Thread } from 'dragoman/threads'
import type { Conversations } from 'dragoman/surfaces'

export type ChatStreamOptions = Conversations & {
  /** Whose sessions these are. */
  readonly agent: string
  /** What becomes of where a client wants to work. @throws ServiceError for a folder that is not served */
  readonly resolveContext: (context: Json, userId: string) => Promise<Json>
}

/** Where a session works: a part of what its thread remembers. */
type WorkPlace = {
  readonly workspaceRoot?: string | undefined
  readonly directories?: readonly string[] | undefined
}

const place = z.object({
  workspaceRoot: z.string().optional().catch(undefined),
  directories: z.array(z.string()).optional().catch(undefined),
})

/** Where a session's runs work. */
export function workspaceOfThread(thread: Pick<Thread, 'metadata'>): WorkPlace {
  return workspaceOfContext(threadDefaults(thread).context)
}

/** Where a context says that work is done. */
export function workspaceOfContext(context: Json): WorkPlace {
  return place.parse(isJsonObject(context) ? context : {})
}

/** The context that the agent gets. */
export function toContext({ workspaceRoot, directories = [] }: WorkPlace): Record<string, Json> {
  return {
    ...(workspaceRoot !== undefined && { workspaceRoot }),
    ...(directories.length > 0 && { directories }),
  }
}

/** A thread's metadata once its runs are to work elsewhere. */
export function withWorkspace(metadata: Thread['metadata'], to: WorkPlace): Thread['metadata'] {
  return addThreadContext(metadata, toContext(to))
}

/** The session's name for its client: its own, else ours. */
export function sessionIdOf({ id, clientId }: Thread): string {
  return clientId ?? id
}

/** The folder that a context names, alone. */
export function rootOfContext(context: Json): WorkPlace {
  const { workspaceRoot } = workspaceOfContext(context)
  return workspaceRoot === undefined ? {} : { workspaceRoot }
}
