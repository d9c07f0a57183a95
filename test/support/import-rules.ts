import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const MAX_LINES = 250
/** A test writes it. */
const IS_MADE = /^\/\/ Made from /m
/** Which package may import which. A package that is not in the table may import nothing of this repository. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'packages/ag-ui': ['packages/dragoman'],
  'packages/agent-kit': ['packages/dragoman'],
  // A page has no other package of ours: the build copies what the client uses of the events.
  'packages/client': ['packages/dragoman'],
  'packages/console': ['packages/client'],
  'packages/create-dragoman': [],
  'packages/pi': ['packages/dragoman'],
  'packages/postgres': ['packages/dragoman'],
  'packages/socket-io': ['packages/dragoman', 'packages/ag-ui'],
  'packages/telemetry': ['packages/dragoman'],
  'agents/assistant': ['packages/dragoman', 'packages/agent-kit'],
  'agents/coding': ['packages/dragoman', 'packages/agent-kit', 'packages/client'],
  'agents/jobs': ['packages/dragoman', 'packages/agent-kit'],
  'agents/life': ['packages/dragoman', 'packages/agent-kit', 'packages/console'], // its cards: types alone
  'agents/workflows': ['packages/dragoman'],
  'apps/server': [
    'packages/ag-ui',
    'packages/client',
    'packages/console',
    'packages/dragoman',
    'packages/pi',
    'packages/postgres',
    'packages/socket-io',
    'packages/telemetry',
    'agents/assistant',
    'agents/coding',
    'agents/jobs',
    'agents/life',
    'agents/workflows',
  ],
}

/** Which folder of the core may import which. A row is a folder of its src/, or a file that lies there alone. */
const CORE: Readonly<Record<string, readonly string[] | 'all'>> = {
  events: [],
  async: ['errors'],
  scrub: [],
  version: [],
  cookies: [],
  'describe-mistakes': [],
  'start-worker': [],
  sealing: [],
  errors: ['events', 'scrub'],
  'home-files': ['errors', 'events'],
  config: ['errors', 'events', 'home-files'],
  'safe-fetch': ['errors'],
  cluster: ['errors'],
  'file-identity': ['errors'],
  'log-mark': [],
  isolate: ['async', 'errors', 'start-worker'],
  database: ['async', 'errors', 'events', 'file-identity', 'log-mark', 'start-worker'],
  log: ['async', 'errors', 'events'],
  models: ['async', 'config', 'describe-mistakes', 'errors', 'events', 'home-files', 'scrub', 'start-worker'],
  agents: ['async', 'database', 'errors', 'events', 'models', 'safe-fetch'],
  mcp: ['agents', 'async', 'database', 'errors', 'events', 'home-files', 'models', 'safe-fetch', 'sealing'],
  engine: ['agents', 'async', 'errors', 'events', 'models'],
  protocols: ['errors', 'events'],
  stores: ['async', 'errors', 'events', 'file-identity', 'log', 'log-mark', 'start-worker'],
  files: ['async', 'database', 'errors', 'events'],
  threads: ['async', 'database', 'errors', 'events', 'log'],
  'access/quota': ['async', 'database', 'errors', 'events', 'home-files', 'log'],
  'access/storage': ['database', 'errors', 'log'],
  'access/users': ['cookies', 'database', 'errors', 'events', 'log', 'sealing'],
  runs: [
    'agents',
    'async',
    'describe-mistakes',
    'engine',
    'errors',
    'events',
    'isolate',
    'log',
    'scrub',
    'threads',
  ],
  observability: ['cluster', 'errors', 'events', 'log', 'scrub'],
  'server/fan-out': ['errors', 'events', 'log', 'protocols', 'server/load'],
  'server/load': ['async', 'errors', 'events'],
  'server/http': ['async', 'cookies', 'errors', 'events', 'server/fan-out', 'server/load'],
  'server/surfaces': [
    'access/quota',
    'access/storage',
    'agents',
    'errors',
    'events',
    'files',
    'protocols',
    'runs',
    'server/fan-out',
    'server/http',
    'threads',
  ],
  modules: [
    'access/quota',
    'agents',
    'async',
    'database',
    'errors',
    'events',
    'home-files',
    'mcp',
    'protocols',
    'server/http',
    'server/surfaces',
  ],
  server: 'all',
  testing: ['agents', 'config', 'database', 'events', 'server', 'stores'],
  index: 'all',
}

/** The only places that join the rest: they may reach past the index of a folder. */
const REACH_PAST_INDEX = new Set(['packages/dragoman/server', 'apps/server/main', 'apps/server/cli'])
/** What a folder may import in types only. */
const ONLY_AS_TYPE: Readonly<Record<string, RegExp>> = {
  agents: /^hono(\/|$)|\/(database|models)\//,
  engine: /\/models\//,
}
const NEVER_IMPORTS: Readonly<Record<string, RegExp>> = { events: /^[^.]/, protocols: /^node:/ }
/** A date made of a number is a fact; one made of nothing is the clock. */
const NEVER_IN_CODECS =
  /\b(Date\.now|Math\.random|randomUUID|nanoid|performance\.now|set(Timeout|Interval))\b|\bnew Date\(\s*\)/
