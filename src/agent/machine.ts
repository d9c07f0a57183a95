import type { Json } from '../events/index.ts'
import type { Outward } from '../outward/index.ts'
import type { ToolModel } from './model.ts'

/** A conversation, as its client names it. */
export type ConversationName = { readonly userId: string; readonly agent: string; readonly name: string }

/** Something that was said in one of a user's conversations, and where. `said` is ISO 8601. */
export type Recalled = {
  readonly conversation: string
  readonly agent: string
  readonly title?: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly said: string
}

/** A task for another agent, in whose conversation nothing else stands. Nobody can be asked for a yes there. */
export type Task = {
  readonly agent: string
  readonly words: string
  readonly userId: string
  readonly context: Json
  readonly signal: AbortSignal
  /** Told of each step, tool and outcome, as it comes: a short line each. */
  readonly tell: (line: string) => void
}

/** What a capability may use of the machine that it is plugged into. */
export type Machine = {
  /** The model of an agent, as its file leaves it, for what is judged outside of any run. */
  readonly model: (agentId: string) => ToolModel
  readonly outward: Outward
  /** Told of what nobody foresaw, where no caller is left to be told. */
  readonly report: (error: unknown) => void
  /** Folders of which those below may be worked in: absolute paths. None: no work on files. */
  readonly roots: readonly string[]
  /** Where the server keeps its database and its keys: nothing that is done for a user looks in here. */
  readonly home: string
  /** Seconds that a command may take. */
  readonly commandTimeout: number
  /** What the process was started with: keys among it. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** What a conversation remembers of where its agent works, by our id or its client's name: nothing where the name is new. @throws ServiceError `not-found` where it was deleted, or is another user's */
  readonly contextOf: (conversation: ConversationName) => Promise<Json>
  /** Keeps fields of the surroundings for all later runs of a conversation that say nothing else of them. Nothing where there is no such conversation of the user's. */
  readonly remember: (conversation: ConversationName, fields: Readonly<Record<string, Json>>) => Promise<void>
  /** What was said in a user's conversations, the newest first: but in the run that asks, and in the message that it answers. */
  readonly search: (asked: {
    userId: string
    words: string
    limit: number
    besides: string
  }) => Promise<readonly Recalled[]>
  /** Has another agent do a task, and gives what it says in the end. @throws ServiceError */
  readonly delegate: (task: Task) => Promise<string>
  /** What config.yaml says under these names; null where it says nothing. */
  readonly sections: Readonly<Record<'sources' | 'mcp' | 'workflows', Json>>
}
