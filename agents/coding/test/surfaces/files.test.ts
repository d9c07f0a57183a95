import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { linesOf, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer, type ServerOptions, type TestServer } from '../../../../test/support/server.ts'
import { chatRequest, client } from '../../../../test/support/http.ts'
import { coding } from '../../src/index.ts'

type Rig = { readonly root: string; readonly outside: string; readonly server: TestServer }

async function rig(
  options: Partial<ServerOptions> & { readonly roots?: readonly string[] } = {},
): Promise<Rig> {
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'dragoman-test-')))
  const { roots = ['work'], ...more } = options
  for (const name of roots) await mkdir(join(outside, name))
  const flags = roots.flatMap((name) => ['--root', join(outside, name)])
  const server = await openServer({
    models: scriptedModel().models,
    agents: [coding],
    ...more,
    flags: [...flags, ...(more.flags ?? [])],
  })
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]()
    await rm(outside, { recursive: true })
  })
  return { root: join(outside, 'work'), outside, server }
}

const ask = ({ server }: Rig, verb: string, body: Json) =>
  client(server).json('POST', `/api/files/${verb}`, body)

describe('/api/files', () => {
  it('writes, reads, searches and lists', async () => {
    const here = await rig()
    const path = '笔记/你好 一.md'

    expect(await ask(here, 'write', { path, content: 'Hello\n你好\n' })).toEqual({
      status: 200,
      body: { path, bytes: 13, created: true },
    })
    expect(await ask(here, 'write', { path, content: '你好\n', workspaceRoot: here.root })).toEqual({
      status: 200,
      body: { path, bytes: 7, created: false },
    })
    expect(await readFile(join(here.root, path), 'utf8')).toBe('你好\n')
    expect(await ask(here, 'read', { path, sessionId: 's-1' })).toEqual({
      status: 200,
      body: { path, content: '你好\n', totalLines: 1, truncated: false, encoding: 'UTF-8' },
    })
    expect((await ask(here, 'search', { pattern: '你.', path: '笔记' })).body).toEqual({
      matches: [{ path, line: 1, text: '你好' }],
      truncated: false,
    })
    expect((await ask(here, 'search', { name: '*.md' })).body).toEqual({ files: [path], truncated: false })
    expect((await ask(here, 'list', {})).body).toMatchObject({
      path: '.',
      entries: [{ name: '笔记', type: 'directory' }],
      truncated: false,
    })
    expect((await ask(here, 'list', { path: '笔记' })).body).toMatchObject({
      entries: [{ type: 'file', size: 7 }],
    })
  })

  it('reports truncation and encoding', async () => {
    const here = await rig()
    await writeFile(join(here.root, 'long.txt'), 'x\n'.repeat(600_000))
    await writeFile(join(here.root, 'gbk.txt'), new Uint8Array([0xc4, 0xe3, 0xba, 0xc3]))

    const { body } = await ask(here, 'read', { path: 'long.txt' })
    expect(body).toMatchObject({ totalLines: 600_000, truncated: true })
    expect(body['content']).toHaveLength(1_000_000)
    expect((await ask(here, 'read', { path: 'gbk.txt' })).body).toMatchObject({
      content: '你好',
      encoding: 'GB18030',
    })
  })

  it.each<[string, Json, number, string]>([
    ['read', {}, 400, 'path is required'],
    ['read', { path: 1 }, 400, 'path must be a text'],
    ['read', { path: '' }, 400, 'path must not be empty'],
    ['read', { path: 'none.txt' }, 404, 'none.txt does not exist.'],
    ['read', { path: '.' }, 400, 'is a folder'],
    ['read', { path: 'link.txt' }, 403, 'outside'],
    ['read', { path: 'a.bin' }, 400, 'not text'],
    ['read', { path: 'x', workspaceRoot: '/' }, 403, 'workspaceRoot'],
    ['read', { path: 'x', workspaceRoot: 'work' }, 400, 'workspaceRoot must be an absolute path'],
    ['write', { path: 'x' }, 400, 'content is required'],
    ['write', { path: 'link.txt', content: '' }, 403, 'outside'],
    ['search', {}, 400, 'pattern or name is required'],
    ['search', { pattern: 'a', name: 'b' }, 400, 'name and pattern exclude each other'],
    ['search', { pattern: '(' }, 400, 'pattern is no regular expression'],
    ['search', { pattern: 'hidden', path: 'out' }, 403, 'outside'],
    ['list', { path: 'a.bin' }, 400, 'path: a.bin is no folder.'],
    ['list', [], 400, 'The body must be a JSON object'],
  ])('refuses to %s %j: %i, %s', async (verb, body, status, sentence) => {
    const here = await rig()
    await writeFile(join(here.outside, 'secret.txt'), 'hidden')
    await writeFile(join(here.root, 'a.bin'), new Uint8Array([0, 1]))
    await symlink(join(here.outside, 'secret.txt'), join(here.root, 'link.txt'))
    await symlink(here.outside, join(here.root, 'out'))

    const answer = await ask(here, verb, body)
    expect(answer).toMatchObject({ status })
    expect(JSON.stringify(answer.body)).toContain(sentence)
    expect(JSON.stringify(answer.body)).not.toContain('hidden"')
    expect(await readFile(join(here.outside, 'secret.txt'), 'utf8')).toBe('hidden')
  })

  it('requires a folder if several are served, and reports that none is served', async () => {
    const several = await rig({ roots: ['work', 'other'] })
    expect((await ask(several, 'list', {})).status).toBe(400)
    expect((await ask(several, 'list', { workspaceRoot: join(several.outside, 'other') })).status).toBe(200)

    const { status, body } = await ask(await rig({ roots: [] }), 'list', {})
    expect(status).toBe(503)
    expect(JSON.stringify(body)).toContain('--root')
  })

  it('refuses foreign pages and missing tokens, and serves every user', async () => {
    const here = await rig({ flags: ['--require-token'], users: ['ada', 'bob'] })
    const write = (headers: Record<string, string>) =>
      client(here.server).post('/api/files/write', { path: 'x.txt', content: 'x' }, headers)
    const as = (user: string) => ({ authorization: `Bearer ${here.server.token(user)}` })

    expect((await write({})).status).toBe(401)
    expect((await write({ ...as('ada'), origin: 'https://evil.example' })).status).toBe(403)
    expect((await write(as('ada'))).status).toBe(200)
    expect((await write(as('bob'))).status).toBe(200)
  })

  it('puts referenced files into the prompt', async () => {
    const model = scriptedModel([step(says('Fine.'))])
    const here = await rig({ models: model.models })
    await writeFile(join(here.root, '说明.md'), 'Be brief.')

    const response = await client(here.server).post('/coding/chat', chatRequest('Explain @说明.md please'))
    expect(await response.text()).toContain('Fine.')
    expect(linesOf(model.prompts[0])).toEqual([
      expect.stringMatching(
        /^user: \[Context: .*\nFile "说明\.md":\n```\nBe brief\.\n``` Explain @说明\.md please$/s,
      ),
    ])
  })

  it('refuses a body that is too large', async () => {
    const { status } = await ask(await rig(), 'read', { path: 'x'.repeat(1_100_000) })
    expect(status).toBe(413)
  })
})
