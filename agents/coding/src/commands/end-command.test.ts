import { access } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { commandTool, hasSandbox, noSandboxPath, countProcesses } from './commands.fixture.ts'

const isSandboxed = await hasSandbox()
let count = 0

/** A duration that nothing else on this machine sleeps for. */
function uncommon(): string {
  count += 1
  return `1${process.pid}.0${count}`
}

describe.skipIf(process.platform !== 'linux').each([
  { where: 'in a sandbox', sandboxed: true },
  { where: 'without a sandbox', sandboxed: false },
])('the processes of a command $where', ({ sandboxed }) => {
  const test = it.skipIf(sandboxed && !isSandboxed)
  const rig = async (timeoutMs = 20_000) =>
    commandTool({ ...(!sandboxed && { path: await noSandboxPath() }), timeoutMs })

  const runaways = (word: string): readonly (readonly [string, string])[] => [
    ['a child in the background', `sleep ${word} & yes ${word}`],
    ['what does not listen', `trap "" TERM INT HUP; sleep ${word} & while :; do sleep ${word}; done`],
    ['what outlives a terminal', `nohup sleep ${word} & sleep ${word}`],
    ['what leads a session of its own', `setsid sleep ${word} & sleep ${word}`],
    ['what has two parents gone', `( (setsid sleep ${word} &) & ); sleep ${word}`],
    ['a child without an environment', `env -i sleep ${word} & (sleep ${word}; echo) & sleep ${word}`],
    ['what goes on making more', `for i in $(seq 200); do sleep ${word} & sleep 0.01; done; wait`],
  ]

  test.each(runaways('WORD').map(([what], index) => [what, index] as const))(
    'end after a stop: %s',
    async (_what, index) => {
      const { run } = await rig()
      const word = uncommon()
      const [, command = ''] = runaways(word)[index] ?? []
      const stop = new AbortController()
      const outcome = run(command, { signal: stop.signal }).catch((error: unknown) => error)
      await expect.poll(() => countProcesses(`sleep\0${word}`), { timeout: 10_000 }).toBeGreaterThan(0)

      stop.abort()
      const error = await outcome

      expect(error).toMatchObject({ name: 'AbortError' })
      await expect.poll(() => countProcesses(word), { timeout: 10_000, interval: 20 }).toBe(0)
    },
  )

  test('end after the timeout', async () => {
    const { run } = await rig(1000)
    const word = uncommon()

    const { output } = await run(`trap "" TERM; setsid sleep ${word} & sleep ${word}`)

    expect(output).toMatchObject({ timedOut: true })
    expect(await countProcesses(word)).toBe(0)
  })

  test('end with the command and do not delay it', async () => {
    const { run } = await rig()
    const word = uncommon()
    const startTime = performance.now()

    const { output, text } = await run(`sleep ${word} & setsid sleep ${word} & echo begun`)

    expect(output).toMatchObject({ exitCode: 0, timedOut: false, output: 'begun\n' })
    expect(performance.now() - startTime).toBeLessThan(5000)
    expect(await countProcesses(word)).toBe(0)
    // A sandbox ends with its processes, so none is counted.
    if (!sandboxed) expect(text).toContain('left running in the background were ended: 2.')
  })

  test('do not become children of a program that waits for its own children', async () => {
    const { run } = await rig(5000)

    const { output } = await run('exec perl -e "1 while wait() != -1; print q(over)"')

    expect(output).toMatchObject({ exitCode: 0, output: 'over' })
  })

  test('do not start if the call was stopped before', async () => {
    const { root, run } = await rig()

    await expect(run('touch begun', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })

    await expect(access(join(root, 'begun'))).rejects.toThrow()
  })

  test('may end by a signal', async () => {
    const { run } = await rig()

    const { output } = await run('kill -KILL $$')

    expect(output).toMatchObject(
      sandboxed ? { exitCode: 137, signal: null } : { exitCode: null, signal: 'SIGKILL' },
    )
  })
})
