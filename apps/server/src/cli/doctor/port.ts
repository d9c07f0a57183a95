import { createServer } from 'node:net'

import type { Config } from 'dragoman/config'
import { version } from 'dragoman/server'
import { notable, reasonOf, well, wrong, type Finding } from './finding.ts'

const ANSWER_MS = 3000

/** Whether we could listen there, or who does. */
export async function port({ host, port: number }: Config): Promise<Finding[]> {
  if (number === 0) return [well('Port: any free one.')]
  try {
    await listenOnce(host, number)
    return [well(`Port: ${number} of ${host} is free.`)]
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!isTaken) return [wrong(`Port: ${number} of ${host} cannot be had: ${reasonOf(error)}.`)]
  }
  const name = host.includes(':') ? `[${host}]` : host
  const theirs = await versionAt(`http://${name}:${number}`).catch(() => undefined)
  if (theirs === undefined) {
    return [wrong(`Port: another program listens on ${number} of ${host}. Choose another with --port.`)]
  }
  const told = `Port: a dragoman ${theirs} answers on ${number} of ${host}`
  return [theirs === version ? well(`${told}.`) : notable(`${told}; this one is ${version}.`)]
}

async function listenOnce(host: string, number: number): Promise<void> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(number, host, resolve))
  } finally {
    server.close()
  }
}

/** Nothing where it is no dragoman that answers. */
async function versionAt(address: string): Promise<string | undefined> {
  const response = await fetch(`${address}/health`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  return versionIn(await response.json())
}

export function versionIn(health: unknown): string | undefined {
  const fields = health as { status?: unknown; version?: unknown; capabilities?: unknown } | null
  const isOurs = fields?.status === 'ok' && Array.isArray(fields.capabilities)
  return isOurs && typeof fields.version === 'string' ? fields.version : undefined
}
