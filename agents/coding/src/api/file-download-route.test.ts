import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'

import type { AppEnv } from 'dragoman/agents'
import { statusOf } from 'dragoman/errors'
import { servedFolder } from '../coding.fixture.ts'
import { fileDownloadRoute } from './file-download-route.ts'

async function served(files: Record<string, string>) {
  const { root, outside, workspaces } = await servedFolder(files)
  const app = new Hono<AppEnv>()
    .route('/', fileDownloadRoute(workspaces))
    .onError((error, c) => c.json({ error: error.message }, statusOf(error)))
  const download = (path: string, workDir = root): Promise<Response> =>
    Promise.resolve(app.request(`/?${new URLSearchParams({ path, workDir }).toString()}`))
  return { root, outside, download }
}

describe('GET /api/agent-file', () => {
  it('gives the bytes of a file, by a relative or an absolute path', async () => {
    const { root, download } = await served({ 'src/结果 (1).html': '<script>1</script>', empty: '' })

    for (const path of ['src/结果 (1).html', join(root, 'src/结果 (1).html')]) {
      const response = await download(path)
      expect(await response.text()).toBe('<script>1</script>')
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/octet-stream',
        'x-content-type-options': 'nosniff',
        'content-length': '18',
        'content-disposition': "attachment; filename*=UTF-8''%E7%BB%93%E6%9E%9C%20%281%29.html",
      })
    }
    expect(await (await download('empty')).text()).toBe('')
  })

  it.each<[string, string, string | undefined, number]>([
    ['a file outside', '../outside/secret', undefined, 403],
    ['a folder that is not served', 'secret', '/usr', 403],
    ['what is not there', 'none', undefined, 404],
    ['a folder', 'src', undefined, 400],
    ['no path', '', undefined, 400],
  ])('refuses %s', async (_what, path, workDir, status) => {
    const { outside, download } = await served({ 'src/a.ts': '' })
    await writeFile(join(outside, 'secret'), 'secret')

    expect((await download(path, workDir)).status).toBe(status)
  })
})
