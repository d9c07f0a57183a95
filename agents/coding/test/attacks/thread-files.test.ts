import { link, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { calls, says, step } from '../../../../test/support/scripted-model.ts'
import { bearer } from '../../../../test/support/users.ts'
import { codingServer } from '../support/coding.ts'

const SECRET = 'not-for-you'

/** Paths that lead out of the folder, or into what is closed. */
const PATHS = [
  '..',
  '../outside/secret.txt',
  'link/secret.txt',
  'secret-link',
  '/etc/passwd',
  '~/.ssh/id_rsa',
  'file:///etc/passwd',
  'a.txt\0',
  'x'.repeat(5000),
]

async function servedThread() {
  const coding = await codingServer({ users: ['ada', 'bob'] })
  const { root, outside, server, model } = coding
  await writeFile(join(outside, 'secret.txt'), SECRET)
  await writeFile(join(root, 'a.txt'), 'a')
  await symlink(outside, join(root, 'link'))
  await symlink(join(outside, 'secret.txt'), join(root, 'secret-link'))
  const as = async (user: string, method: string, path: string, body?: Json) => {
    const response = await coding.send(method, path, body, bearer(server.token(user)))
    return { status: response.status, text: await response.text() }
  }
  const opened = await as('ada', 'POST', '/v1/threads', { agent: 'coding' })
  const { id } = JSON.parse(opened.text) as { id: string }
  model.play([step(calls('c', 'write_file', { path: 'new.txt', content: 'by ada' })), step(says('Done.'))])
  await as('ada', 'POST', `/v1/threads/${id}/runs`, { message: 'go', stream: false })
  return { coding, as, base: `/coding/threads/${id}` }
}

describe('the files of a thread', () => {
  it('end at its folder', async () => {
    const { as, base } = await servedThread()
    for (const path of PATHS) {
      const named = `path=${encodeURIComponent(path)}`
      const answers = [
        await as('ada', 'GET', `${base}/tree?${named}`),
        await as('ada', 'GET', `${base}/file?${named}`),
        await as('ada', 'GET', `${base}/changes/file?${named}`),
        await as('ada', 'POST', `${base}/revert`, { path }),
        await as('ada', 'POST', `${base}/revert`, { path, force: true }),
      ]

      for (const { status, text } of answers) {
        expect([path, status < 500 && status >= 400]).toEqual([path, true])
        expect(text).not.toContain(SECRET)
        expect(text).not.toContain('secret.txt"')
      }
    }
  })

  it('are hidden from another user', async () => {
    const { as, base } = await servedThread()
    const attempts: [string, string, Json?][] = [
      ['GET', '/changes'],
      ['GET', '/changes/file?path=new.txt'],
      ['GET', '/tree'],
      ['GET', '/file?path=a.txt'],
      ['POST', '/revert', { all: true }],
      ['POST', '/revert', { path: 'new.txt', force: true }],
    ]
    for (const [method, path, body] of attempts)
      expect(await as('bob', method, `${base}${path}`, body)).toMatchObject({
        status: 404,
        text: expect.stringContaining('There is no such conversation.') as string,
      })

    expect((await as('ada', 'GET', `${base}/changes`)).text).toContain('new.txt')
  })
})

describe('the folders to choose from', () => {
  it('are the roots and what is below them, without links, hidden and closed ones', async () => {
    const coding = await codingServer()
    const { root, outside, json } = coding
    for (const name of ['b', 'a/inner', '.hidden']) await mkdir(join(root, name), { recursive: true })
    await writeFile(join(root, 'file.txt'), 'x')
    await link(join(root, 'file.txt'), join(root, 'hard.txt'))
    await symlink(outside, join(root, 'out'))
    const list = (path?: string) =>
      json('GET', `/coding/folders${path === undefined ? '' : `?path=${encodeURIComponent(path)}`}`)

    expect((await list()).body).toEqual({
      path: null,
      parent: null,
      folders: [{ name: 'root', path: root }],
      truncated: false,
    })
    expect((await list(root)).body).toEqual({
      path: root,
      parent: null,
      folders: [
        { name: 'a', path: join(root, 'a') },
        { name: 'b', path: join(root, 'b') },
      ],
      truncated: false,
    })
    expect((await list(join(root, 'a'))).body).toMatchObject({ parent: root, folders: [{ name: 'inner' }] })
    for (const path of [outside, join(root, '..'), join(root, 'out'), join(root, 'out/x'), '/', '/etc'])
      expect(await list(path)).toMatchObject({ status: 403 })
    for (const path of ['relative', join(root, 'none'), join(root, 'file.txt')])
      expect(await list(path)).toMatchObject({ status: 400 })
  })

  it('leave out the home of the server', async () => {
    const coding = await codingServer({ isOnDisk: true, otherRoots: ['.'] })
    const { json, root } = coding

    const { body } = await json('GET', `/coding/folders?path=${encodeURIComponent(join(root, '..'))}`)

    expect(body['folders']).toEqual([
      { name: 'outside', path: join(root, '../outside') },
      { name: 'root', path: root },
    ])
  })
})
