import type { Json } from 'dragoman/events'
import type { FanOut } from 'dragoman/fan-out'
import type { Connection } from '../transport/connection.ts'
import type { Conversations } from 'dragoman/surfaces'
import type { Followings } from './followings.ts'
import type { ModuleMessage } from './message-of-module.ts'

export type SocketAgent = { readonly id: string; readonly name: string; readonly annotation?: string }

/** One socket: who is there, and what they follow. */
export type Line = { readonly connection: Connection; readonly followed: Followings }

/** Takes a message of one type. Gives what its sender is told, if they ask for an acknowledgement. @throws ServiceError which is told as RUN_ERROR too */
export type MessageType = (line: Line, data: Json) => Promise<Json>

export type SocketApiOptions = Conversations & {
  readonly fanOut: FanOut
  readonly agents: readonly SocketAgent[]
  /** Of those the one that is meant where none is named. */
  readonly defaultAgent: string
  /** The message types of agent modules. */
  readonly moduleMessages: readonly ModuleMessage[]
  readonly report: (error: unknown, where: string) => void
  /** Told what was passed over. */
  readonly noted: (line: { readonly [field: string]: Json }) => void
}
