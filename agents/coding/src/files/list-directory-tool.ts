import { lstat, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

import { defineTool, toolResult, type Tool } from 'dragoman/agents'
import { pathPattern } from '../search/path-pattern.ts'
import { isWithin } from '../workspace/is-within.ts'
import { kindOf } from '../workspace/open-file.ts'
import { toOneLine } from '../workspace/to-one-line.ts'
import { openFolder } from '../workspace/open-folder.ts'
import { exists, resolveWorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { resolveRealPart } from '../workspace/real-path.ts'
import { formatSize } from '../workspace/read-text.ts'
import type { Workspace, Workspaces } from '../workspace/workspaces.ts'

const input = z.object({
  path: z.string().optional().describe('The folder; the working directory unless told.'),
  pattern: z.string().optional().describe('Only names like it, as *.ts or {a,b}*.'),
})

/** Names that one answer holds. */
const MAX_NAMES = 500

export function listDirectoryTool(workspaces: Workspaces): Tool {
  return defineTool({
    name: 'list_directory',
    description:
      'Lists a folder, hidden files included: folders end in /, files have their size, links tell ' +
      `where they lead. One answer holds at most ${MAX_NAMES} names.`,
    inputSchema: input,
    idempotent: true,
    async execute({ path = '.', pattern = '*' }, { context, signal }) {
      const isWanted = pathPattern('pattern', pattern || '*')
      const workspace = await workspaces.of(context)
      const place = await resolveWorkspacePath(workspace, path || '.')
      await using folder = await openFolder(place, { isWanted, signal })
      const { at, names, isAll } = folder
      const entries = await Promise.all(names.slice(0, MAX_NAMES).map((name) => entryOf(workspace, at, name)))
      const truncated = !isAll || names.length > MAX_NAMES
      const total = isAll ? `${names.length}` : `more than ${names.length}`
      const head = `${place.displayPath}: ${total} ${names.length === 1 ? 'entry' : 'entries'}`
      const more = truncated
        ? [`[the first ${entries.length} of ${total}; give a pattern to see others]`]
        : []
      return toolResult({
        output: { path: place.displayPath, entries, total: names.length, truncated },
        text: [head, ...entries.map(entryLine), ...more].join('\n'),
      })
    },
  })
}

type Entry = {
  readonly name: string
  readonly kind: string
  readonly bytes?: number
  /** Where a link leads, and whether that can be used from here. */
  readonly target?: string
  readonly leads?: 'inside' | 'outside' | 'nowhere'
}

async function entryOf(workspace: Workspace, folder: string, name: string): Promise<Entry> {
  const at = join(folder, name)
  const found = await lstat(at).catch(() => undefined)
  if (!found) return { name, kind: 'gone' }
  if (found.isDirectory()) return { name, kind: 'folder' }
  if (found.isFile()) return { name, kind: 'file', bytes: found.size }
  if (!found.isSymbolicLink()) return { name, kind: kindOf(found) }
  const target = await readlink(at).catch(() => '?')
  const real = await resolveRealPart(at)
  const isInside = [workspace.root, ...workspace.directories].some(
    (each) => real !== undefined && isWithin(each, real),
  )
  // Of a target outside, only that is reported, not whether it exists.
  if (real !== undefined && !isInside) return { name, kind: 'link', target, leads: 'outside' }
  if (real === undefined || !(await exists(real))) return { name, kind: 'link', target, leads: 'nowhere' }
  const isFolder = await stat(real).then(
    (end) => end.isDirectory(),
    () => false,
  )
  return { name, kind: isFolder ? 'link to a folder' : 'link', target, leads: 'inside' }
}

function entryLine({ name, kind, bytes, target, leads }: Entry): string {
  const label = toOneLine(name)
  if (kind === 'folder') return `${label}/`
  if (kind === 'file') return `${label}  ${formatSize(bytes ?? 0)}`
  if (target === undefined) return `${label}  (${kind})`
  const slash = kind === 'link to a folder' ? '/' : ''
  return `${label}${slash} -> ${toOneLine(target)}${leads === 'inside' ? '' : ` (leads ${leads})`}`
}
