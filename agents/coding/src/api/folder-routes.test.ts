import { symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join, relative } from 'node:path'

import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'

import type { AppEnv } from 'dragoman/agents'
import { statusOf } from 'dragoman/errors'
import { servedFolder } from '../coding.fixture.ts'
import { createWorkspaces, type Workspaces } from '../workspace/workspaces.ts'
import { folderRoutes } from './folder-routes.ts'

async function ask(
  open: Workspaces,
  path: string,
  { isOwner = false } = {},
): Promise<{ status: number; body: unknown }> {
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set('isOwner', isOwner)
      return next()
    })
    .route('/', folderRoutes(open))
    .onError((error, c) => c.json({ error: error.message }, statusOf(error)))
  const response = await app.request(path)
  return { status: response.status, body: await response.json() }
}

const validate = (path: string): string => `/validate-dir?path=${encodeURIComponent(path)}`

describe('GET /validate-dir', () => {
  it('returns the real path', async () => {
    const { root, outside, workspaces: open } = await servedFolder({ 'src/a.ts': '' })
    await symlink(root, join(outside, 'link'))

    for (const path of [root, `${root}/`, join(outside, 'link'), relative(homedir(), root)]) {
      expect(await ask(open, validate(path))).toEqual({
        status: 200,
        body: { valid: true, resolvedPath: root },
      })
    }
    expect(await ask(open, validate(join(outside, 'link/src')))).toMatchObject({
      body: { valid: true, resolvedPath: join(root, 'src') },
    })
  })

  it('finds a folder in a served root, and a served root, by its name alone', async () => {
    const { root, workspaces: open } = await servedFolder({ 'src/a.ts': '' })

    expect(await ask(open, validate('src'))).toMatchObject({
      body: { valid: true, resolvedPath: join(root, 'src') },
    })
    expect(await ask(open, validate(basename(root)))).toMatchObject({
      body: { valid: true, resolvedPath: root },
    })
  })

  it('lists the served roots where a folder is none', async () => {
    const { root, outside } = await servedFolder()
    const open = createWorkspaces([root, outside])

    expect(await ask(open, validate('/usr'))).toMatchObject({
      body: { error: expect.stringContaining(`Served: ${root}, ${outside}.`) as string },
    })
  })

  it('expands ~ to the home folder', async () => {
    const open = createWorkspaces([homedir()])

    expect(await ask(open, validate('~'))).toMatchObject({ body: { valid: true } })
    expect(await ask(open, validate('~/'))).toMatchObject({ body: { valid: true } })
    expect(await ask(open, validate('~root'))).toMatchObject({ body: { valid: false } })
  })

  it.each([
    ['a file', 'a.ts', /no folder/],
    ['what is not there', 'none', /no folder/],
    ['what is not served', '..', /not served.*--root/],
    ['a link that leads out', 'out', /not served.*--root/],
    ['what is not there, outside', '../none', /not served.*--root/],
    ['what is not there, behind a link that leads out', 'out/none', /not served.*--root/],
    ['a file outside', 'out/secret', /not served.*--root/],
    ['what is below a file outside', 'out/secret/x', /not served.*--root/],
    ['a NUL', 'a\0b', /no folder/],
  ])('rejects %s', async (_what, path, why) => {
    const { root, outside, workspaces: open } = await servedFolder({ 'a.ts': '' })
    await symlink(outside, join(root, 'out'))
    await writeFile(join(outside, 'secret'), '')

    expect(await ask(open, validate(`${root}/${path}`))).toEqual({
      status: 200,
      body: { valid: false, error: expect.stringMatching(why) as string },
    })
  })

  it('rejects every folder if no root is served', async () => {
    expect(await ask(createWorkspaces([]), validate('/tmp'))).toMatchObject({
      body: { valid: false, error: expect.stringMatching(/--root/) as string },
    })
  })

  it.each(['/validate-dir', '/validate-dir?path='])('requires a path: %s', async (address) => {
    const { workspaces: open } = await servedFolder()

    expect(await ask(open, address)).toMatchObject({ status: 400, body: { error: 'path is required' } })
  })
})

describe('GET /home-dir', () => {
  it('returns the first served root', async () => {
    const { root, outside } = await servedFolder()
    const open = createWorkspaces([join(root, 'none'), root, outside])

    for (const isOwner of [true, false]) {
      expect(await ask(open, '/home-dir', { isOwner })).toEqual({ status: 200, body: { homeDir: root } })
    }
  })

  it('returns the home folder to the owner if no root is served', async () => {
    expect(await ask(createWorkspaces([]), '/home-dir', { isOwner: true })).toEqual({
      status: 200,
      body: { homeDir: homedir() },
    })
  })

  it('tells nothing of the home folder to other users', async () => {
    const { workspaces: open } = await servedFolder()

    expect(await ask(open, '/home-dir')).not.toMatchObject({ body: { homeDir: homedir() } })
    const none = await ask(createWorkspaces([]), '/home-dir')
    expect(none.status).toBe(503)
    expect(JSON.stringify(none.body)).not.toContain(homedir())
  })
})
