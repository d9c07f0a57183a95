import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { hasSandboxKind, type SandboxKind } from '../../src/commands/commands.fixture.ts'
import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { OUTSIDE, RACE_SECONDS, raceServer, swapping, type Call, type RaceServer } from '../support/races.ts'
import { isFull } from '../../../../test/support/is-full.ts'

type Body = { readonly [key: string]: Json }
/** What is asked in one of the folders that are swapped; `below` is the way to it from the workspace. */
type Attempt = (results: RaceServer, workspaceRoot: string, below: string) => Promise<string>

/** Finds what is sought, and does not name it. */
const PATTERN = 'OUT-OF[-]BOUNDS'
/** Commands of a server that is given one program alone for its PATH. */
const PATH = 'PATH=/usr/bin:/bin'

const at = (below: string, name: string): string => (below === '' ? name : `${below}/${name}`)
const route =
  (path: string, body: (below: string) => Body): Attempt =>
  async ({ post }, workspaceRoot, below) =>
    (await post(`/api/files/${path}`, { workspaceRoot, ...body(below) })).text()
const tool =
  (name: string, input: (below: string) => Call[1], times = 6): Attempt =>
  ({ run }, workspaceRoot, below) =>
    run(
      workspaceRoot,
      Array.from({ length: times }, (): Call => [name, input(below)]),
    )

const SEARCHES: Readonly<Record<string, Attempt>> = {
  'POST /api/files/search for lines': route('search', (path) => ({ path: path || '.', pattern: PATTERN })),
  'POST /api/files/search for names': route('search', (path) => ({ path: path || '.', name: '**/*' })),
  search_files: tool('search_files', (path) => ({ path, pattern: PATTERN })),
  glob_files: tool('glob_files', (path) => ({ path, pattern: '**/*' })),
}
const COMMANDS: Readonly<Record<string, Attempt>> = {
  execute_command: tool(
    'execute_command',
    (cwd) => ({
      command: `${PATH}; cat secret.txt; ls -a; echo written >written.txt; echo changed >>secret.txt`,
      cwd: cwd || '.',
    }),
    3,
  ),
}
const FILES: Readonly<Record<string, Attempt>> = {
  'POST /api/files/read': route('read', (below) => ({ path: at(below, 'secret.txt') })),
  'POST /api/files/list': route('list', (below) => ({ path: below || '.' })),
  'POST /api/files/write': route('write', (below) => ({ path: at(below, 'written.txt'), content: 'x' })),
  read_file: tool('read_file', (below) => ({ path: at(below, 'secret.txt') })),
  list_directory: tool('list_directory', (path) => ({ path })),
  diff: tool('diff', (below) => ({ file_a: at(below, 'secret.txt'), file_b: at(below, 'inside.txt') })),
  write_file: tool('write_file', (below) => ({ path: at(below, 'new/written.txt'), content: 'x' })),
  edit_file: tool('edit_file', (below) => ({
    path: at(below, 'secret.txt'),
    old_string: 'a',
    new_string: 'a',
  })),
  '@file': ({ run }, root, below) =>
    run(root, [], `Look at @${at(below, 'secret.txt')} and @${at(below, '.')}`),
}

const SITUATIONS: readonly { sandbox: SandboxKind; attempts: Readonly<Record<string, Attempt>> }[] = [
  { sandbox: 'nothing', attempts: { ...SEARCHES, ...COMMANDS, ...FILES } },
  { sandbox: 'unshare', attempts: { ...SEARCHES, ...COMMANDS } },
  { sandbox: 'bubblewrap', attempts: { ...SEARCHES, ...COMMANDS } },
]
const works = new Map(
  await Promise.all(SITUATIONS.map(async ({ sandbox }) => [sandbox, await hasSandboxKind(sandbox)] as const)),
)

describe.runIf(isFull && process.platform === 'linux').each(SITUATIONS)(
  'while folders are swapped with links and commands use $sandbox,',
  ({ sandbox, attempts }) => {
    // A sandbox that is not installed cannot be tried: DRAGOMAN_BWRAP names a bwrap that is not in the PATH.
    it.skipIf(works.get(sandbox) !== true).each(Object.entries(attempts))(
      '%s reaches nothing outside',
      async (_name, attempt) => {
        const results = await raceServer(sandbox)
        const { root, outside } = results
        const before = await snapshot(outside)
        const over = await swapping(root)
        const until = performance.now() + RACE_SECONDS * 1000
        const ways = [
          [root, 'race/x'],
          [join(root, 'sub'), ''],
          [join(root, 'above/sub'), ''],
        ] as const
        let [tries, answered, hits] = [0, 0, 0]

        for (; performance.now() < until || tries < ways.length; tries += 1) {
          const [workspaceRoot, below] = ways[tries % ways.length] ?? [root, '']
          const outputs = await attempt(results, workspaceRoot, below)
          if (outputs.includes(OUTSIDE)) hits += 1
          if (!outputs.includes('"error"')) answered += 1
        }

        expect(await over()).toBeGreaterThan(100)
        expect({ hits, outputs: results.promptText().includes(OUTSIDE) }).toEqual({ hits: 0, outputs: false })
        expect(await snapshot(outside)).toEqual(before)
        expect(answered).toBeGreaterThan(0)
      },
      RACE_SECONDS * 1000 + 60_000,
    )
  },
)

/** What lies there, with its words. */
async function snapshot(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
  return Promise.all(paths.toSorted().map(async (path) => `${path}: ${await readFile(path, 'utf8')}`))
}
