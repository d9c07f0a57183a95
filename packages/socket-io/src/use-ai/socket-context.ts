import type { Json } from 'dragoman/events'
import type { FanOut } from 'dragoman/fan-out'
import type { Connection } from '../transport/connection.ts'
import type { Conversations } from 'dragoman/surfaces'
import type { FollowedRuns } from './followed-runs.ts'
import type { ModuleMessage } from './module-message-type.ts'

export type UseAiAgent = { readonly id: string; readonly name: string; readonly annotation?: string }

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
