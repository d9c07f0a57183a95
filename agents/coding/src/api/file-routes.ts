import { Hono } from 'hono'

import { describeRoute, type AppEnv } from 'dragoman/agents'
import { describeJsonError } from 'dragoman/events'
import { limitBodySize, readJsonBody } from '@dragoman/agent-kit/json-body'
import { changeFile, createFile } from '../files/change-file.ts'
import { linesOf } from '../files/unified-diff.ts'
import type { Finding } from '../search/find.ts'
import { encodingNames } from '../workspace/encoding.ts'
import { listFolder } from '../workspace/list-folder.ts'
import { exists, placeIn, type Place } from '../workspace/place.ts'
import { readText } from '../workspace/read-text.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import * as says from './file-operations.ts'
import type { WorkspaceOpener } from './workspace-opener.ts'

/** A file of 10 MB fits, though each of its characters be escaped. */
const MAX_WRITE_BODY_BYTES = 64 * 1024 * 1024
const MAX_BODY_BYTES = 1024 * 1024
/** Of a file, in characters. */
const MAX_TEXT_LENGTH = 1_000_000
const MAX_ENTRIES = 1000

const notTooLarge = limitBodySize(MAX_BODY_BYTES, 'The body may have at most 1 MB')

/** The files of a workspace, for programs: the same that the agent's tools read and write. */
export function fileRoutes(workspaces: Workspaces, find: Finding, opened: WorkspaceOpener): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .post(
      '/write',
      describeRoute(says.writing),
      limitBodySize(MAX_WRITE_BODY_BYTES, 'The body may have at most 64 MB'),
      async (c) => {
        const { path, content, ...wanted } = await readJsonBody(c, says.writeBodyShape, describeJsonError)
        const place = await placeIn(await opened(wanted, c.get('userId')), path)
        const signal = c.req.raw.signal
        return c.json(await workspaces.inTurn(place.path, signal, () => write(place, content)))
      },
    )
    .post('/read', describeRoute(says.reading), notTooLarge, async (c) => {
      const { path, ...wanted } = await readJsonBody(c, says.readBodyShape, describeJsonError)
      const place = await placeIn(await opened(wanted, c.get('userId')), path)
      const { text, encoding } = await readText(place)
      return c.json({
        path: place.shown,
        content: beginningOf(text),
        totalLines: linesOf(text),
        truncated: text.length > MAX_TEXT_LENGTH,
        encoding: encodingNames[encoding],
      })
    })
    .post('/search', describeRoute(says.searching), notTooLarge, async (c) => {
      const { pattern, name, ...wanted } = await readJsonBody(c, says.searchBodyShape, describeJsonError)
      const [workspace, path] = [await opened(wanted, c.get('userId')), wanted.path ?? undefined]
      const signal = c.req.raw.signal
      if (typeof name === 'string') {
        const { items, end } = await find.files(workspace, { pattern: name, path }, signal)
        return c.json({ files: items, truncated: end !== 'all' })
      }
      const lines = { pattern: pattern ?? '', path, include: wanted.include ?? undefined }
      const { items, end } = await find.lines(workspace, lines, signal)
      const matches = items.map((hit) => ({ path: hit.path, line: hit.line, text: hit.text }))
      return c.json({ matches, truncated: end !== 'all' })
    })
    .post('/list', describeRoute(says.listing), notTooLarge, async (c) => {
      const { path, ...wanted } = await readJsonBody(c, says.listBodyShape, describeJsonError)
      const place = await placeIn(await opened(wanted, c.get('userId')), path || '.')
      return c.json({ path: place.shown, ...(await listFolder(place, MAX_ENTRIES)) })
    })
}

type Written = { readonly path: string; readonly bytes: number; readonly created: boolean }

/** Who writes by a route has seen what there is: it is replaced as it stands now. */
async function write(place: Place, content: string): Promise<Written> {
  const created = !(await exists(place.path))
  const { result } = created
    ? await createFile(place, content)
    : await changeFile(place, await readText(place), content)
  return { path: place.shown, bytes: (result.output as { readonly bytes: number }).bytes, created }
}

/** No character is cut in two. */
function beginningOf(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).replace(/[\ud800-\udbff]$/, '')
}
