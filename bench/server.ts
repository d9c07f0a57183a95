import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'

import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'

import { openDragoman, readConfig, ServiceError, type Models } from '../src/index.ts'

/** A server whose model says `TOKENS` tokens, `PACE` a second (0: as fast as they are taken). It reports on itself when asked to. */

const tokens = Number(process.env['TOKENS'] ?? 500)
const pace = Number(process.env['PACE'] ?? 50)
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

let speeches = 0

/** Providers do not speak in step: each begins a little later within the beat. */
async function* speech(): AsyncGenerator<LanguageModelV4StreamPart, void> {
  if (pace > 0) await pause((speeches++ * 7) % (1000 / pace))
  yield { type: 'text-start', id: 't' }
  for (let said = 0; said < tokens; said++) {
    if (pace > 0) await pause(1000 / pace)
    yield { type: 'text-delta', id: 't', delta: 'token ' }
  }
  yield { type: 'text-end', id: 't' }
  yield {
    type: 'finish',
    finishReason: { unified: 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: tokens, text: tokens, reasoning: undefined },
    },
  }
}

const model: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'bench',
  modelId: 'speech',
  supportedUrls: {},
  doStream: async () => ({ stream: ReadableStream.from(speech()) }),
  doGenerate: () => Promise.reject(new Error('The bench streams.')),
}
const failure = (cause: unknown): ServiceError =>
  new ServiceError('model-failed', 'The model failed.', { cause })
const models: Models = {
  choose: () => ({ name: 'bench:speech', why: 'It is the bench.', load: async () => model, failure }),
}

const home = await mkdtemp(join(tmpdir(), 'dragoman-bench-'))
const config = readConfig(['--port', '0', '--home', home, '--log-level', 'error'], process.env)
const dragoman = await openDragoman(config, { models })
const delay = monitorEventLoopDelay({ resolution: 1 })
const url = await dragoman.listen()

process.on('message', (asked: 'begin' | 'report' | 'end') => {
  if (asked === 'begin') delay.enable()
  if (asked === 'report') report()
  if (asked === 'end') void end()
})

function report(): void {
  global.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  process.send?.({
    stallMs: delay.percentile(99) / 1e6,
    worstMs: delay.max / 1e6,
    held: heapUsed + external,
  })
  delay.reset()
}

async function end(): Promise<void> {
  await dragoman.close()
  await rm(home, { recursive: true })
  process.disconnect()
}

process.send?.({ url })
