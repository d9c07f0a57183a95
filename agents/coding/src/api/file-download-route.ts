import { basename } from 'node:path'
import { Readable } from 'node:stream'

import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type AppEnv, type Operation } from 'dragoman/agents'
import { readQuery } from 'dragoman/surfaces'
import { openFile } from '../workspace/open-file.ts'
import { resolveWorkspacePath } from '../workspace/resolve-workspace-path.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

const query = z.object({
  path: z
    .string('path is required')
    .min(1, 'path is required')
    .describe('Absolute, or relative to the folder.')
    .meta({ examples: ['notes/hello.md'] }),
  workDir: z
    .string('workDir is required')
    .min(1, 'workDir is required')
    .describe('The folder that was worked in: below a served root.')
    .meta({ examples: ['/home/me/project'] }),
})

const downloadFile: Operation = {
  group: 'Agent chat',
  summary: 'Download a file',
  description: 'As it stands in the folder now.',
  query,
  responses: { 200: { description: 'Its bytes.', contentType: 'application/octet-stream' } },
  errors: ['forbidden', 'not-found', 'unavailable'],
}

/** What the agent has written, for the user of a client elsewhere. */
export function fileDownloadRoute(workspaces: Workspaces): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/', describeRoute(downloadFile), async (c) => {
    const { path, workDir } = readQuery(c, query)
    const place = await resolveWorkspacePath(await workspaces.open({ workspaceRoot: workDir }), path)
    const file = await openFile(place)
    const { size } = await file.stat()
    const headers = {
      // A page of a stranger's file must not run here.
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename*=UTF-8''${encodeName(basename(place.path))}`,
      'content-length': String(size),
    }
    // It may grow while it is read. An empty range cannot be told to a stream.
    const bytes = size === 0 ? Readable.from([]) : file.createReadStream({ end: size - 1 })
    if (size === 0) await file.close()
    return c.body(Readable.toWeb(bytes) as ReadableStream, 200, headers)
  })
}

/** As RFC 8187 has it. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
