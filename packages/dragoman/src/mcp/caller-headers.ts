import { z } from 'zod'

import type { Json } from '../events/index.ts'
import { HEADER_VALUE, type HttpServer } from './server-config.ts'

export type Headers = Readonly<Record<string, string>>

const MAX_PATTERNS = 50
const MAX_HEADERS = 20
const MAX_VALUE_LENGTH = 8192

/** The secrets of a run: headers for MCP servers, by patterns of their addresses. */
const secrets = z.object({
  mcpHeaders: z.record(
    z.string(),
    z.object({ headers: z.record(z.string().regex(/^[\w-]{1,100}$/), z.string().max(MAX_VALUE_LENGTH)) }),
  ),
})

/** Of these a request has its own, or its protocol decides them. */
const RESERVED_HEADERS = new RegExp(
  '^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*|content-.*|accept.*' +
    '|mcp-.*|last-event-id|x-forwarded-.*|forwarded)$',
)

/**
 * The caller's headers for one server, by the patterns of its address. They do not replace configured headers. Wrong
 * input counts as none: it came with a request, and no error quotes it.
 */
export function callerHeaders({ url, headers: configured }: HttpServer, runSecrets: Json): Headers {
  const read = secrets.safeParse(runSecrets)
  if (!read.success) return {}
  const fixed = new Set(Object.keys(configured).map((name) => name.toLowerCase()))
  const matches = Object.entries(read.data.mcpHeaders)
    .slice(0, MAX_PATTERNS)
    .filter(([pattern]) => matchesPattern(pattern, new URL(url)))
    .flatMap(([, { headers }]) => Object.entries(headers))
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => !fixed.has(name) && !RESERVED_HEADERS.test(name) && HEADER_VALUE.test(value))
  return Object.fromEntries(matches.slice(0, MAX_HEADERS))
}

/** `*` matches inside one label of a host name. Only loopback hosts are reached without TLS. */
function matchesPattern(pattern: string, server: URL): boolean {
  const [, protocol, host, port = ''] = /^(https?:)\/\/([^/:[\]]+)(?::(\d+))?\/?\*{0,2}$/i.exec(pattern) ?? []
  if (protocol === undefined || host === undefined) return false
  if (server.protocol !== protocol.toLowerCase()) return false
  if (server.protocol === 'http:' && !isLoopback(server.hostname)) return false
  if (server.port !== normalizePort(port, server.protocol)) return false
  const hostPattern = host.toLowerCase().split('.')
  const parts = server.hostname.split('.')
  return hostPattern.length === parts.length && hostPattern.every((each, at) => isLike(parts[at] ?? '', each))
}

function normalizePort(port: string, protocol: string): string {
  return port === (protocol === 'https:' ? '443' : '80') ? '' : port
}

function isLike(part: string, hostPattern: string): boolean {
  const [before = '', behind, ...more] = hostPattern.split('*')
  if (behind === undefined) return part === hostPattern
  const isLongEnough = part.length >= before.length + behind.length
  return more.length === 0 && isLongEnough && part.startsWith(before) && part.endsWith(behind)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || /^127(\.\d+){3}$/.test(host)
}
