import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'

import { io, type Socket } from 'socket.io-client'

/** Sends a message and reads the answer to its end. Returns what went wrong. */
export type Chat = (message: string, onFirstToken: () => void) => Promise<string | undefined>

const TIMEOUT_MS = 30_000
/** A socket joins again after so many messages. */
const MESSAGES_PER_SOCKET = 5

const FORMATS = {
  'ai-sdk': { path: '/assistant/chat', token: '"text-delta"', end: '"type":"finish"', body: toAiSdkBody },
  'ag-ui': {
    path: '/ag-ui/assistant',
    token: '"TEXT_MESSAGE_CONTENT"',
    end: '"RUN_FINISHED"',
    body: toAgUiBody,
  },
} as const

/** Each message is a request on a connection of its own. */
export function chatByHttp(url: string, token: string, format: keyof typeof FORMATS): Chat {
  const { path, body, token: tokenMark, end } = FORMATS[format]
  const thread = randomUUID()
  return async (message, onFirstToken) => {
    try {
      const response = await post(url + path, token, JSON.stringify(body(thread, message)))
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) {
        text += String(chunk)
        if (text.includes(tokenMark)) onFirstToken()
      }
      if (response.statusCode !== 200) return `${format} ${response.statusCode} ${text.slice(0, 200)}`
      return text.includes(end) ? undefined : `${format}: an answer without an end: ${text.slice(-200)}`
    } catch (error) {
      return `${format}: ${String(error)}`
    }
  }
}

async function post(url: string, token: string, body: string): Promise<IncomingMessage> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const clientRequest = request(url, { method: 'POST', headers, agent: false, signal })
  clientRequest.end(body)
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
  return response
}

function toAiSdkBody(id: string, text: string): object {
  const message = { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] }
  return { id, trigger: 'submit-message', messages: [message] }
}

export function toAgUiBody(threadId: string, content: string, more: object = {}): object {
  return {
    threadId,
    runId: randomUUID(),
    messages: [{ id: randomUUID(), role: 'user', content }],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
    ...more,
  }
}

/** Messages share a connection for a while. */
export function chatBySocket(url: string, token: string): Chat {
  const thread = randomUUID()
  let socket: Socket | undefined
  let count = 0
  return async (message, onFirstToken) => {
    if (count++ % MESSAGES_PER_SOCKET === 0) {
      socket?.disconnect()
      socket = io(url, { transports: ['websocket'], forceNew: true, auth: { token }, reconnection: false })
    }
    const data = toAgUiBody(thread, message, { forwardedProps: { agent: 'assistant' } })
    return socket && runOnSocket(socket, data, onFirstToken)
  }
}

function runOnSocket(socket: Socket, data: object, onFirstToken: () => void): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle('socket-io: no end'), TIMEOUT_MS)
    const onEvent = ({ type, message }: { readonly type: string; readonly message?: string }): void => {
      if (type === 'TEXT_MESSAGE_CONTENT') onFirstToken()
      if (type === 'RUN_FINISHED') settle(undefined)
      if (type === 'RUN_ERROR') settle(`socket-io: ${message}`)
    }
    const onFailure = (reason: unknown): void => settle(`socket-io: ${String(reason)}`)
    const settle = (refusal: string | undefined): void => {
      clearTimeout(timer)
      socket.off('event', onEvent).off('connect_error', onFailure).off('disconnect', onFailure)
      resolve(refusal)
    }
    socket.on('event', onEvent).on('connect_error', onFailure).on('disconnect', onFailure)
    socket.emit('message', { type: 'run_agent', data })
  })
}
