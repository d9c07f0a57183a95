import type { Json } from 'dragoman/events'
import type { FanOut } from 'dragoman/fan-out'
import type { Connection } from '../transport/connection.ts'
import type { Conversations } from 'dragoman/surfaces'
import type { FollowedRuns } from './followed-runs.ts'
import type { ModuleMessage } from './module-message-type.ts'

export type UseAiAgent = { readonly id: string; readonly name: string; readonly annotation?: string }

/** One socket: who is there, and what they follow. */
export type SocketContext = { readonly connection: Connection; readonly followedRuns: FollowedRuns }

/** Takes a message of one type. Gives what its sender is told, if they ask for an acknowledgement. @throws ServiceError which is told as RUN_ERROR too */
export type MessageHandler = (line: SocketContext, data: Json) => Promise<Json>

export type UseAiOptions = Conversations & {
  readonly fanOut: FanOut
  readonly agents: readonly UseAiAgent[]
  /** Of those the one that is meant where none is named. */
  readonly defaultAgent: string
  /** The message types of agent modules. */
  readonly moduleMessages: readonly ModuleMessage[]
  readonly report: (error: unknown, where: string) => void
  /** Told what was passed over. */
  readonly logMessage: (line: { readonly [field: string]: Json }) => void
}
