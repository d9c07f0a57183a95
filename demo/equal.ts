import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

import { bundledProtocols } from '../apps/server/test/support/bundled-protocols.ts'
import { ServiceError } from '../packages/dragoman/src/index.ts'
import { gate } from '../test/support/gate.ts'
import {
  calls,
  refuses,
  says,
  scriptedModel,
  step,
  thinks,
  type Script,
} from '../test/support/scripted-model.ts'
import { openServer } from '../test/support/server.ts'
import { storyTools } from '../test/support/story-tools.ts'
import { post, readers, type OnText, type Network, type Reading } from './readers.ts'

/**
 * Runs one script on both engines, and reads it in each protocol with the client library of that protocol. Prints what
 * each client has read, and exits with 1 if that differs from the script.
 */

type Story = {
  /** How the run ends. */
  readonly name: string
  readonly script: Script
  /** Whoever has read these words stops it. */
  readonly stopAfter?: string
  readonly expected: Reading
}

const THOUGHT = 'Rain? I ask both, 同时.'
const BEFORE = 'I look, 请稍等 🌦 …\n'
const AFTER = 'It rains in Oslo; the station is “closed”. 完毕。'
const SORRY = 'The model has had enough.'

const WEATHER = { tool: 'weather', input: { city: 'Oslo' }, words: 'Rain in Oslo.' }
const STATION = { tool: 'station', input: {}, words: 'The station is closed.' }

/** Two tools at once, of which one fails. */
const asking = step(
  thinks(...pieces(THOUGHT)),
  says(...pieces(BEFORE)),
  calls('c1', 'weather', WEATHER.input),
  calls('c2', 'station', STATION.input),
)
const turn = { text: BEFORE, reasoning: THOUGHT, calls: [WEATHER, STATION] }

const stories: readonly Story[] = [
  {
    name: 'finished',
    script: [asking, step(says(...pieces(AFTER)))],
    expected: { ...turn, text: BEFORE + AFTER, end: 'stop' },
  },
  {
    name: 'stopped',
    script: [asking, step(says('It rains', gate(), ' in Oslo.'))],
    stopAfter: 'It rains',
    expected: { ...turn, text: `${BEFORE}It rains`, end: 'stopped' },
  },
  {
    name: 'failed',
    script: [asking, refuses(new ServiceError('model-failed', SORRY))],
    expected: { ...turn, end: `failed: ${SORRY}` },
  },
]

const HEAD = ['engine', 'protocol', 'text, length, hash', 'reasoning', 'tools and outcomes', 'end']

const differences: string[] = []
for (const story of stories) {
  const rows = [HEAD, rowOf('the script', '', story.expected)]
  for (const engine of ['pi', 'default']) {
    for (const protocol of Object.keys(readers)) {
      const reading = await play(story, engine, protocol)
      rows.push(rowOf(engine, protocol, reading))
      const found = differing(reading, expectedIn(protocol, story))
      differences.push(...found.map((field) => `${story.name}, ${engine}, ${protocol}: ${field}`))
    }
  }
  say(`A run that is ${story.name}:\n\n${aligned(rows)}\n`)
}
say(
  '(eve and vibelife have no own form of a stop. vibelife has no reasoning. In vibelife and over Socket.IO, a run',
)
say('is one message, with an empty line between its steps. There, failures have names that use-ai knows.)\n')
say(differences.length === 0 ? 'equal' : `not equal:\n${differences.join('\n')}`)
process.exitCode = differences.length === 0 ? 0 : 1

/** In a server and a home of its own. */
async function play({ name, script, stopAfter }: Story, engine: string, protocol: string): Promise<Reading> {
  const read = readers[protocol]
  if (!read) throw new Error(`Nobody here reads ${protocol}.`)
  const { models } = scriptedModel(script)
  const capability = { protocols: bundledProtocols }
  await using server = await openServer({ models, tools: storyTools, agent: { engine }, capability })
  const stop = (): Promise<void> => post(`${server.url}/jobs/chat/stop`, { conversationId: name })
  const hears = stopAfter === undefined ? async () => undefined : stopping(stopAfter, stop)
  return await read(server.url, name, createNetwork(hears), hears)
}

/** Stops once the words have come. */
function stopping(words: string, stop: () => Promise<void>): OnText {
  let came = ''
  return async (request) => {
    const hadCome = came.includes(words)
    came += request
    if (!hadCome && came.includes(words)) await stop()
  }
}

/** A network over which is heard what comes. */
function createNetwork(hears: OnText): Network {
  return async (url, init) => {
    const response = await fetch(url, init)
    const decoder = new TextDecoder()
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      async transform(bytes, controller) {
        controller.enqueue(bytes)
        await hears(decoder.decode(bytes, { stream: true }))
      },
    })
    return new Response(response.body?.pipeThrough(watch) ?? null, response)
  }
}

/**
 * What a reader of the protocol cannot know: eve and vibelife have no form of a stop. In vibelife and over Socket.IO a
 * run is one message. On a socket, a failure has a name that use-ai knows.
 */
function expectedIn(protocol: string, { expected }: Story): Reading {
  const { text, end } = expected
  const one = text === BEFORE ? text : text.replace(BEFORE, `${BEFORE}\n\n`)
  const plain = end === 'stopped' ? 'stop' : end
  if (protocol === 'eve') return { ...expected, end: plain }
  if (protocol === 'vibelife') return { ...expected, text: one, reasoning: '', end: plain }
  if (protocol !== 'ag-ui, Socket.IO') return expected
  return { ...expected, text: one, end: end.startsWith('failed') ? 'failed: UNKNOWN_ERROR' : end }
}

function differing(reading: Reading, expected: Reading): string[] {
  const fields = ['text', 'reasoning', 'calls', 'end'] as const
  return fields
    .filter((field) => !isDeepStrictEqual(reading[field], expected[field]))
    .map((field) => `${field} is ${JSON.stringify(reading[field])}, not ${JSON.stringify(expected[field])}`)
}

function rowOf(engine: string, protocol: string, { text, reasoning, calls: made, end }: Reading): string[] {
  const outcomes = made.map(({ tool, words }) => `${tool}: ${words ?? 'none'}`)
  return [engine, protocol, shortOf(text), shortOf(reasoning), outcomes.join(' · '), end]
}

/** How it begins, its length, and what no other text has. */
function shortOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  return `${text.slice(0, 7)}… ${text.length} ${hash}`
}

function pieces(text: string): string[] {
  return text.match(/.{1,5}/gsu) ?? []
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
