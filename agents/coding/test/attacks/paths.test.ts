import { execFileSync } from 'node:child_process'
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { framesOf } from '../../../../test/support/event-stream.ts'
import { client } from '../../../../test/support/http.ts'
import { calls, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { coding } from '../../src/index.ts'

type Attack = readonly [tool: string, input: { readonly [key: string]: Json }]

const readers = (path: string): Attack[] => [
  ['read_file', { path }],
  ['list_directory', { path }],
  ['diff', { file_a: 'a.txt', file_b: path }],
  ['diff', { file_a: path, file_b: 'a.txt' }],
]
const writers = (path: string): Attack[] => [
  ['write_file', { path, content: 'owned' }],
  ['edit_file', { path, old_string: '', new_string: 'owned' }],
  ['edit_file', { path, old_string: 'secret', new_string: 'owned' }],
]

/** Ways out of the root, by whatever name. OUT is the folder in which the root lies. */
const ways = [
  '../secret',
  '..',
  '/etc/passwd',
  'OUT/secret',
  'OUT/root2/f',
  '../root2/f',
  '../root2/new',
  'esc/secret',
  'esc/new.txt',
  'esc/deep/new.txt',
  'esc',
  'to-secret',
  'dangling',
  'sub/../../secret',
  'sub/up/secret',
  './esc/../../secret',
  'file:///etc/passwd',
  'FILE://OUT/secret',
  '~',
  '~/.ssh/id_rsa',
  '~root/x',
  'a.txt\0.png',
  'half\ud800',
  '/proc/self/environ',
  '/proc/self/cwd/package.json',
  '/dev/stdin',
  'round',
  'x'.repeat(5000),
  '../'.repeat(500),
  String.raw`..\secret`,
]

/** What is no text file in it, and what does not end. */
const traps: readonly Attack[] = [
  ...readers('pipe').filter(([tool]) => tool !== 'list_directory'),
  ['write_file', { path: 'pipe', content: 'x' }],
  ['edit_file', { path: 'pipe', old_string: 'a', new_string: 'b' }],
  ['read_file', { path: 'sub' }],
  ['write_file', { path: 'sub', content: 'x' }],
  ['write_file', { path: '.', content: 'x' }],
  ['write_file', { path: 'a.txt/b', content: 'x' }],
  ['read_file', { path: 'picture' }],
  ['read_file', { path: 'holes' }],
  ['edit_file', { path: 'holes', old_string: 'a', new_string: 'b' }],
  ['diff', { file_a: 'holes', file_b: 'a.txt' }],
  ['read_file', { path: 'a.txt', offset: 99 }],
  ['write_file', { path: 'a.txt', content: 'not read' }],
  ['edit_file', { path: 'gbk.txt', old_string: '你好', new_string: '\ud800' }],
  ['list_directory', { path: '.', pattern: '{a,b}'.repeat(60) }],
  ['list_directory', { path: 'a.txt' }],
  ['read_file', {}],
  ['read_file', { path: ['a.txt'] }],
  ['write_file', { path: 'x.txt', content: { a: 1 } }],
]

describe.each(['pi', 'default'])('a coding agent, driven by %s, that tries to leave its folder', (engine) => {
  const model = scriptedModel()
  let outside: string
  let server: TestServer
  beforeAll(async () => {
    outside = await realpath(await mkdtemp(join(tmpdir(), 'dragoman-attack-')))
    await plant(outside)
    const home = join(outside, 'home')
    await mkdir(join(home, 'agents/coding'), { recursive: true })
    await writeFile(join(home, 'agents/coding/agent.json'), JSON.stringify({ id: 'coding', engine }))
    const flags = ['--root', join(outside, 'root')]
    server = await openServer({ models: model.models, agents: [coding], home, flags })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await rm(outside, { recursive: true })
  })

  async function attempt(attacks: readonly Attack[]): Promise<Record<string, unknown>[]> {
    const thread = await client(server).json('POST', '/v1/threads', { agent: 'coding' })
    const { id } = thread.body as { id: string }
    const each = attacks.map(([tool, input], at) => calls(`c${at}`, tool, input))
    model.play([step(...each), step(says('I give up.'))])
    const answer = await client(server).post(`/v1/threads/${id}/runs`, { message: 'Go.', context: {} })
    return framesOf(Buffer.from(await answer.arrayBuffer()))
  }

  const named = (input: Attack[1]): Attack[1] =>
    Object.fromEntries(
      Object.entries(input).map(([key, value]) => [
        key,
        typeof value === 'string' ? value.replace('OUT', outside) : value,
      ]),
    )
  const all = ways.flatMap((path) => readers(path).concat(writers(path))).concat(traps)

  it('gets a refusal each time and touches nothing outside', async () => {
    const before = await snapshot(outside)
    const attacks = all.map(([tool, input]): Attack => [tool, named(input)])

    const events = await attempt(attacks)

    const failures = events.filter(({ type }) => type === 'tool.failed')
    expect(events.filter(({ type }) => type === 'tool.returned')).toEqual([])
    expect(failures).toHaveLength(attacks.length)
    for (const { failure } of failures) {
      const { code, message } = failure as { code: string; message: string }
      expect(['forbidden', 'invalid-input', 'not-found', 'conflict', 'too-large']).toContain(code)
      expect(message.length).toBeLessThan(700)
      expect(message).not.toMatch(/secret words|E[A-Z]{4,}:|\.ts:\d/)
    }
    expect(events.at(-1)).toMatchObject({ type: 'run.finished' })
    expect(await snapshot(outside)).toEqual(before)
  })

  it('can still work inside', async () => {
    const events = await attempt([
      ['read_file', { path: 'a.txt' }],
      ['read_file', { path: '..foo/bar' }],
      ['read_file', { path: 'gbk.txt' }],
      ['read_file', { path: './~x' }],
      ['read_file', { path: join(outside, 'root/a.txt') }],
    ])

    const texts = events.filter(({ type }) => type === 'tool.returned').map(({ text }) => String(text))
    const gbk = '你好，世界\n\n[the file is written in GB18030]'
    expect(texts.toSorted()).toEqual(['bar', 'plain', 'plain', 'tilde', gbk])
  })
})

async function plant(outside: string): Promise<void> {
  const root = join(outside, 'root')
  await Promise.all(
    ['root/sub', 'root/..foo', 'root2'].map((path) => mkdir(join(outside, path), { recursive: true })),
  )
  const files: Readonly<Record<string, string | Uint8Array>> = {
    secret: 'secret words',
    'root2/f': 'secret words',
    'root/a.txt': 'plain',
    'root/..foo/bar': 'bar',
    'root/~x': 'tilde',
    'root/picture': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]),
    'root/gbk.txt': Buffer.from('c4e3bac3a3accac0bde7', 'hex'),
    'root/holes': '',
  }
  for (const [path, content] of Object.entries(files)) await writeFile(join(outside, path), content)
  const links = {
    esc: outside,
    'to-secret': '../secret',
    dangling: '../new-secret',
    'sub/up': '../..',
    round: 'round',
  }
  for (const [path, to] of Object.entries(links)) await symlink(to, join(root, path))
  await truncate(join(root, 'holes'), 3 * 1024 ** 3)
  execFileSync('mkfifo', [join(root, 'pipe')])
}

/** What lies there, with the words of what is small. The home is the server's own. */
async function snapshot(outside: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(outside, { recursive: true, withFileTypes: true })
  const paths = entries
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ path }) => !path.startsWith(join(outside, 'home')))
  const outcomes = paths.map(async ({ entry, path }) => {
    const isRead = entry.isFile() && entry.name !== 'holes'
    return [path, isRead ? await readFile(path, 'utf8') : '']
  })
  return Object.fromEntries(await Promise.all(outcomes)) as Readonly<Record<string, string>>
}
