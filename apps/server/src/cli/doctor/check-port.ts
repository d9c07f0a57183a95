import { createServer } from 'node:net'

import type { Config } from 'dragoman/config'
import { version } from 'dragoman/server'
import { note, ok, problem, reasonOf, type Finding } from './finding.ts'

const HEALTH_TIMEOUT_MS = 3000

/** Whether the server can listen on its port, or which program does. */
export async function checkPort({ host, port }: Config): Promise<Finding[]> {
  if (port === 0) return [ok('Port: any free one.')]
  try {
    await listenOnce(host, port)
    return [ok(`Port: ${port} of ${host} is free.`)]
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!isTaken) return [problem(`Port: ${port} of ${host} cannot be used: ${reasonOf(error)}.`)]
  }
  const name = host.includes(':') ? `[${host}]` : host
  const running = await versionAt(`http://${name}:${port}`).catch(() => undefined)
  if (running === undefined) {
    return [problem(`Port: another program listens on ${port} of ${host}. Choose another with --port.`)]
  }
  const text = `Port: dragoman ${running} answers on ${port} of ${host}`
  return [running === version ? ok(`${text}.`) : note(`${text}; this is ${version}.`)]
}

async function listenOnce(host: string, port: number): Promise<void> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  } finally {
    server.close()
  }
}

async function versionAt(address: string): Promise<string | undefined> {
  const response = await fetch(`${address}/health`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
  })
  return versionIn(await response.json())
}

/** The version of a dragoman server; undefined if another program answers. */
export function versionIn(health: unknown): string | undefined {
  const fields = health as { status?: unknown; version?: unknown; capabilities?: unknown } | null
  const isDragoman = fields?.status === 'ok' && Array.isArray(fields.capabilities)
  return isDragoman && typeof fields.version === 'string' ? fields.version : undefined
}
