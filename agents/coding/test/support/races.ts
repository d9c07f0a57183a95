import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { onTestFinished } from 'vitest'

import { pathWith, type SandboxKind } from '../../src/commands/commands.fixture.ts'
import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { framesOf, reading } from '../../../../test/support/event-stream.ts'
import { client } from '../../../../test/support/http.ts'
import { calls, says, scriptedModel, step, type Step } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { bearer } from '../../../../test/support/users.ts'
import { coding } from '../../src/index.ts'

/** How long each race goes on. `.ci/run` and a reviewer set 20; otherwise it shows only that the harness works. */
export const RACE_SECONDS = Number(process.env['DRAGOMAN_RACE_SECONDS'] ?? 1)
export const SWAPPER = join(import.meta.dirname, 'swapper.pl')
/** Stands in all that lies outside of the root, in names and in texts, and in no request. */
export const OUTSIDE = 'OUT-OF-BOUNDS'

export type Call = readonly [tool: string, input: { readonly [key: string]: Json }]

type More = {
  /** Where the server's home and its user's are, from the folder in which the root lies. */
  readonly home?: string
  readonly user?: string
  readonly flags?: readonly string[]
  readonly users?: readonly string[]
  readonly config?: string
}

export type RaceServer = {
  readonly server: TestServer
  /** The folder that is served. Next to it are the server's home and what must not be reached. */
  readonly root: string
  readonly outside: string
  readonly home: string
  readonly post: (path: string, body: Json) => Promise<Response>
  /** Has the agent make the calls at once, says yes to each that asks, and gives all that came of it. */
  run(workspaceRoot: string, made: readonly Call[], words?: string): Promise<string>
  /** All that the model was told. */
  promptText(): string
}

/** The real server with folders whose names can be swapped with links to what lies outside. */
export async function raceServer(sandbox: SandboxKind, more: More = {}): Promise<RaceServer> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'dragoman-race-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [root, outside] = [join(folder, 'root'), join(folder, 'outside')]
  const home = join(folder, more.home ?? 'home')
  await plant(root, outside)
  await mkdir(home, { recursive: true })
  await writeFile(join(home, `${OUTSIDE}.yaml`), OUTSIDE)
  if (more.config !== undefined) await writeFile(join(home, 'config.yaml'), more.config)
  const model = scriptedModel()
  const server = await openServer({
    models: model.models,
    agents: [coding],
    home,
    flags: ['--root', root, ...(more.flags ?? [])],
    users: more.users ?? [],
    env: { PATH: await pathWith(sandbox), HOME: join(folder, more.user ?? 'user'), SECRET_OF_TEST: OUTSIDE },
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const headers = more.users?.[0] === undefined ? {} : bearer(server.token(more.users[0]))
  const { send } = client(server)
  const post: RaceServer['post'] = (path, body) => send('POST', path, body, headers)
  model.play(Array.from({ length: 20_000 }, () => asMessageSays))
  return {
    server,
    root,
    outside,
    home,
    post,
    promptText: () => JSON.stringify(model.prompts),
    async run(workspaceRoot, made, words = '') {
      const thread = (await (await post('/v1/threads', { agent: 'coding' })).json()) as { id: string }
      const message = `${words} CALLS:${JSON.stringify(made)}`
      const path = `/v1/threads/${thread.id}/runs`
      const answer = await post(path, { message, context: { workspaceRoot } })
      if (answer.status !== 200) return answer.text()
      const id = answer.headers.get('x-run-id')
      const stream = reading(answer)
      const asks = sandbox === 'nothing' && made.some(([tool]) => tool === 'execute_command')
      const questions = asks ? framesOf(await stream.until('"type":"run.waiting"')) : []
      for (const { callId } of questions.filter(({ type }) => type === 'tool.asked'))
        await post(`/v1/runs/${id}/answers`, {
          callId: String(callId),
          answer: { kind: 'approval', approved: true },
        })
      const frames = framesOf(await stream.whole())
      return JSON.stringify(frames.filter(({ type }) => !ECHOES.has(String(type))))
    },
  }
}

/** What repeats the words of a request. */
const ECHOES = new Set(['run.started', 'tool.delta', 'tool.called'])

/** The model makes the calls that the last message names; once it has their results it ends. */
function asMessageSays(prompt: LanguageModelV4Prompt): Step {
  const last = prompt.at(-1)
  const output =
    last?.role === 'user' ? last.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : []
  const made = /CALLS:(\[.+\])/.exec(output.join('\n'))?.[1] ?? '[]'
  const parts = (JSON.parse(made) as Call[]).map(([tool, input], index) => calls(`c${index}`, tool, input))
  return step(...(parts.length === 0 ? [says('Done.')] : parts))
}

async function plant(root: string, outside: string): Promise<void> {
  for (const inside of ['race/x', 'sub', 'above/sub']) {
    await mkdir(join(root, inside), { recursive: true })
    await writeFile(join(root, inside, 'inside.txt'), 'inside')
    await writeFile(join(root, inside, 'secret.txt'), 'harmless')
  }
  for (const beyond of ['target', 'above/sub']) {
    await mkdir(join(outside, beyond), { recursive: true })
    await writeFile(join(outside, beyond, 'secret.txt'), `a secret: ${OUTSIDE}`)
    await writeFile(join(outside, beyond, `${OUTSIDE}.txt`), OUTSIDE)
  }
  await symlink(join(outside, 'target'), join(root, 'race/y'))
  await symlink(join(outside, 'target'), join(root, 'sub-link'))
  await symlink(join(outside, 'above'), join(root, 'above-link'))
}

/** Swaps each of them with a link for as long as the race goes on, from outside of every sandbox. */
export async function swapping(root: string): Promise<() => Promise<number>> {
  const pairs = [
    ['race/x', 'race/y'],
    ['sub', 'sub-link'],
    ['above', 'above-link'],
  ] as const
  const children = pairs.map(([one, other]) => {
    const args = [SWAPPER, join(root, one), join(root, other), String(RACE_SECONDS)]
    return spawn('perl', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  })
  const counts = children.map(async (child) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    await once(child, 'close')
    return Number(output)
  })
  return async () => (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
