import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { eventsOf, reading } from '../../../../test/support/event-stream.ts'
import { client } from '../../../../test/support/http.ts'
import { scriptedModel, type ScriptedModel } from '../../../../test/support/scripted-model.ts'
import { openServer, type ServerOptions, type TestServer } from '../../../../test/support/server.ts'
import { coding } from '../../src/index.ts'

/** A server with the coding agent, which serves `root`, a folder in `outside`. All of it ends with the test. */
export type CodingServer = ReturnType<typeof client> & {
  readonly server: TestServer
  readonly model: ScriptedModel
  readonly root: string
  readonly outside: string
  /** Posts a message to the chat stream. */
  ask(body: { readonly [key: string]: Json }, query?: string): Promise<Response>
  /** The same, read to its end. */
  askAndRead(body: { readonly [key: string]: Json }, query?: string): Promise<StreamAnswer>
}

export type Envelope = {
  sessionId: string
  messageId: string
  msgStatus: 'generating' | 'finished'
  messages: { type: string; value: unknown; id: string; status: string; timestamp: number }[]
}
export type StreamAnswer = { readonly answer: Response; readonly frames: Envelope[] }

export async function codingServer(
  options: Omit<Partial<ServerOptions>, 'real'> & {
    readonly engine?: string
    /** Further roots, relative to the folder that holds `root` and `outside`. */
    readonly otherRoots?: readonly string[]
  } = {},
): Promise<CodingServer> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'dragoman-coding-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [root, outside] = [join(folder, 'root'), join(folder, 'outside')]
  await Promise.all([root, outside].map((each) => mkdir(each)))
  const model = scriptedModel()
  const {
    flags = [],
    engine,
    otherRoots = [],
    home = join(folder, 'home'),
    isOnDisk = options.home !== undefined,
    ...others
  } = options
  if (engine !== undefined) {
    await mkdir(join(home, 'agents', 'coding'), { recursive: true })
    await writeFile(join(home, 'agents', 'coding', 'agent.json'), JSON.stringify({ id: 'coding', engine }))
  }
  const server = await openServer({
    models: model.models,
    ...others,
    home,
    isOnDisk,
    agents: [coding],
    flags: ['--root', root, ...otherRoots.flatMap((name) => ['--root', join(folder, name)]), ...flags],
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const http = client(server)
  const ask: CodingServer['ask'] = (body, query = '') => http.post(`/api/chat/stream${query}`, body)
  return {
    ...http,
    server,
    model,
    root,
    outside,
    ask,
    async askAndRead(body, query) {
      const answer = await ask(body, query)
      return { answer, frames: await framesOf(answer) }
    },
  }
}

/** The envelopes of an answer, to its end. */
export async function framesOf(answer: Response): Promise<Envelope[]> {
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
  return eventsOf(await reading(answer).whole()).map(({ data }) => JSON.parse(data) as Envelope)
}

/** What is said in envelopes of increments. */
export function saidIn(frames: readonly Envelope[]): string {
  return frames
    .flatMap(({ messages }) => messages)
    .flatMap(({ type, value }) => (type === 'content' ? [String(value)] : []))
    .join('')
}
