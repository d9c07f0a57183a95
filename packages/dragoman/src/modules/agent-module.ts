import type { Hono } from 'hono'
import type { z } from 'zod'

import type {
  Agent,
  AgentServices,
  AgentTools,
  AppEnv,
  ContextRules,
  Delegation,
  DemoScript,
  InputGuardrail,
  OutputGuardrail,
  Tool,
  ToolResolver,
} from '../agents/index.ts'
import type { Database, Migration } from '../database/index.ts'
import type { Json } from '../events/index.ts'
import type { SkillsUsed } from '../access/quota/index.ts'
import type { ServerProtocol, Surface } from '../server/surfaces/index.ts'

/**
 * A plug-in: an agent, and everything else that it adds to the server. Only `agent` is required.
 *
 * @example
 * const module: AgentModule = {
 *   agent: dice,
 *   routes: new Hono<AppEnv>().get('/rolls', (c) => c.json([4, 2])),
 *   guests: { paths: ['/dice/rolls'], maxSteps: 3 },
 * }
 */
export interface AgentModule<Tools = readonly Tool[]> {
  readonly agent: Agent<Tools>
  /** The tools for one run, if they depend on the run's user. */
  readonly toolsFor?: ToolResolver<Tools>
  /** Mounted at `/<agent id>`. Described routes make up `/openapi.json`. */
  readonly routes?: Hono<AppEnv>
  /** APIs at other paths. */
  readonly surfaces?: readonly Surface[]
  /**
   * Socket.IO messages that start a run of the agent, by their type. Each function turns a message's data into the
   * data of a `run_agent` message. @throws ServiceError `invalid-request`
   */
  readonly socketMessages?: Readonly<Record<string, (data: Json) => Json>>
  /** Wire formats that it adds to those of the server. */
  readonly protocols?: readonly ServerProtocol[]
  /** What guests may do with the agent. */
  readonly guests?: GuestAccess
  readonly context?: ContextRules
  readonly outputGuardrail?: OutputGuardrail
  readonly inputGuardrail?: InputGuardrail
  /** What the model without a key does for this agent. Without a script it only says how to set a key. */
  readonly demo?: DemoScript
  /** What it adds to the console: cards for its tools, pages, and more. */
  readonly views?: readonly View[]
  readonly userData?: UserData
  /**
   * Deletes data of the agent that was last changed before that time. The server calls it when it deletes old logs.
   * Data that belongs to a thread refers to the thread's row with `ON DELETE CASCADE`.
   */
  readonly prune?: (before: Date) => Promise<void>
  readonly skillsUsed?: SkillsUsed
  /** What it stores of a user apart from threads, in bytes: it counts for the user's storage. */
  readonly storedBytes?: (userId: string) => Promise<number>
  /**
   * Its runs work on files of the machine on which their conversation began. With several nodes they go to a node of
   * that place.
   */
  readonly needsPlace?: true
  /** Whether the agent answers requests that name no agent. */
  readonly isDefault?: boolean
  /** Set if other agents may give it tasks. */
  readonly delegation?: Delegation
  /** Whether the agent can do its work on this machine. `GET /<agent id>/status` shows it. */
  readonly condition?: () => Promise<Condition>
  /** Work outside all requests, until `signal` aborts. It reports its errors and continues. */
  readonly background?: (signal: AbortSignal, report: (error: unknown) => void) => Promise<void>
  /** The agent's findings for `dragoman doctor`. */
  readonly doctor?: () => Promise<readonly Finding[]>
}

/**
 * Creates an agent module that needs the server's services, tables or settings. `migrations` and `settings` are read
 * before the database opens; `create` is called after that.
 *
 * @example
 * const factory: AgentFactory = {
 *   id: 'dice',
 *   migrations: [{ name: 'dice-1-rolls', statements: ['CREATE TABLE rolls (value INTEGER NOT NULL) STRICT'] }],
 *   create: async () => ({ agent: dice }),
 * }
 * const server = await createServer({ agents: [factory] })
 */
