import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import * as ai from 'ai'

import { createServerNode, type ServerNode } from '../chaos/server-node.ts'
import { resumableFetch } from '../packages/client/src/index.ts'
import { openChat, textOf } from '../test/clients/sdk-chat.ts'

/**
 * Kills a server under a stock `useChat`, asks in one protocol and answers in another, meets a busy thread, and
 * regenerates. Exits with 1 if a promise is broken.
 */

type Found = { readonly status: number; readonly json: Record<string, unknown>; readonly headers: Headers }

const home = await mkdtemp(join(tmpdir(), 'dragoman-outlive-'))
const server = createServerNode({
  name: 'server',
  script: join(import.meta.dirname, 'outlive-server.ts'),
  args: (port) => ['--port', String(port), '--home', home, '--log-level', 'silent'],
  logFile: join(home, 'process.log'),
  onLine: () => undefined,
})
try {
  await server.start()
  await killedInWords(server)
  await killedInTool(server)
  await askedAndAnswered(server)
  await busy(server)
  await regenerated(server)
  say('Every promise was kept.')
} finally {
  await server.kill('SIGKILL')
  await rm(home, { recursive: true })
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function again(killed: ServerNode, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  await killed.kill(signal)
  await killed.start()
}

function chatOn({ url = '' }: ServerNode, id: string) {
  return openChat(ai, { url, id, agent: 'demo', fetch: resumableFetch() })
}

async function killedInWords(under: ServerNode): Promise<void> {
  say('1. kill -9 in the middle of an answer, under useChat with resumableFetch\n')
  const chat = chatOn(under, 'counting')
  const answered = chat.sendMessage({ text: 'Count to 40.' })
  await chat.shows('15 16')
  const before = chat.messages[1]
  say(`   shown before: ${textOf(before)}`)
  await again(under, 'SIGKILL')
  await answered
  say(`   in the end:   ${textOf(chat.messages[1])}\n`)
  assert.equal(chat.error, undefined)
  assert.equal(chat.messages.length, 2)
  assert.equal(chat.messages[1]?.id, before?.id)
  assert.equal(textOf(chat.messages[1]), Array.from({ length: 40 }, (_none, n) => n + 1).join(' '))
}

async function killedInTool(under: ServerNode): Promise<void> {
  say('2. kill -9 while a tool that writes is at work\n')
  const chat = chatOn(under, 'booking')
  const answered = chat.sendMessage({ text: 'Book table 7.' })
  await chat.shows('"input-available"')
  await until(async () => (await readEffects()).includes('table 7'))
  await again(under, 'SIGKILL')
  await answered
  const call = chat.messages[1]?.parts.find((part) => part.type === 'tool-book')
  say(`   the tool: ${JSON.stringify(call && 'errorText' in call ? call.errorText : call)}`)
  say(`   the answer: ${textOf(chat.messages[1])}`)
  say(`   what it wrote: ${JSON.stringify(await readEffects())}\n`)
  assert.match(JSON.stringify(call), /whether it has done its work is not known/)
  assert.equal((await readEffects()).match(/table 7/g)?.length, 1)
}

async function askedAndAnswered(under: ServerNode): Promise<void> {
  say('3. asked in ui-message-stream, the server begun again, answered by curl, read in eve\n')
  const paymentResponse = await post(under, '/demo/chat', { ...userMessage('Pay 20.'), id: 'paying' })
  const [question] = (await ask(under, 'GET', '/v1/questions')).json['questions'] as Record<string, unknown>[]
  say(`   GET /v1/questions: ${JSON.stringify(question)}`)
  await again(under, 'SIGTERM')
  const run = paymentResponse.headers.get('x-run-id')
  const path = `/v1/runs/${run}/answers`
  const yes = { callId: question?.['callId'], answer: { kind: 'approval', approved: true } }
  const [first, second] = [await post(under, path, yes), await post(under, path, yes)]
  const words = await (await fetch(`${under.url}/v1/runs/${run}/events?protocol=eve`)).text()
  say(`   the answer: ${first.status}; a second one: ${second.status} ${JSON.stringify(second.json)}`)
  say(
    `   in eve: …${words.slice(words.lastIndexOf('tool-result') - 9, words.lastIndexOf('tool-result') + 90).trim()}\n`,
  )
  assert.deepEqual([first.status, second.status, second.json['code']], [200, 409, 'already-answered'])
  assert.match(words, /20 paid/)
  assert.equal((await readEffects()).match(/paid 20/g)?.length, 1)
}

async function busy(under: ServerNode): Promise<void> {
  say('4. a thread whose run goes on\n')
  await post(under, '/v1/threads', { agent: 'demo', name: 'busy' })
  const begin = (message: string, policy: string) =>
    post(under, '/v1/threads/busy/runs', { message, policy }, 'head')
  const first = await begin('Count to 60.', 'reject')
  for (const policy of ['reject', 'enqueue', 'steer', 'interrupt']) {
    const { status, headers, json } = await begin(`Count to ${policy.length}.`, policy)
    const run = headers.get('x-run-id')
    const which =
      run === first.headers.get('x-run-id') ? 'the same run' : run ? 'a run of its own' : json['code']
    say(`   ${policy.padEnd(9)} ${status} ${String(which)}`)
    assert.equal(status, policy === 'reject' ? 409 : 200)
    assert.equal(which === 'the same run', policy === 'steer')
  }
  await until(async () => (await ask(under, 'GET', '/v1/threads/busy')).json['live'] === null)
  const { json } = await ask(under, 'GET', '/v1/threads/busy/messages')
  const assistantMessages = (json['messages'] as { role: string; status?: string }[]).filter(
    ({ role }) => role === 'assistant',
  )
  say(`   in the end: ${assistantMessages.map(({ status }) => status).join(', ')}\n`)
  assert.equal(assistantMessages.at(-1)?.status, 'finished')
}

async function regenerated(under: ServerNode): Promise<void> {
  say('5. regenerate() of useChat\n')
  const chat = chatOn(under, 'again')
  await chat.sendMessage({ text: 'Count to 3.' })
  const old = chat.messages[1]?.id
  await chat.regenerate()
  const { json } = await ask(under, 'GET', '/v1/threads/again/messages')
  const answer = (json['messages'] as { id: string; siblings: string[]; place: number }[]).at(-1)
  say(
    `   the old answer: ${old}\n   the new one: ${answer?.id}, ${answer?.place} of ${JSON.stringify(answer?.siblings)}`,
  )
  const chosen = await ask(under, 'PATCH', '/v1/threads/again', { chosen: old })
  say(`   PATCH {chosen: the old one}: ${chosen.status}\n`)
  assert.deepEqual(answer?.siblings, [old, answer?.id])
  assert.equal(chosen.json['chosen'], old)
}

function userMessage(text: string) {
  return {
    trigger: 'submit-message',
    messages: [{ id: text, role: 'user', parts: [{ type: 'text', text }] }],
  }
}

async function readEffects(): Promise<string> {
  return readFile(join(home, 'written.txt'), 'utf8').catch(() => '')
}

/** An answer that is no JSON is read to its end, unless its head is enough: then the reader goes. */
async function post(
  at: ServerNode,
  path: string,
  body: object,
  how: 'whole' | 'head' = 'whole',
): Promise<Found> {
  return found(await send(at, 'POST', path, body), how)
}

async function ask(at: ServerNode, method: string, path: string, body?: object): Promise<Found> {
  return found(await send(at, method, path, body), 'whole')
}

function send({ url }: ServerNode, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function found(response: Response, how: 'whole' | 'head'): Promise<Found> {
  const { status, headers } = response
  const isJson = headers.get('content-type')?.includes('json')
  const json = isJson ? ((await response.json()) as Record<string, unknown>) : {}
  if (!isJson) await (how === 'whole' ? response.text() : response.body?.cancel())
  return { status, json, headers }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}
