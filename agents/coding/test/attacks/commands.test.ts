import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import {
  hasSandbox,
  noSandboxPath,
  countProcesses,
  SYSTEM_PATH,
} from '../../src/commands/commands.fixture.ts'
import type { ServerOptions } from '../support/command-server.ts'
import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { framesOf, reading, type Reading } from '../../../../test/support/event-stream.ts'
import { useProcesses } from '../../../../test/support/use-processes.ts'

const PROGRAM = join(import.meta.dirname, '../support/command-server.ts')
const isSandboxed = await hasSandbox()
const house = useProcesses()
let count = 0

async function folder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'dragoman-root-')))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

/** A command that would go on for ever in several ways, and a word by which all that it begins is known. */
function runaway(): { word: string; command: string } {
  count += 1
  const word = `2${process.pid}.0${count}`
  return { word, command: `trap "" TERM; setsid sleep ${word} & nohup sleep ${word} & yes ${word}` }
}

/** One second on an idle machine. This machine runs other tests at the same time. */
const SOON = { timeout: 2000, interval: 50 }

describe.skipIf(process.platform !== 'linux').each([
  { where: 'in a sandbox', sandboxed: true },
  { where: 'without a sandbox', sandboxed: false },
])('a runaway command $where', ({ sandboxed }) => {
  const test = it.skipIf(sandboxed && !isSandboxed)
  const searched = async (): Promise<string> => (sandboxed ? SYSTEM_PATH : noSandboxPath())
  /** Without a sandbox a person is asked before each command. */
  const agreed = async (
    answer: Response,
    post: (path: string, body: { callId: string; answer: Json }) => Promise<Response>,
  ): Promise<Reading> => {
    const stream = reading(answer)
    if (sandboxed) return stream
    const frames = framesOf(await stream.until('"type":"run.waiting"'))
    const callId = String(frames.find(({ type }) => type === 'tool.asked')?.['callId'])
    const yes = { callId, answer: { kind: 'approval', approved: true } }
    await post(`/v1/runs/${answer.headers.get('x-run-id')}/answers`, yes)
    return stream
  }
  const began = (word: string) =>
    expect.poll(() => countProcesses(`sleep\0${word}`), { timeout: 10_000 }).toBeGreaterThan(1)

  const started = async (command: string) => {
    const args: ServerOptions = [house.home, await folder(), command, await searched()]
    const child = house.start(args, {}, ':', PROGRAM)
    const url = await child.ready
    const post = (path: string, body: object) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await post('/v1/threads', { name: 'runaway', agent: 'coding' })
    const answer = await post('/v1/threads/runaway/runs', { message: 'Go.' })
    await agreed(answer, post)
    return { child, answer, url }
  }

  test('ends with a server that is terminated', async () => {
    const { word, command } = runaway()
    const { child } = await started(command)
    await began(word)

    await child.stop()

    await expect.poll(() => countProcesses(word), SOON).toBe(0)
  })

  test('ends with a server that is killed', async () => {
    const { word, command } = runaway()
    const { child } = await started(command)
    await began(word)

    child.kill()
    await child.ended

    await expect.poll(() => countProcesses(`sleep\0${word}`), SOON).toBe(0)
    await expect.poll(() => countProcesses(`yes\0${word}`), SOON).toBe(0)
  })
})
