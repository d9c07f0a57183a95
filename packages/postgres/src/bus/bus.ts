/** What one message carries at most. NATS refuses 1 MB, and a large one delays all others of its connection. */
export const MAX_MESSAGE_BYTES = 256 * 1024

/** The topic that a bus is tried with when it is opened. It shows at once if the account lacks a permission. */
export const TEST_TOPIC = 'test'

/** A connection that gets no answer for this long is opened again. */
export const ANSWER_TIMEOUT_MS = 4000
/** How often an idle connection is tried. */
export const PING_INTERVAL_MS = 2000
/** The pause before another attempt to connect. */
export const RECONNECT_PAUSE_MS = 250

export type BusMessage = readonly [topic: string, text: string]

export type BusEvents = {
  /** Gets each message of a topic that is subscribed. It may be one of this node. */
  readonly onMessage: (topic: string, text: string) => void
  /** Called when all subscriptions are in force again. Messages since the connection was lost are lost. */
  readonly onResubscribe: () => void
  /** Called when `publish` works again. */
  readonly onReopen: () => void
}

/** A server that passes messages on to those who subscribed. It comes back by itself after its connection was lost. */
export interface Bus extends AsyncDisposable {
  /** Whether `publish` may work. */
  isOpen(): boolean
  maxMessageBytes(): number
  /** Resolves when the server has the messages. Rejects if they may be lost. */
  publish(messages: readonly BusMessage[]): Promise<void>
  /** Resolves when the subscription is in force. Rejects if the bus is away: then it begins when the bus is back. */
  subscribe(topic: string): Promise<void>
  unsubscribe(topic: string): void
}
