import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../src')
const MAX_LINES = 250

/** Who may import whom, of ours. A row is a folder of src/, or a file that lies there alone. */
const TABLE: Readonly<Record<string, readonly string[] | 'all'>> = {
  events: [],
  errors: ['events'],
  once: [],
  crisis: [],
  worker: [],
  aside: ['errors', 'worker'],
  'aside-host': ['aside', 'worker'],
  'home-files': ['events', 'errors'],
  config: ['errors', 'events', 'home-files'],
  log: ['events', 'errors'],
  agent: ['events', 'errors', 'outward'],
  'agent-files': ['errors', 'agent', 'home-files'],
  models: ['events', 'errors', 'once', 'crisis'],
  protocols: ['events', 'errors'],
  client: ['events', 'protocols'],
  engines: ['events', 'errors', 'agent', 'models'],
  stores: ['events', 'errors', 'log', 'worker'],
  db: ['errors'],
  threads: ['events', 'errors', 'log', 'db'],
  outward: ['errors'],
  machine: ['config', 'agent', 'models', 'outward', 'version'],
  recalling: ['agent', 'log', 'threads'],
  delegate: ['agent', 'errors', 'events', 'log', 'runs'],
  staff: ['errors', 'events', 'agent', 'engines', 'models', 'runs'],
  naming: ['agent', 'db', 'models', 'threads'],
  users: ['events', 'errors', 'db'],
  capabilities: ['events', 'errors', 'once', 'crisis', 'aside', 'home-files', 'agent', 'db', 'outward'],
  runs: ['events', 'errors', 'log', 'agent', 'engines', 'threads'],
  quota: ['events', 'errors', 'log', 'db', 'home-files'],
  transports: ['events', 'errors', 'log', 'protocols'],
  surfaces: ['events', 'errors', 'agent', 'protocols', 'quota', 'runs', 'threads', 'transports'],
  claiming: ['agent', 'errors', 'log', 'quota', 'surfaces', 'threads', 'users'],
  expiry: ['agent', 'db', 'log', 'quota', 'threads', 'users'],
  door: [
    'agent',
    'claiming',
    'config',
    'db',
    'errors',
    'events',
    'expiry',
    'log',
    'quota',
    'runs',
    'threads',
    'transports',
    'users',
  ],
  telemetry: ['errors', 'events', 'home-files', 'log'],
  version: [],
  index: 'all',
  mount: ['agent', 'models', 'protocols', 'quota', 'staff', 'surfaces', 'transports', 'version'],
  main: 'all',
  cli: 'all',
  bin: 'all',
}

/** Those who join the rest may reach past a folder's index.ts. */
const REACH_PAST_INDEX = new Set(['main', 'cli', 'bin'])
/** All that a browser is given of the other folders: their code would come with it. */
const ONLY_DOORS: Readonly<Record<string, RegExp>> = {
  client: /^(events\/index|protocols\/[\w-]+\/wire)\.ts$/,
}
/** main joins, cli calls it, bin is the executable, index the package's face: nothing below knows of them. */
const IMPORTED_ONLY_BY: Readonly<Record<string, readonly string[]>> = {
  main: ['cli', 'bin', 'index'],
  cli: ['bin'],
  bin: [],
  index: [],
}
/** Packages, and folders of ours, that a folder may name in its types and not run. */
const ONLY_AS_TYPE: Readonly<Record<string, RegExp>> = {
  agent: /^hono(\/|$)/,
  engines: /\/models\//,
  client: /\/protocols\//,
}
const NEVER_IMPORTS: Readonly<Record<string, RegExp>> = {
  events: /^[^.]/,
  protocols: /^node:/,
  client: /^[^.]/,
}
/** A date made of a number is a fact; one made of nothing is the clock. */
const NEVER_SAYS: Readonly<Record<string, RegExp>> = {
  protocols:
    /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\brandomUUID\b|\bnanoid\b|\bperformance\.now\b|\bset(Timeout|Interval)\b/,
}
const NAMELESS = /(^|\/)(utils?|shared|common|helpers?)(\/|\.ts$)|(^|\/)types\.ts$/

type Import = { specifier: string; isType: boolean }

function importsOf(source: string): Import[] {
  const from =
    /\b(?:import|export)\s+(type\s+)?(?:[\w$]+\s*,?\s*)?(?:\*(?:\s+as\s+[\w$]+)?\s*|\{[^}]*\}\s*)?from\s*['"]([^'"]+)['"]/g
  const bare = /^\s*import\s+()['"]([^'"]+)['"]/gm
  const dynamic = /\bimport\(\s*()['"]([^'"]+)['"]/g
  return [from, bare, dynamic]
    .flatMap((pattern) => Array.from(source.matchAll(pattern)))
    .map(([, type, specifier = '']) => ({ specifier, isType: Boolean(type) }))
}

/** `events/fold.ts` lies in `events`, `errors.ts` and `errors.test.ts` in `errors`. */
function placeOf(path: string): string {
  return path.replace(/(\/.*|(\.(test|fixture))?\.ts)$/, '')
}

