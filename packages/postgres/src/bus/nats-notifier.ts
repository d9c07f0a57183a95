import { setImmediate as nextTurn } from 'node:timers/promises'

import type { ConnectionOptions, NatsConnection, Subscription } from '@nats-io/transport-node'

import type { Notifier } from 'dragoman/stores'

import {
  ANSWER_TIMEOUT_MS,
  MAX_MESSAGE_BYTES,
  PING_INTERVAL_MS,
  RECONNECT_PAUSE_MS,
  TEST_TOPIC,
  type Bus,
  type BusEvents,
} from './bus.ts'
import { createBusNotifier } from './bus-notifier.ts'

const OPTIONS: ConnectionOptions = {
  name: 'dragoman',
  // The server does not send a node its own messages.
  noEcho: true,
  timeout: ANSWER_TIMEOUT_MS,
  pingInterval: PING_INTERVAL_MS,
  maxPingOut: ANSWER_TIMEOUT_MS / PING_INTERVAL_MS,
  reconnectTimeWait: RECONNECT_PAUSE_MS,
  maxReconnectAttempts: -1,
  ignoreAuthErrorAbort: true,
}

/** @throws the error of the first connection */
export async function openNatsNotifier(url: URL, prefix: string): Promise<Notifier> {
  const { connect } = await import('@nats-io/transport-node')
  const connection = await connect({ ...OPTIONS, ...accountOf(url), servers: url.host })
  try {
    await testPermissions(connection, `${prefix}.${TEST_TOPIC}`)
  } catch (error) {
    await connection.close()
    throw error
  }
  return createBusNotifier((events) => createNatsBus(connection, prefix, events))
}

function createNatsBus(connection: NatsConnection, prefix: string, events: BusEvents): Bus {
  const subscriptions = new Map<string, Subscription>()
  let isOpen = true
  const watch = async (): Promise<void> => {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') isOpen = false
      if (type !== 'reconnect') continue
      isOpen = true
      events.onReopen()
      // The library has sent the subscriptions before. The answer tells that they are in force.
      void connection.flush().then(events.onResubscribe, () => undefined)
    }
  }
  void watch()
  return {
    isOpen: () => isOpen,
    maxMessageBytes: () => connection.info?.max_payload ?? MAX_MESSAGE_BYTES,
    // While the server is away, the library would keep all messages.
    async publish(messages) {
      if (!isOpen) throw new Error('NATS is away.')
      for (const [topic, text] of messages) connection.publish(subjectOf(prefix, topic), text)
      await connection.flush()
    },
    async subscribe(topic) {
      const callback = (error: Error | null, message: { string: () => string }): void => {
        if (!error) events.onMessage(topic, message.string())
      }
      subscriptions.set(topic, connection.subscribe(subjectOf(prefix, topic), { callback }))
      await connection.flush()
    },
    unsubscribe(topic) {
      subscriptions.get(topic)?.unsubscribe()
      subscriptions.delete(topic)
    },
    async [Symbol.asyncDispose]() {
      isOpen = false
      await connection.close()
    },
  }
}

/** The server tells of a permission that the account lacks before it answers the flush. */
async function testPermissions(connection: NatsConnection, subject: string): Promise<void> {
  const refusal = Promise.withResolvers<Error>()
  const watch = async (): Promise<void> => {
    for await (const event of connection.status()) if (event.type === 'error') refusal.resolve(event.error)
  }
  void watch()
  const subscription = connection.subscribe(subject, { callback: () => undefined })
  connection.publish(subject)
  const problem = await Promise.race([refusal.promise, connection.flush().then(() => nextTurn())])
  subscription.unsubscribe()
  if (problem) throw problem
}

/** A subject may have no spaces, wildcards or empty parts. */
function subjectOf(prefix: string, topic: string): string {
  const part = encodeURIComponent(topic.toWellFormed()).replaceAll('.', '%2E').replaceAll('*', '%2A')
  return `${prefix}.${part}`
}

/** A user without a password is a token. */
function accountOf({ username, password }: URL): ConnectionOptions {
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
  if (user === '') return {}
  return pass === '' ? { token: user } : { user, pass }
}
