import { once } from 'node:events'
import { connect } from 'node:net'

/** A server under test. One that is named in the environment must answer. */
export type TestBus = { readonly name: string; readonly url: string; readonly isThere: boolean }

const SERVERS = [
  { name: 'redis', namedUrl: process.env['DRAGOMAN_TEST_REDIS_URL'], defaultUrl: 'redis://127.0.0.1:6379' },
  { name: 'nats', namedUrl: process.env['DRAGOMAN_TEST_NATS_URL'], defaultUrl: 'nats://127.0.0.1:4222' },
]

export function findBuses(): Promise<TestBus[]> {
  return Promise.all(
    SERVERS.map(async ({ name, namedUrl, defaultUrl }) => ({
      name,
      url: namedUrl ?? defaultUrl,
      isThere: namedUrl !== undefined || (await answers(defaultUrl)),
    })),
  )
}

async function answers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isConnected
}
