import type { Hono } from 'hono'

import type { AssistantMessage, Json, UserPart } from '../events/index.ts'
import type { Agent } from './agent.ts'
import type { ServerTool } from './tool.ts'
import type { WorkflowRunner } from './workflow.ts'

/** What is known of a caller once the door has let it in. */
export type Door = { Variables: { userId: string } }

/** Whether a capability can do its work on this machine, and what its owner should know of that: a sentence each. */
export type Condition = { readonly available: boolean; readonly notes: readonly string[] }

/** For which run tools are wanted. `secrets`: what its caller has sent for them alone; it is written nowhere, and gone once the process ends. */
export type ToolsAsked = {
  readonly userId: string
  /** Our id of it: `conv_…`. */
  readonly conversation: string
  readonly context: Json
  readonly secrets: Json
  /** What agent and client share, where they do. */
  readonly state?: Json
  readonly signal: AbortSignal
}

/** An answer that a model takes for complete. `said` is all that the run has said so far. */
export type Reviewed = {
  readonly userId: string
  readonly conversation: string
  readonly context: Json
  readonly said: AssistantMessage
  readonly signal: AbortSignal
}

/** What of one user's has become another's: names of fields that the other had not, and how many memories. */
export type Adopted = { readonly profile: readonly string[]; readonly memories: number }

/** A plug-in: an agent, what it may do, and the REST routes of its domain. */
export interface Capability {
  readonly agent: Agent
  readonly tools: readonly ServerTool[]
  /** Where it asks no model: who runs what its runs are. */
  readonly runners?: readonly WorkflowRunner[]
  /** Mounted at `/<agent id>`. */
  readonly routes: Hono<Door>
  /** Those that a documented API has elsewhere, by the path at which they are mounted. */
  readonly routesAt?: Readonly<Record<string, Hono<Door>>>
  /** What of this machine it depends on, as it is now. */
  readonly condition?: () => Promise<Condition>
  /**
   * What becomes of the client's surroundings when a run is asked for: what they only describe may be kept, and its id put in its place.
   * The run, its tools and the model get what this gives. `said` is the user's message. @throws ServiceError
   */
  readonly settleContext?: (context: Json, userId: string, said: readonly UserPart[]) => Promise<Json>
  /**
   * What else it may do in one run, where that depends on whose it is: asked whenever a run begins or is gone on with. What fails is left
   * out, and named by a sentence in `notes`, which the agent is told.
   */
  readonly toolsFor?: (
    asked: ToolsAsked,
  ) => Promise<{ tools: readonly ServerTool[]; notes: readonly string[] }>
  /**
   * Looks an answer over before its run ends. Words of it are told to the model, which then says what is to be put right: once in a run,
   * whatever comes of it. What was said stays said. What fails is reported, and the answer stays as it is.
   */
  readonly review?: (said: Reviewed) => Promise<string | undefined>
  /** The IANA zone in which a user's days begin, where it is known. */
  readonly zoneOf?: (userId: string) => Promise<string | undefined>
  /**
   * Gives what it keeps of one user to another, who keeps what they have: all or none of it. Where there is nothing more to give, nothing
   * is given.
   */
  readonly adopt?: (from: string, to: string) => Promise<Adopted>
  /** Removes all that it keeps of a user who is no more. Where that was cut off in the middle it is asked for again. */
  readonly forget?: (userId: string) => Promise<void>
  /** What it does beside all requests, until `signal` aborts. It reports what fails, and goes on. */
  readonly background?: (signal: AbortSignal, report: (error: unknown) => void) => Promise<void>
}
