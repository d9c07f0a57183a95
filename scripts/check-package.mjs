// The packed server on the given Node: check-package.mjs INSTALLED NODE, where INSTALLED has it from its tarball
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { checkColdStart } from './cold-start.mjs'
import { runServer } from './run-server.mjs'

const START_MS = 30_000
const [folder, node] = process.argv.slice(2).map((path) => resolve(path))
const root = resolve(import.meta.dirname, '..')
const home = mkdtempSync(join(tmpdir(), 'dragoman-home-'))
// npm and the bin's first line find `node` in PATH.
const options = { cwd: folder, env: { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH } }
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** A user's program under TypeScript's strictest options, which also check the package's declarations. */
function compiles(program, compilerOptions) {
  writeFileSync(join(folder, 'own.mts'), program)
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    module: 'nodenext',
    target: 'es2024',
    typeRoots: [join(root, 'node_modules/@types')],
    noEmit: true,
    ...compilerOptions,
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: strict, files: ['own.mts'] }),
  )
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout, error } = spawnSync(process.execPath, [compiler, '-p', folder], {
    ...options,
    encoding: 'utf8',
  })
  if (error) throw error
  // Faults in other packages' declarations do not count.
  const ours = stdout
    .split('\n')
    .filter((line) => /^(own\.mts|node_modules\/(@dragoman|dragoman)\/|error)/.test(line))
  assert.deepEqual(ours, [], 'the declarations do not compile')
}

function programOf(guide) {
  const program = /```ts\n(.*?)```/s.exec(readFileSync(join(root, guide), 'utf8'))?.[1]
  assert.ok(program?.includes("from 'dragoman'"), `${guide} has no program`)
  return program
}

/** A browser module, type-checked without Node's types. */
const page = `
import { followRun, messages, resumableFetch, type AssistantMessage, type LogEntry } from '@dragoman/client'
import { createClient, type Thread } from '@dragoman/client/v1'
import { agentAnswers, agentEvents, type AgentHistoryMessage } from '@dragoman/coding/client'
export const resumable: typeof fetch = resumableFetch({ onConnection: (isConnected: boolean) => isConnected })
export async function show(run: Response, render: (message: AssistantMessage) => void, signal: AbortSignal) {
  const entries: AsyncIterable<LogEntry> = followRun(run, { signal, credentials: 'include' })
  for await (const message of messages(entries)) render(message)
}
export async function threads(): Promise<readonly Thread[]> {
  return (await createClient().call('GET /v1/threads', { query: { limit: 5, archived: false } })).threads
}
export async function answered(response: Response): Promise<readonly AgentHistoryMessage[]> {
  let history: readonly AgentHistoryMessage[] = []
  for await (const answer of agentAnswers(agentEvents(response))) history = answer.messages ?? history
  return history
}
`

try {
  const called = ['--offline', 'dragoman', '--version']
  const output = execFileSync('npx', called, {
    ...options,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
  }).trim()
  assert.equal(output, `dragoman ${version}`, 'npx dragoman --version')

  const bin = join(folder, 'node_modules/.bin/dragoman')
  const { stdout, stderr } = await runServer(bin, ['--port', '0', '--home', home], options, {
    readyWithinMs: START_MS,
  })
  assert.match(stdout, /^dragoman ready \S+\n$/, `more than the ready line on stdout:\n${stdout}`)
  assert.doesNotMatch(stderr, /Warning/, `a warning that nobody can do anything about:\n${stderr}`)

  const skills = join(folder, 'node_modules/@dragoman/life/dist/skills/shipped')
  const inside = readdirSync(skills).toSorted()
  assert.deepEqual(inside, readdirSync(join(root, 'agents/life/src/skills/shipped')).toSorted())

  compiles(programOf('docs/guide/own-agent.md'), {
    lib: ['es2024', 'esnext.disposable'],
    types: ['node'],
  })
  compiles(page, { lib: ['es2024', 'dom', 'dom.iterable'], types: [] })
  const names = `console.log(Object.keys(await import('@dragoman/client')).toSorted().join())`
  const exported = execFileSync(node, ['--input-type=module', '-e', names], { ...options, encoding: 'utf8' })
  const expected =
    'completeTexts,dataLines,emptyMessage,fold,follow,followRun,isLogReplaced,messages,readError,resumableFetch'
  assert.equal(exported.trim(), expected, 'what @dragoman/client exports')
  await checkColdStart(node, bin)
} finally {
  rmSync(home, { recursive: true, force: true })
}
