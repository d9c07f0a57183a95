import type { Redis, RedisOptions } from 'ioredis'

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

/** A command fails at once while the server is away. None is repeated, and none waits. */
const OPTIONS = {
  lazyConnect: true,
  connectionName: 'dragoman',
  connectTimeout: ANSWER_TIMEOUT_MS,
  socketTimeout: ANSWER_TIMEOUT_MS,
  disconnectTimeout: RECONNECT_PAUSE_MS,
  retryStrategy: () => RECONNECT_PAUSE_MS,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  // A server that still loads its data passes messages on. The check would need a permission.
  enableReadyCheck: false,
  // Its own way leaves a rejection without a handler if the connection is lost again.
  autoResubscribe: false,
} satisfies RedisOptions

/** @throws the error of the first connection */
export async function openRedisNotifier(url: string, prefix: string): Promise<Notifier> {
  const { Redis } = await import('ioredis')
  const publisher = new Redis(url, OPTIONS)
  const subscriber = new Redis(url, OPTIONS)
  try {
    await Promise.all([connect(publisher), connect(subscriber)])
    await subscriber.subscribe(`${prefix}:${TEST_TOPIC}`)
    await subscriber.unsubscribe(`${prefix}:${TEST_TOPIC}`)
    await publisher.publish(`${prefix}:${TEST_TOPIC}`, '')
  } catch (error) {
    await Promise.all([disconnect(publisher), disconnect(subscriber)])
    throw error
  }
  return createBusNotifier((events) => createRedisBus(publisher, subscriber, prefix, events))
}

/** Servers before version 6 let a connection that subscribes do nothing else, so there are two. */
function createRedisBus(publisher: Redis, subscriber: Redis, prefix: string, events: BusEvents): Bus {
  const channels = new Set<string>()
  const channelOf = (topic: string): string => `${prefix}:${topic}`
  subscriber.on('message', (channel, text) => events.onMessage(channel.slice(prefix.length + 1), text))
  subscriber.on('ready', () => {
    const subscribing = channels.size > 0 ? subscriber.subscribe(...channels) : subscriber.ping()
    void subscribing.then(events.onResubscribe, ignore)
  })
  publisher.on('ready', events.onReopen)
  // Otherwise a connection that is gone without a word stays open for hours.
  const pings = setInterval(() => {
    for (const client of [publisher, subscriber]) client.ping().catch(ignore)
  }, PING_INTERVAL_MS)
  pings.unref()
  return {
    isOpen: () => publisher.status === 'ready',
    maxMessageBytes: () => MAX_MESSAGE_BYTES,
    async publish(messages) {
      const commands = messages.map(([topic, text]) => ['publish', channelOf(topic), text])
      const answers = await publisher.pipeline(commands).exec()
      for (const [error] of answers ?? []) if (error) throw error
    },
    async subscribe(topic) {
      channels.add(channelOf(topic))
      await subscriber.subscribe(channelOf(topic))
    },
    unsubscribe(topic) {
      channels.delete(channelOf(topic))
      subscriber.unsubscribe(channelOf(topic)).catch(ignore)
    },
    async [Symbol.asyncDispose]() {
      clearInterval(pings)
      await Promise.all([disconnect(publisher), disconnect(subscriber)])
    },
  }
}

/** `connect` itself only says that the connection is closed; the event has the reason. */
async function connect(client: Redis): Promise<void> {
  let reason: unknown
  client.on('error', (error) => (reason = error))
  await client.connect().catch((error: unknown) => {
    throw reason ?? error
  })
}

async function disconnect(client: Redis): Promise<void> {
  const end = Promise.withResolvers<void>()
  client.once('end', end.resolve)
  // Between two attempts there is no connection, so no event follows.
  if (client.status === 'reconnecting' || client.status === 'end') end.resolve()
  client.disconnect()
  await end.promise
}

function ignore(): void {}