export type AgentFactory<Settings = unknown> = {
  /** The agent's id. The names of its migrations begin with it. */
  readonly id: string
  /** Its tables. Names and order never change: each name is `<id>-<number>-…`. */
  readonly migrations?: readonly Migration[]
  /**
   * Top-level fields that it adds to `config.yaml`, each with a default. A field whose `meta` has a `flag` is
   * also a command-line option and an environment variable; `help` describes it. The fields of `limits` become
   * part of the section of that name.
   */
  readonly settings?: z.ZodType<Settings>
  /**
   * Rebuilds its full-text indexes, or marks their rows so that its module does. Called after the rows of its tables
   * were moved into another database, which has the indexes' tables and nothing in them.
   */
  readonly rebuildIndexes?: (db: Database) => Promise<void>
  /** Loads the agent's code. Called while the database opens, so that the server is ready sooner. */
  readonly preload?: () => Promise<unknown>
  /** Returns undefined if the agent is not configured: the server then has no such agent. */
  create(
    services: AgentServices<Settings>,
  ): AgentModule<AgentTools> | undefined | Promise<AgentModule<AgentTools> | undefined>
}

/**
 * A part of the console that belongs to an agent. Its module is built for browsers, and imports nothing but `react`
 * and `react/jsx-runtime`. Its default export is a component of the props that `@dragoman/console/view` describes:
 *
 * - `card`: shows calls of `tools` once they have returned, with `isLive` also before. `ToolCardProps`
 * - `welcome`: stands above a new conversation. `WelcomeProps`
 * - `page`: a page of its own in the navigation, at `/console/agents/<agent id>`. `PageProps`
 * - `panel`: opens next to a conversation. `PanelProps`
 *
 * @example
 * const views: View[] = [
 *   { kind: 'card', module: new URL('../page/dice-card.js', import.meta.url), tools: ['roll'] },
 *   { kind: 'page', module: new URL('../page/dice-page.js', import.meta.url), title: { en: 'Rolls', zh: '记录' } },
 * ]
 */
export type View =
  | {
      readonly kind: 'card'
      readonly module: URL
      readonly tools: readonly string[]
      /** Whether it also shows calls that wait, run or have failed. */
      readonly isLive?: true
    }
  | { readonly kind: 'welcome'; readonly module: URL }
  | { readonly kind: 'page' | 'panel'; readonly module: URL; readonly title: ViewTitle }

/** A text by language. `en` is used where a language is missing. */
export type ViewTitle = { readonly en: string; readonly [language: string]: string }

/** The access of guests: callers without an account, if the server admits them. */
export type GuestAccess = {
  /** Each path and everything below it is open to guests. */
  readonly paths: readonly string[]
  /** The maximum number of model calls in one run of a guest. */
  readonly maxSteps: number
}

/** The data that an agent stores about a user. */
export type UserData = {
  /** Everything that it stores, for an export of the user's data. */
  readonly export: (userId: string) => Promise<Json>
  /** The shape of what `merge` returns. Parsing `{}` gives the result of a merge that had nothing to do. */
  readonly merged: z.ZodObject
  /** Gives one user's data to another, who keeps their own data. All or nothing; it can be repeated. */
  readonly merge: (from: string, to: string) => Promise<{ readonly [field: string]: Json }>
  /** Deletes everything. It can be repeated after an interruption. */
  readonly erase: (userId: string) => Promise<void>
  /** The IANA time zone in which the user's days begin, if it is known. */
  readonly timeZone?: (userId: string) => Promise<string | undefined>
}

/** Whether an agent can do its work on this machine, and sentences for the server's owner. */
export type Condition = { readonly available: boolean; readonly notes: readonly string[] }

/** One result of a check: `ok`, a `note` for the owner, or a `problem` that stops the server or the agent. */
export type Finding = { readonly level: 'ok' | 'note' | 'problem'; readonly text: string }
