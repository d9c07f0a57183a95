import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import process from 'node:process'

import { afterEach, expect, it, vi } from 'vitest'

import { createIsolatedWorker, type IsolatedWorkerOptions } from './isolated-worker.ts'
import { ServiceError } from '../errors.ts'

const options: IsolatedWorkerOptions<string> = {
  module: new URL('./sample-worker.fixture', import.meta.url),
  sizeOf: () => 1,
  limits: { waiting: 8, weight: 8, megabytes: 64 },
  timeoutMs: 1000,
  refusals: {
    busy: 'Too much is shouted.',
    slow: () => new ServiceError('invalid-input', 'It takes too long.'),
    large: () => new ServiceError('invalid-input', 'It takes too much.'),
  },
}
const shout = createIsolatedWorker<string, string>(options)

afterEach(() => void vi.useRealTimers())

it('starts the time limit of a request when its worker is ready', async () => {
  const [first, endless, next] = [shout('ada', 'a'), shout('ada', 'for ever'), shout('ada', 'b')]

  expect(await first).toBe('A')
  await expect(endless).rejects.toThrow('It takes too long.')
  expect(await next).toBe('B')
}, 60_000)

it('ends an idle worker and starts another one for the next request', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const ask = createIsolatedWorker<string, string>({ ...options, idleTimeoutMs: 1000 })

  expect([await ask('ada', 'how often'), await ask('ada', 'how often')]).toEqual(['1', '2'])
  await vi.advanceTimersByTimeAsync(999)
  expect(await ask('ada', 'how often')).toBe('3')
  await vi.advanceTimersByTimeAsync(1000)
  expect(await ask('ada', 'how often')).toBe('1')
}, 60_000)

it('survives an array that exceeds the memory of the worker', async () => {
  // A slow machine needs seconds to fill the memory.
  const fill = createIsolatedWorker<string, string>({ ...options, timeoutMs: 30_000 })
  const [large, next] = [fill('ada', 'more and more'), fill('ada', 'b')]

  await expect(large).rejects.toThrow('It takes too much.')
  expect(await next).toBe('B')
}, 60_000)

it('gives no answer of so many values that reading it would stand the server', async () => {
  const [large, next] = [shout('ada', 'words of words'), shout('ada', 'b')]

  await expect(large).rejects.toThrow('It takes too much.')
  expect(await next).toBe('B')
}, 60_000)

it('leaves the processor to the server first', async () => {
  expect(getPriority(Number(await shout('ada', 'where')))).toBeGreaterThan(getPriority())
}, 60_000)

it('ends the worker process when the server is killed', async () => {
  const server = spawn(process.execPath, ['--input-type=module', '-e', SERVER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(server.stdout, 'data')) as [Buffer]
  const host = Number(String(said))
  expect(process.kill(host, 0)).toBe(true)

  server.kill('SIGKILL')
  await vi.waitFor(() => expect(() => process.kill(host, 0)).toThrow('ESRCH'), { timeout: 30_000 })
}, 60_000)

const MODULE = JSON.stringify(new URL('./isolated-worker.ts', import.meta.url).href)

/** Tells where its thread is once that thread has been given something that never ends. */
const SERVER = `
  const { createIsolatedWorker } = await import(${MODULE})
  const ask = createIsolatedWorker({
    module: new URL(${JSON.stringify(options.module.href)}),
    sizeOf: () => 1,
    limits: ${JSON.stringify(options.limits)},
    timeoutMs: 600_000,
    refusals: { busy: 'no' },
  })
  const host = await ask('ada', 'where')
  void ask('ada', 'for ever')
  setTimeout(() => console.log(host), 100)
`
