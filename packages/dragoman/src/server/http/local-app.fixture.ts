import { connect, type Socket } from 'node:net'

import type { LoadAccount } from '../load/index.ts'
import { createHttpApp, createTrustedProxies } from './index.ts'

/** An app for the local user alone, and what it must be served with. */
export function createLocalApp(load: LoadAccount, { stallTimeoutMs }: { stallTimeoutMs?: number } = {}) {
  const guard = { load, proxies: createTrustedProxies([]) }
  const app = createHttpApp({
    ...guard,
    local: 'local',
    hosts: [],
    origins: [],
    verify: async () => undefined,
    verifySession: async () => undefined,
    report: () => undefined,
    logRequest: () => undefined,
    ...(stallTimeoutMs !== undefined && { stallTimeoutMs }),
  })
  return { app, guard }
}

/** Sends requests and reads nothing of the answers. The caller destroys the socket. */
export function openStalledReader(url: string, requests: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  socket.pause()
  socket.write(requests)
  return socket
}
