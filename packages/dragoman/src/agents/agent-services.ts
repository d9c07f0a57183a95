import type { Database } from '../database/index.ts'
import type { Json } from '../events/index.ts'
import type { SafeFetch } from '../safe-fetch/index.ts'
import type { ToolModel } from './tool-model.ts'

/** A thread, by our id or by its client's name. */
export type ThreadReference = { readonly userId: string; readonly agent: string; readonly name: string }

/** A message in one of a user's threads. `sentAt` is ISO 8601. */
export type MessageHit = {
  readonly threadId: string
  readonly agent: string
  readonly title?: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly sentAt: string
}

/** A task for another agent. It runs in a thread of its own, and no person can approve anything in it. */
export type Task = {
  readonly agent: string
  readonly prompt: string
  readonly userId: string
  readonly context: Json
  readonly signal: AbortSignal
  /** Called with a short line for each step, tool and outcome. */
  readonly onProgress: (line: string) => void
}

/** How an agent presents itself to other agents that may give it a task. */
export type Delegation = {
  /** What it does, as the continuation of its id: "finds and judges job postings". */
  readonly description: string
  /** Whether the user must approve each task. */
  readonly needsApproval: boolean
  /** The field of its context that names the folder to work in, if it works in folders. */
  readonly folderField?: string
}

/** An agent that can be given a task. */
export type Delegate = Delegation & { readonly id: string }

/** Limits what users create with an agent, and counts what it stores of them: see `AgentModule.storedBytes`. */
export type AgentStorage = {
  /**
   * Called before entries of a kind, such as `memories`, are stored for a user, on whatever way. `count`: their number,
   * 1 by default.
   * @throws ServiceError `rate-limited` if the user has created too many in this minute, `storage-full` if the user's
   * storage is full
   */
  readonly mayCreate: (userId: string, what: string, count?: number) => Promise<void>
  /**
   * Does what stores up to so many bytes more for a user: a new entry, or a larger one. They are reserved until it is
   * done and measured, so calls at the same time do not find the same room. With 0 bytes, it is only measured.
   * @throws ServiceError `storage-full` without doing anything if the user has no room for them
   */
  readonly grow: <Result>(userId: string, bytes: number, store: () => Promise<Result>) => Promise<Result>
  /** Called after entries were changed or deleted, so that they are measured again. */
  readonly changed: (userId: string) => void
}

/**
 * What the server gives to an agent module. `settings` are the agent's own fields of `config.yaml`.
 *
 * @example
 * const create = async (services: AgentServices): Promise<AgentModule> => {
 *   services.warn('The dice are loaded.')
 *   return { agent: dice }
 * }
 */
export type AgentServices<Settings = unknown> = {
  readonly settings: Settings
  /** The database of the server, for tables of the agent's own. */
  readonly database: Database
  /**
   * An agent's model, with the changes of its agent.json, for work outside any run. What it is asked counts as runs of
   * the user, in their quota and in the starts of a minute.
   */
  readonly model: (agentId: string, userId: string) => ToolModel
  readonly safeFetch: SafeFetch
  /** Reports an unforeseen error that no caller is left to hear about. */
  readonly report: (error: unknown) => void
  /** Writes a warning for the server's owner to the process log. */
  readonly warn: (problem: string) => void
  /** The folder of the server's database and keys. Nothing that is done for a user may read it. */
  readonly home: string
  /** The process environment, including keys. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether every caller needs a token, on loopback too. */
  readonly requiresToken: boolean
  /**
   * The context that a thread remembers: empty if the name is new. @throws ServiceError `not-found` if it was
   * deleted or belongs to another user, `unavailable` if it works on the files of another node
   */
  readonly readThreadContext: (conversation: ThreadReference) => Promise<Json>
  /**
   * Stores fields of the context for all later runs of a thread that do not set them. Does nothing if the user
   * has no such thread.
   */
  readonly updateThreadContext: (
    conversation: ThreadReference,
    fields: Readonly<Record<string, Json>>,
  ) => Promise<void>
  /** Searches a user's threads, newest first. Leaves out the run `besides` and the message that it answers. */
  readonly searchMessages: (query: {
    userId: string
    words: string
    limit: number
    besides: string
  }) => Promise<readonly MessageHit[]>
  /**
   * All threads of a user, with every branch: the items of a JSON array, in pieces for `deliverPages`. `bytes` is about
   * what a piece is made from.
   */
  readonly exportThreads: (
    userId: string,
  ) => AsyncGenerator<{ readonly bytes: number; readonly make: () => Promise<string> }>
  /**
   * Deletes all threads of a user, with their sign-ins at MCP servers, and returns the number of threads. The thread
   * `besides` is deleted once its run has ended.
   */
  readonly deleteThreads: (userId: string, besides?: string) => Promise<number>
  /** The limits and the count of what users store. */
  readonly storage: AgentStorage
  /** Has another agent do a task and returns its final text. @throws ServiceError */
  readonly delegate: (task: Task) => Promise<string>
  /** The agents that can be given a task. Known once the server is open, so call it when a run begins. */
  readonly delegates: () => readonly Delegate[]
}
