import type {
  Agent,
  AgentModel,
  AgentEngine,
  ContextRules,
  InputGuardrail,
  OutputGuardrail,
  Tool,
  ToolModel,
  ToolResolver,
} from '../agents/index.ts'
import type { CallMeter, ChatRequest, Json, NewRun, Run, RunSummary } from '../events/index.ts'
import type { RunLog, Store } from '../log/index.ts'
import type { History, Projector, Questions, Threads } from '../threads/index.ts'
import type { MessageLimits } from './limit-texts.ts'
import type { RunJournal } from './run-journal.ts'
import type { RunLoad } from './run-load.ts'
import type { RunSecrets } from './run-secrets.ts'

/** What a caller wants said, whose it is, and how they read the answer. */
export type StartRequest = ChatRequest & {
  readonly userId: string
  readonly agent: string
  readonly metadata?: { readonly [key: string]: Json }
  /**
   * `<kind>:<scope>:<name>`: the same key gives the same run. `message:<agent>/$thread:<name>` and
   * `run:<agent>/$thread:<name>` are keys within the thread.
   */
  readonly key?: string
  /** A second key. */
  readonly alias?: string
  readonly reply: NewRun['reply']
  /** Given if a new message ends an answer without a reader, whatever its policy. */
  readonly isUnread?: IsUnread
  /** Calls of the model, at most, if that is fewer than the agent's. */
  readonly maxSteps?: number
  /** For the run's tools alone, and written nowhere: see `AgentModule.toolsFor`. */
  readonly secrets?: Json
}

/** Waits until it is clear whether a run has a reader. */
export type IsUnread = (run: RunSummary) => Promise<boolean>

/** An agent with all that its runs need. */
export type ResolvedAgent = {
  readonly agent: Agent
  readonly engine: AgentEngine
  /** The model is paid for by the caller's own key. */
  readonly ownKey?: true
  /** The agent's model for the tools of a run. `meter` counts what each question asks of it. */
  readonly model: (run: Pick<Run, 'id' | 'userId'>, meter: CallMeter) => ToolModel
  readonly context?: ContextRules
  readonly toolsFor?: ToolResolver
  /** All tools as they are now, if they may change while the run goes on. Never rejects. */
  readonly currentTools?: (signal: AbortSignal) => Promise<readonly Tool[]>
  /** Tools of the agent that the client runs. They are not among the agent's tools. */
  readonly clientTools?: readonly Tool[]
  readonly outputGuardrail?: OutputGuardrail
  readonly inputGuardrail?: InputGuardrail
  /** Model calls in one run of a guest, at most. */
  readonly guestSteps?: number
  /** Its runs need files of the machine on which their conversation began. */
  readonly needsPlace?: true
}

export type RunnerPorts = {
  readonly store: Store
  readonly log: RunLog
  /** Receives unforeseen errors; the log and the readers get a fixed sentence. */
  readonly report: (error: unknown, runId: string) => void
  readonly secrets: RunSecrets
  /** What one run may use: see `Limits` of the configuration. */
  readonly limits: MessageLimits & {
    readonly runSeconds: number
    readonly bytesPerRun: number
    readonly toolInputBytes: number
  }
  /** Counts what runs hold. Default: nothing is counted. */
  readonly load?: RunLoad
  /** Where files are stored. Default: nowhere, and models and tools lose theirs. */
  readonly files?: RunFiles
  /** How long a question waits whose tool has no time of its own, in seconds. */
  readonly answerWithin: number
  /** Where the questions of detached runs are listed. Default: nowhere. */
  readonly questions?: Pick<Questions, 'open' | 'close' | 'closeAll'>
  /** Called as an attempt begins, with the log's last entry. */
  readonly onAttempt?: (run: Run, after: number) => void
  /** Notes for the operator what becomes of runs here. Default: nothing is noted. */
  readonly journal?: RunJournal
  /** Called if another process has taken the run over, which happens to a process that was frozen. */
  readonly onFenced: (runId: string) => void
  /**
   * Called once this process writes no more of a run that has not ended: its readers here must not take the silence
   * for an end.
   */
  readonly onReleased: (runId: string) => void
}

/**
 * The model of an agent for a user, or in its place the one that a request or a thread names.
 * @throws ServiceError `forbidden` if the user may not run it
 */
export type ModelForUser = (agent: Agent, userId: string, model?: string) => AgentModel | undefined

export type RunsOptions = RunnerPorts & {
  readonly threads: Threads
  readonly history: History
  readonly projector: Projector
  /** By agent id. */
  readonly agents: ReadonlyMap<string, ResolvedAgent>
  /** Default: a user may run any model. */
  readonly modelFor?: ModelForUser | undefined
  /** Called before a run's agent and model are resolved, in each attempt. */
  readonly beforeAttempt?: () => Promise<void>
  /** Where this node's files are. Undefined if there is one node. */
  readonly place?: string | undefined
  /** Whether a node in that place is alive. */
  readonly hasPlace?: (place: string) => Promise<boolean>
  /** Whether a node besides this process, which has that name, is alive. */
  readonly hasOtherNode?: (owner: string) => Promise<boolean>
  /** Called before anything of a new run is written. Rejects if the user may not start one now. */
  readonly mayStart?: (starting: Starting) => Promise<void>
  /**
   * Called before a run of a thread is stored. `turns`: those of an earlier history that it brings. Rejects if they are
   * more than the user may store now.
   */
  readonly mayStore?: (storing: Storing) => Promise<void>
  /** Called before runs of a user are removed with their logs: what is to be counted of them must be counted then. */
  readonly beforeRemoval?: (userId: string) => Promise<void>
  /** Called if a run that might start did not: its request was refused after all, or was known, or joined another. */
  readonly notStarted?: (runId: string) => Promise<void>
}

export type FileOfUser = {
  readonly id: string
  readonly mediaType: string
  readonly filename?: string
  readonly bytes: number
}

/** The files of a run's user. */
export type RunFiles = {
  /** `threadId`: the conversation that shows it. @throws ServiceError `storage-full`, `too-large` */
  readonly save: (
    owner: { readonly userId: string; readonly threadId?: string },
    file: { readonly mediaType: string; readonly filename?: string; readonly content: Uint8Array },
  ) => Promise<FileOfUser>
  /** Undefined if the user has no such file. */
  readonly find: (userId: string, fileId: string) => Promise<FileOfUser | undefined>
  /** A conversation shows files. */
  readonly show: (threadId: string, fileIds: readonly string[]) => Promise<void>
  /** @throws ServiceError `not-found`, `too-large` */
  readonly read: (userId: string, fileId: string, maxBytes: number) => Promise<Uint8Array>
  /** A file of the web. @throws ServiceError that names the reason */
  readonly fetch: (url: string, options: FetchedFile) => Promise<Uint8Array>
}

type FetchedFile = { readonly userId: string; readonly signal: AbortSignal; readonly maxBytes: number }

/** What a run is about to store. */
export type Storing = {
  readonly userId: string
  readonly runId: string
  readonly turns: number
  readonly bytes: number
  /** How long the bytes count if no row of a conversation takes their place, in ms. Default: a minute. */
  readonly forMs?: number
}

/**
 * A run before it starts. `isAnswered`: the server answers it itself. `promptTokens`: what it brings to its model, by
 * estimate. `ownKey`: its caller's own key pays for it.
 */
export type Starting = Pick<NewRun, 'userId' | 'agent'> & {
  readonly runId: string
  readonly isAnswered?: boolean
  readonly promptTokens?: number
  readonly ownKey?: boolean
}