/** What one file does that it may not. */
function complaints(path: string, source: string): string[] {
  const place = placeOf(path)
  const found = [
    ...(TABLE[place] ? [] : ['has no row in the table']),
    ...(NAMELESS.test(path) ? ['is named for no thing'] : []),
    ...(source.trimEnd().split('\n').length > MAX_LINES ? [`is longer than ${MAX_LINES} lines`] : []),
  ]
  // Tests look from outside: they may name anything.
  if (!/\.(test|contract|fixture)\.ts$/.test(path)) {
    const said = NEVER_SAYS[place]?.exec(source)
    if (said) found.push(`says ${said[0]}`)
    found.push(...importsOf(source).flatMap((one) => importComplaint(path, one) ?? []))
  }
  return found.map((complaint) => `${path} ${complaint}`)
}

function importComplaint(path: string, { specifier, isType }: Import): string | undefined {
  const place = placeOf(path)
  if (NEVER_IMPORTS[place]?.test(specifier)) return `imports ${specifier}`
  if (ONLY_AS_TYPE[place]?.test(specifier) && !isType) return `imports ${specifier} not only as a type`
  if (!specifier.startsWith('.')) return undefined

  const target = new URL(specifier, `file:///${path}`).pathname.slice(1)
  if (/\.(contract|fixture)\.ts$/.test(target)) return `imports the test suite ${target}`
  const to = placeOf(target)
  if (to === place) return undefined
  const allowed = TABLE[place] ?? []
  if (allowed !== 'all' && !allowed.includes(to)) return `imports ${to}`
  if (IMPORTED_ONLY_BY[to]?.includes(place) === false) return `imports ${to}`
  const isDoor = ONLY_DOORS[place]?.test(target) ?? (target === `${to}.ts` || target.endsWith('/index.ts'))
  return isDoor || REACH_PAST_INDEX.has(place) ? undefined : `reaches past the index of ${to}: ${target}`
}

describe('the walls between the folders', () => {
  it('stand', () => {
    const paths = globSync('**/*.ts', { cwd: SRC })

    expect(paths).toContain('events/index.ts')
    expect(paths.flatMap((path) => complaints(path, readFileSync(join(SRC, path), 'utf8')))).toEqual([])
  })

  it.each([
    ['engines/pi/engine.ts', `import { openLog } from '../../log/index.ts'`, 'imports log'],
    [
      'engines/engine.ts',
      `import { models } from '../models/index.ts'`,
      'imports ../models/index.ts not only as a type',
    ],
    [
      'runs/runs.ts',
      `import type { Store } from '../log/store.ts'`,
      'reaches past the index of log: log/store.ts',
    ],
    ['runs/runs.ts', `export {\n  memoryStore,\n} from '../stores/index.ts'`, 'imports stores'],
    ['runs/runs.ts', `const driver = await import('../stores/memory/index.ts')`, 'imports stores'],
    ['cli/serve.ts', `import '../bin.ts'`, 'imports bin'],
    ['surfaces/native.ts', `import { openDragoman } from '../main.ts'`, 'imports main'],
    [
      'log/store.ts',
      `import { storeContract } from './store.contract.ts'`,
      'imports the test suite log/store.contract.ts',
    ],
    ['events/json.ts', `import { isDeepStrictEqual } from 'node:util'`, 'imports node:util'],
    ['events/json.ts', `import * as z from 'zod'`, 'imports zod'],
    ['client/events.ts', `import { pino } from 'pino'`, 'imports pino'],
    ['client/events.ts', `import { runs } from '../runs/index.ts'`, 'imports runs'],
    [
      'client/events.ts',
      `import { DONE } from '../protocols/eve/wire.ts'`,
      'imports ../protocols/eve/wire.ts not only as a type',
    ],
    [
      'client/events.ts',
      `import type { Protocol } from '../protocols/index.ts'`,
      'reaches past the index of protocols: protocols/index.ts',
    ],
    ['protocols/eve/wire.ts', `import { Buffer } from 'node:buffer'`, 'imports node:buffer'],
    ['protocols/eve/encode.ts', 'const at = new Date().toISOString()', 'says new Date()'],
    ['agent/capability.ts', `import { Hono } from 'hono'`, 'imports hono not only as a type'],
    ['runs/helpers.ts', '', 'is named for no thing'],
    ['events/types.ts', '', 'is named for no thing'],
    ['sessions/index.ts', '', 'has no row in the table'],
    ['log/run-log.ts', '\n'.repeat(MAX_LINES) + 'end', `is longer than ${MAX_LINES} lines`],
  ])('are breached by %s: %s', (path, source, complaint) => {
    expect(complaints(path, source)).toEqual([`${path} ${complaint}`])
  })

  it.each([
    ['agent/capability.ts', `import type { Hono } from 'hono'`],
    ['client/events.ts', `import type { DONE } from '../protocols/eve/wire.ts'`],
    ['engines/pi/model.ts', `import type { Model } from '../../models/index.ts'`],
    ['main.ts', `import { jieba } from './capabilities/jobs/words/words.ts'`],
    ['protocols/eve/encode.ts', 'const at = new Date(entry.at).toISOString()'],
    ['runs/runner.test.ts', `import { memoryStore } from '../stores/memory/store.ts'`],
  ])('have a door for %s: %s', (path, source) => {
    expect(complaints(path, source)).toEqual([])
  })
})
