import type { Json } from 'dragoman/events'
import type { FanOut } from 'dragoman/fan-out'
import type { Connection } from '../transport/connection.ts'
import type { Conversations } from 'dragoman/surfaces'
import type { FollowedRuns } from './followed-runs.ts'

export type UseAiAgent = { readonly id: string; readonly name: string; readonly annotation?: string }

/** A message type of an agent module: it starts a run of that agent. See `AgentModule.socketMessages`. */
export type ModuleMessage = {
  readonly type: string
  readonly agent: string
  readonly toRequest: (data: Json) => Json
}

/** A connection with the runs that it follows. */
export type SocketContext = { readonly connection: Connection; readonly followedRuns: FollowedRuns }

/** Handles a message of one type. Returns the acknowledgement. @throws ServiceError which is also sent as RUN_ERROR */
export type MessageHandler = (line: SocketContext, data: Json) => Promise<Json>

export type UseAiOptions = Conversations & {
  readonly fanOut: FanOut
  readonly agents: readonly UseAiAgent[]
  /** The agent for messages that name none. */
  readonly defaultAgent: string
  /** The message types of agent modules. */
  readonly moduleMessages: readonly ModuleMessage[]
  readonly report: (error: unknown, where: string) => void
  /** Logs a message that was ignored. */
  readonly logMessage: (line: { readonly [field: string]: Json }) => void
}
