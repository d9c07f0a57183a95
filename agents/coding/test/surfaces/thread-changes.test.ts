import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { calls, says, step } from '../../../../test/support/scripted-model.ts'
import { codingServer, type CodingServer } from '../support/coding.ts'

type Call = readonly [tool: string, input: { readonly [key: string]: Json }]
type Options = NonNullable<Parameters<typeof codingServer>[0]>

/** A thread in which the agent makes calls. */
async function thread(options: Options = {}) {
  const coding = await codingServer(options)
  const opened = await coding.json('POST', '/v1/threads', { agent: 'coding' })
  const id = String(opened.body['id'])
  const run = async (...made: readonly Call[]): Promise<void> => {
    coding.model.play([
      ...made.map(([tool, input], at) => step(calls(`c${at}`, tool, input))),
      step(says('Done.')),
    ])
    await coding.json('POST', `/v1/threads/${id}/runs`, { message: 'go', stream: false })
  }
  const get = (path: string) => coding.json('GET', `/coding/threads/${id}${path}`)
  const revert = (body: Json) => coding.json('POST', `/coding/threads/${id}/revert`, body)
  const textOf = (path: string): Promise<string> => readFile(join(coding.root, path), 'utf8')
  return { coding, id, run, get, revert, textOf }
}

const replace = (path: string, from: string, to: string): Call => [
  'edit_file',
  { path, old_string: from, new_string: to },
]
const create = (path: string, content: string): Call => ['write_file', { path, content }]

async function statesOf(get: (path: string) => ReturnType<CodingServer['json']>): Promise<unknown> {
  const { body } = await get('/changes')
  const changes = body['changes'] as { path: string; state: string; added: number; removed: number }[]
  return changes.map(({ path, state, added, removed }) => `${state} ${path} +${added} -${removed}`)
}

describe('the changes of a thread', () => {
  it('compare each file with what it was before the first change', async () => {
    const { coding, run, get } = await thread()
    await writeFile(join(coding.root, 'sum.js'), 'a - b\n')
    await run(replace('sum.js', '-', '+'), create('src/new.txt', 'one\ntwo\n'))

    await run(replace('sum.js', 'a + b', 'a + b + c'))

    expect(await statesOf(get)).toEqual(['created src/new.txt +2 -0', 'edited sum.js +1 -1'])
    expect(await get('/changes/file?path=sum.js')).toMatchObject({
      status: 200,
      body: {
        state: 'edited',
        changedByOthers: false,
        diff: expect.stringContaining('-a - b\n+a + b + c') as string,
      },
    })
    expect((await get('/changes/file?path=src/new.txt')).body).toMatchObject({
      diff: expect.stringContaining('+one\n+two') as string,
    })
    expect((await get('/changes')).body['workspaceRoot']).toBe(coding.root)
  })

  it('leave out what is as it was', async () => {
    const { coding, run, get } = await thread()
    await writeFile(join(coding.root, 'a.txt'), 'a')
    await run(replace('a.txt', 'a', 'b'), create('gone.txt', 'x'))
    await run(replace('a.txt', 'b', 'a'))
    await rm(join(coding.root, 'gone.txt'))

    expect(await statesOf(get)).toEqual([])
    expect(await get('/changes/file?path=a.txt')).toMatchObject({ status: 404 })
    expect(await get('/changes/file?path=other.txt')).toMatchObject({ status: 404 })
    expect(await get('/changes/file')).toMatchObject({ status: 400 })
  })

  it('are reverted one by one and all at once', async () => {
    const { coding, run, get, revert, textOf } = await thread()
    await writeFile(join(coding.root, 'a.txt'), 'a', { mode: 0o640 })
    await writeFile(join(coding.root, 'b.bin'), Buffer.from('caf\xe9\r\n', 'latin1'))
    await run(replace('a.txt', 'a', 'A'), replace('b.bin', 'caf', 'CAF'), create('dir/new.txt', 'x'))

    expect(await revert({ path: 'a.txt' })).toMatchObject({ status: 200, body: { reverted: ['a.txt'] } })
    expect(await statesOf(get)).toEqual(['edited b.bin +1 -1', 'created dir/new.txt +1 -0'])
    expect(await revert({ all: true })).toMatchObject({ body: { reverted: ['b.bin', 'dir/new.txt'] } })

    expect(await textOf('a.txt')).toBe('a')
    expect((await stat(join(coding.root, 'a.txt'))).mode & 0o777).toBe(0o640)
    expect(await readFile(join(coding.root, 'b.bin'), 'latin1')).toBe('caf\xe9\r\n')
    await expect(textOf('dir/new.txt')).rejects.toThrow('ENOENT')
    expect(await statesOf(get)).toEqual([])
    expect(await revert({ all: true })).toMatchObject({ status: 200, body: { reverted: [] } })
  })

  it.each<Json>([
    {},
    { path: 'a.txt', all: true },
    { all: false },
    { path: '' },
    { path: 'a.txt', force: 'yes' },
  ])('are not reverted for the body %j', async (body) => {
    const { revert } = await thread()

    expect((await revert(body)).status).toBe(400)
  })
})

