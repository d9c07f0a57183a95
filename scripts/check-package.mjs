// The packed package, in an empty folder, on the given Node: check-package.mjs TARBALL NODE
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { runServer } from './run-server.mjs'

const START_MS = 30_000
const [tarball, node] = process.argv.slice(2).map((path) => resolve(path))
const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'dragoman-package-'))
// Both npm and the bin's first line look for `node` in PATH.
const options = { cwd: folder, env: { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH } }
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Somebody's own program, as strict as TypeScript can be, the package's declarations included. */
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
  // What other packages' declarations lack is theirs.
  const ours = stdout.split('\n').filter((line) => /^(own\.mts|node_modules\/dragoman\/|error)/.test(line))
  assert.deepEqual(ours, [], 'the declarations do not compile')
}

/** The first program of a guide, with the package in the place of the sources. */
function programOf(guide, name) {
  const program = /```ts\n(.*?)```/s.exec(readFileSync(join(root, guide), 'utf8'))?.[1]
  const own = program?.replace('./src/index.ts', name)
  assert.ok(own?.includes(`from '${name}'`), `${guide} has no program`)
  return own
}

/** A page's module, which nothing but a browser's own things stand behind. */
const page = `
import { agentAnswers, agentEvents, followRun, messages, resumableFetch } from 'dragoman/client'
import type { AgentHistoryMessage, AssistantMessage, LogEntry } from 'dragoman/client'
export const resumable: typeof fetch = resumableFetch({ onConnection: (isConnected: boolean) => isConnected })
export async function show(run: Response, render: (message: AssistantMessage) => void, signal: AbortSignal) {
  const entries: AsyncIterable<LogEntry> = followRun(run, { signal, credentials: 'include' })
  for await (const message of messages(entries)) render(message)
}
export async function answered(response: Response): Promise<readonly AgentHistoryMessage[]> {
  let history: readonly AgentHistoryMessage[] = []
  for await (const answer of agentAnswers(agentEvents(response))) history = answer.messages ?? history
  return history
}
`

try {
  // Else npm looks for one in the folders above.
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const install = ['install', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error', tarball]
  execFileSync('npm', install, { ...options, stdio: ['ignore', 2, 2] })

  const called = ['--offline', 'dragoman', '--version']
  const said = execFileSync('npx', called, {
    ...options,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
  }).trim()
  assert.equal(said, `dragoman ${version}`, 'npx dragoman --version')

  const bin = join(folder, 'node_modules/.bin/dragoman')
  const home = join(folder, 'home')
  const { stdout, stderr } = await runServer(bin, ['--port', '0', '--home', home], options, {
    readyWithinMs: START_MS,
  })
  assert.match(stdout, /^dragoman ready \S+\n$/, `more than the ready line on stdout:\n${stdout}`)
  assert.doesNotMatch(stderr, /Warning/, `a warning that nobody can do anything about:\n${stderr}`)

  const skills = join(folder, 'node_modules/dragoman/dist/capabilities/life/skills/shipped')
  const inside = readdirSync(skills).toSorted()
  assert.deepEqual(inside, readdirSync(join(root, 'src/capabilities/life/skills/shipped')).toSorted())

  compiles(programOf('docs/own-agent.md', 'dragoman'), {
    lib: ['es2024', 'esnext.disposable'],
    types: ['node'],
  })
  compiles(page, { lib: ['es2024', 'dom', 'dom.iterable'], types: [] })
  const names = `console.log(Object.keys(await import('dragoman/client')).toSorted().join())`
  const exported = execFileSync(node, ['--input-type=module', '-e', names], { ...options, encoding: 'utf8' })
  const expected = 'agentAnswers,agentEvents,envelopeAnswers,envelopes,followRun,messages,resumableFetch'
  assert.equal(exported.trim(), expected, 'what dragoman/client exports')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
