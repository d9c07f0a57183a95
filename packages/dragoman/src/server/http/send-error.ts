import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import { statusOf, toFailure } from '../../errors.ts'

/** Every response has it: browsers must not guess another content type. */
export const NOSNIFF_HEADER = { 'x-content-type-options': 'nosniff' } as const

/** Responds with an error outside of the app. */
export function sendError(outgoing: ServerResponse, error: unknown): void {
  const { status, headers, body } = toErrorResponse(error)
  outgoing.writeHead(status, headers).end(body)
}

/** Responds with an error on a raw connection and closes it. */
export function sendErrorAndClose(socket: Duplex, error: unknown): void {
  const { status, headers, body } = toErrorResponse(error)
  sendAndClose(socket, status, headers, body)
}

export function sendAndClose(
  socket: Duplex,
  status: number,
  headers: Record<string, string> = {},
  body = '',
): void {
  const lines = Object.entries({ ...headers, ...NOSNIFF_HEADER, connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${body}`, () => socket.destroy())
}

function toErrorResponse(error: unknown): { status: number; headers: Record<string, string>; body: string } {
  const { message, code, retryAfter } = toFailure(error)
  const body = JSON.stringify({ error: message, code, ...(retryAfter !== undefined && { retryAfter }) })
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  }
  return { status: statusOf(error), headers, body }
}