/** Wire formats: those of the core and of packages. */
const IS_CODEC = /\/src\/protocols?\//
/** All that a browser gets of the core. Its code would come along. */
const CLIENT_SUBPATHS = /^dragoman\/(events|protocols\/[\w-]+\/wire)$/
const NAMELESS = /(^|\/)(utils?|shared|common|helpers?|misc)(\/|\.ts$)|(^|\/)types\.ts$/
/** The ids of the bundled agents. `assistant` is a role of messages too, so it counts only as an import. */
const AGENT_ID = /['"`/](?:jobs|coding|life|workflows)(?=['"`/])|\b(?:jobs|coding|workflows)[A-Z]\w*/
export const IS_TEST = /\.(test|contract|fixture)\.ts$/
type Import = { specifier: string; isType: boolean }
export function importsOf(source: string): Import[] {
  // At most a default name, then a namespace or a list of names.
  const names = String.raw`(?:[\w$]+\s*,?\s*)?(?:\*(?:\s+as\s+[\w$]+)?\s*|\{[^}]*\}\s*)?`
  const from = new RegExp(String.raw`\b(?:import|export)\s+(type\s+)?${names}from\s*['"]([^'"]+)['"]`, 'g')
  const bare = /^\s*import\s+()['"]([^'"]+)['"]/gm
  const dynamic = /\bimport\(\s*()['"]([^'"]+)['"]/g
  return [from, bare, dynamic]
    .flatMap((pattern) => Array.from(source.matchAll(pattern)))
    .map(([, type, specifier = '']) => ({ specifier, isType: Boolean(type) }))
}

/** `packages/pi/src/pi-calls.ts` is in `packages/pi`. */
function packageOf(path: string): string {
  return path.split('/').slice(0, 2).join('/')
}

/** The folder of a package's src/ in which a file is, or the file itself: `events`, `server/http`, `errors`. */
function folderOf(path: string): string {
  const [first = '', second] = path.split('/src/')[1]?.split('/') ?? []
  const name = first.replace(/(\.(test|fixture))?\.ts$/, '')
  return second !== undefined && `${name}/${second}` in CORE ? `${name}/${second}` : name
}

/** What one file does that it must not. */
export function complaints(path: string, source: string): string[] {
  const folder = folderOf(path)
  const isCore = packageOf(path) === 'packages/dragoman'
  const found = [
    ...(isCore && !CORE[folder] ? ['has no row in the table'] : []),
    ...(NAMELESS.test(path) ? ['is named for no thing'] : []),
    ...(!IS_MADE.test(source) && source.trimEnd().split('\n').length > MAX_LINES
      ? [`is longer than ${MAX_LINES} lines`]
      : []),
  ]
  // Tests look from outside: they may import anything.
  if (!IS_TEST.test(path)) {
    const agent = path.startsWith('packages/') ? AGENT_ID.exec(source)?.[0] : undefined
    if (agent !== undefined) found.push(`names an agent: ${agent}`)
    const contained = IS_CODEC.test(path) && NEVER_IN_CODECS.exec(source)
    if (contained) found.push(`contains ${contained[0]}`)
    found.push(...importsOf(source).flatMap((one) => importComplaint(path, one) ?? []))
  }
  return found.map((complaint) => `${path} ${complaint}`)
}

function importComplaint(path: string, { specifier, isType }: Import): string | undefined {
  const own = packageOf(path)
  if (!specifier.startsWith('.')) {
    const other = [...MANIFESTS].find(
      ([, { name }]) => specifier === name || specifier.startsWith(`${name}/`),
    )?.[0]
    const isOurs = other !== undefined || specifier.startsWith('@dragoman/')
    if (isOurs && !PACKAGES[own]?.includes(other ?? '')) return `imports ${specifier}`
    if (other !== undefined && own === 'packages/client' && !CLIENT_SUBPATHS.test(specifier))
      return `imports ${specifier}`
    if (own === 'packages/client' && other === undefined && !(isType && specifier === 'ai'))
      return `imports ${specifier}`
  }
  if (own !== 'packages/dragoman') return relativeComplaint(path, specifier)
  const folder = folderOf(path)
  if (NEVER_IMPORTS[folder]?.test(specifier)) return `imports ${specifier}`
  if (ONLY_AS_TYPE[folder]?.test(specifier) && !isType) return `imports ${specifier} not only as a type`
  return relativeComplaint(path, specifier)
}

function relativeComplaint(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const target = posix.join(posix.dirname(path), specifier)
  if (packageOf(target) !== packageOf(path)) return `leaves its package: ${specifier}`
  if (IS_TEST.test(target)) return `imports the test suite ${target}`
  if (packageOf(path) !== 'packages/dragoman') return undefined
  const [folder, to] = [folderOf(path), folderOf(target)]
  if (to === folder) return undefined
  const allowed = CORE[folder] ?? []
  if (allowed !== 'all' && !allowed.includes(to)) return `imports ${to}`
  if (to === 'index' || to === 'testing') return `imports ${to}`
  const isIndex =
    target.endsWith(`/src/${to}.ts`) || (target.includes(`/src/${to}/`) && target.endsWith('/index.ts'))
  return isIndex || REACH_PAST_INDEX.has(`packages/dragoman/${folder}`)
    ? undefined
    : `reaches past the index of ${to}: ${target}`
}

type Manifest = { name: string; exports: Readonly<Record<string, string>> }
export const MANIFESTS = new Map(
  globSync('{packages,agents,apps}/*/package.json', { cwd: ROOT }).map((path) => [
    packageOf(path),
    JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Manifest,
  ]),
)
/** All source files of the packages, by path. */
export const SOURCES = new Map(
  globSync('{packages,agents,apps}/*/src/**/*.ts', { cwd: ROOT }).map((path) => [
    path,
    readFileSync(join(ROOT, path), 'utf8'),
  ]),
)
