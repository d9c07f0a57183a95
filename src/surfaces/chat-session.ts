import { z } from 'zod'

import { isJsonObject, type Json } from '../events/index.ts'
import type { Thread } from '../threads/index.ts'
import type { Conversations } from './conversations.ts'

export type ChatStreamOptions = Conversations & {
  /** Whose sessions these are. */
  readonly agent: string
  /** What becomes of where a client wants to work. @throws ServiceError for a folder that is not served */
  readonly settle: (context: Json, userId: string) => Promise<Json>
  /** @throws ServiceError `invalid-request` for a model that cannot be asked */
  readonly mustReach: (model: string) => void
}

/** What a session remembers between its requests: the metadata of its thread. */
export type Remembered = {
  readonly workspaceRoot?: string | undefined
  readonly directories?: readonly string[] | undefined
  readonly model?: string | undefined
  /** What its client has said of it. */
  readonly client?: Readonly<Record<string, Json>> | undefined
}

/** Threads are begun elsewhere too: what is there may be anything. */
const remembered = z.object({
  workspaceRoot: z.string().optional().catch(undefined),
  directories: z.array(z.string()).optional().catch(undefined),
  model: z.string().optional().catch(undefined),
  client: z.record(z.string(), z.json()).optional().catch(undefined),
})

export function rememberedOf({ metadata }: Thread): Remembered {
  return remembered.parse(metadata)
}

/** Where its runs work, as it is told to the agent. */
export function placeOf({ workspaceRoot, directories = [] }: Remembered): Record<string, Json> {
  return {
    ...(workspaceRoot !== undefined && { workspaceRoot }),
    ...(directories.length > 0 && { directories }),
  }
}

/** The session's name for its client: its own, else ours. */
export function sessionIdOf({ id, clientId }: Thread): string {
  return clientId ?? id
}

/** The folder that a settled context names. */
export function rootIn(settled: Json): { readonly workspaceRoot?: string } {
  const root = isJsonObject(settled) ? settled['workspaceRoot'] : undefined
  return typeof root === 'string' ? { workspaceRoot: root } : {}
}
