import type { Config } from '../config/config.ts'
import type { Json } from '../events/index.ts'
import type { ObserverPorts, RunObserver } from '../observability/index.ts'
import type { Conversations, ServerProtocol } from './surfaces/index.ts'
import type { FanOut } from './fan-out/index.ts'
import type { CallerRules, ResolveCaller, SocketCaller, SocketServer } from './http/index.ts'
import type { LoadAccount } from './load/index.ts'

/**
 * A part of the server that is a package of its own, such as Socket.IO or telemetry.
 *
 * @example
 * const plugin: ServerPlugin = { name: 'counter', observe: async () => observer }
 * const server = await createServer({ agents: [dice], plugins: [plugin] })
 */
export interface ServerPlugin {
  readonly name: string
  /** Wire formats that it adds to those of the server. */
  readonly protocols?: readonly ServerProtocol[]
  /** Watches the runs of this process. Returns undefined if the settings ask for nothing. */
  readonly observe?: (config: Config, ports: ObserverPorts) => Promise<RunObserver | undefined>
  /** The folder of a built page for `/`: `index.html`, and files whose names change with their content in `assets/`. */
  readonly page?: string
  /**
   * Opens a server for `/socket.io`, and for WebSockets at an agent's chat, on the port of the HTTP server. It is
   * called at the first such request.
   */
  readonly openSockets?: (services: SocketServices) => Promise<SocketServer>
}

/**
 * What the server gives to a transport over sockets.
 *
 * @example
 * const names = ({ agents }: SocketServices): readonly string[] => agents.map(({ name }) => name)
 */
export type SocketServices = Conversations & {
  readonly agents: readonly SocketAgent[]
  /** The agent that a message means if it names none. */
  readonly defaultAgent: string
  /** Follows runs. */
  readonly fanOut: FanOut
  /** Answers a request that came in a message of a socket, as if it had come alone. */
  readonly fetch: (request: Request, from: SocketCaller) => Promise<Response>
  /** Finds the user of a request. */
  readonly resolveCaller: ResolveCaller
  readonly callerRules: CallerRules
  /** Counts what callers hold. */
  readonly load: LoadAccount
  /** Bytes that a message may have. */
  readonly messageBytes: number
  /** Origins of other sites whose pages may connect. */
  readonly origins: readonly string[]
  /** Reports an error that the caller did not cause. */
  readonly report: (error: unknown, where: string) => void
  /** Logs a message and its answer at level debug. */
  readonly logMessage: (line: { readonly [field: string]: Json }) => void
}

/** An agent, as transports over sockets present it. */
export type SocketAgent = {
  readonly id: string
  readonly name: string
  readonly description?: string | undefined
  /** See `AgentModule.socketMessages`. */
  readonly messages: Readonly<Record<string, (data: Json) => Json>>
}