describe('a file that something else has changed as well', () => {
  it.each([
    ['was edited since', async (path: string) => writeFile(path, 'mine')],
    ['was deleted since', async (path: string) => rm(path)],
  ])('is reverted only by force if it %s', async (_what, act) => {
    const { coding, run, get, revert, textOf } = await thread()
    await writeFile(join(coding.root, 'a.txt'), 'a')
    await writeFile(join(coding.root, 'b.txt'), 'b')
    await run(replace('a.txt', 'a', 'A'), replace('b.txt', 'b', 'B'))
    await act(join(coding.root, 'a.txt'))

    expect((await get('/changes')).body['changes']).toMatchObject([
      { path: 'a.txt', changedByOthers: true },
      { path: 'b.txt', changedByOthers: false },
    ])
    for (const body of [{ path: 'a.txt' }, { all: true }] as const)
      expect(await revert(body)).toMatchObject({
        status: 409,
        body: {
          code: 'conflict',
          paths: ['a.txt'],
          error: expect.stringMatching(/^Something else has changed a\.txt/) as string,
        },
      })
    expect(await textOf('b.txt')).toBe('B')
    expect(await revert({ all: true, force: true })).toMatchObject({ body: { reverted: ['a.txt', 'b.txt'] } })
    expect(await textOf('a.txt')).toBe('a')
  })

  it('is reverted only by force if it was edited between two changes of the thread', async () => {
    const { coding, run, revert } = await thread()
    await writeFile(join(coding.root, 'a.txt'), 'a')
    await run(replace('a.txt', 'a', 'A'))
    await writeFile(join(coding.root, 'a.txt'), 'A, and mine')

    await run(replace('a.txt', 'A,', 'AA,'))

    expect(await revert({ path: 'a.txt' })).toMatchObject({ status: 409 })
  })

  it('is not touched behind a link that took its place', async () => {
    const { coding, run, get, revert } = await thread()
    await run(create('dir/a.txt', 'a'))
    await writeFile(join(coding.outside, 'a.txt'), 'a')
    await rm(join(coding.root, 'dir'), { recursive: true })
    await symlink(coding.outside, join(coding.root, 'dir'))

    expect((await get('/changes')).body['changes']).toMatchObject([{ state: 'unreadable' }])
    expect(await revert({ path: 'dir/a.txt' })).toMatchObject({ status: 403 })
    expect(await revert({ all: true, force: true })).toMatchObject({ status: 403 })
    expect(await readFile(join(coding.outside, 'a.txt'), 'utf8')).toBe('a')
  })
})

describe('the changes', () => {
  it('are gone with their thread', async () => {
    const first = await thread()
    await first.run(create('a.txt', 'secret-of-a'))
    const { coding, id } = first
    expect(await statesOf(first.get)).toEqual(['created a.txt +1 -0'])

    await coding.json('DELETE', `/v1/threads/${id}`)

    expect(await first.get('/changes')).toMatchObject({ status: 404 })
    expect(await first.revert({ all: true })).toMatchObject({ status: 404 })
    expect(await first.textOf('a.txt')).toBe('secret-of-a')
  })

  it('follow the thread into another folder', async () => {
    const { coding, id, run, get, revert } = await thread()
    await run(create('a.txt', 'a'))
    await mkdir(join(coding.root, 'sub'))
    coding.model.play([step(says('Moved.'))])
    const context = { workspaceRoot: join(coding.root, 'sub') }
    await coding.json('POST', `/v1/threads/${id}/runs`, { message: 'go', context, stream: false })

    const path = join(coding.root, 'a.txt')

    expect(await statesOf(get)).toEqual([`created ${path} +1 -0`])
    expect(await revert({ path })).toMatchObject({ body: { reverted: [path] } })
  })
})

describe('the tree of a thread', () => {
  it('lists folders first, without what is ignored', async () => {
    const { coding, get } = await thread()
    for (const folder of ['src', 'node_modules', 'dist', '.git']) await mkdir(join(coding.root, folder))
    await writeFile(join(coding.root, '.gitignore'), 'dist/\n*.log\n')
    for (const name of ['a.txt', 'a.log', 'src/b.ts', 'src/b.log'])
      await writeFile(join(coding.root, name), 'x')
    const entries = async (path: string): Promise<unknown> =>
      ((await get(path)).body['entries'] as { path: string; type: string }[]).map(
        ({ path: name, type }) => `${type} ${name}`,
      )

    expect(await entries('/tree')).toEqual(['directory src', 'file .gitignore', 'file a.txt'])
    expect(await entries('/tree?path=src')).toEqual(['file src/b.ts'])
    expect((await get('/file?path=src/b.ts')).body).toMatchObject({ content: 'x', truncated: false })
    expect(await get('/tree?path=a.txt')).toMatchObject({ status: 400 })
  })
})

it('gives a file that it restores the permissions that it had', async () => {
  const { coding, run, revert, textOf } = await thread()
  const file = join(coding.root, 'secret.env')
  await writeFile(file, 'KEY=1\n', { mode: 0o600 })
  await run(replace('secret.env', '1', '2'))
  await rm(file)

  await revert({ path: 'secret.env', force: true })

  expect(await textOf('secret.env')).toBe('KEY=1\n')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})
