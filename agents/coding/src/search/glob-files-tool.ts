import { z } from 'zod'

import { defineTool, toolResult, type Tool } from 'dragoman/agents'
import { toOneLine } from '../workspace/to-one-line.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import {
  MAX_FILES,
  type SearchEnd,
  type WorkspaceSearch,
  type SearchResult,
  type FileQuery,
} from './workspace-search.ts'

const input = z.object({
  pattern: z
    .string()
    .describe('As *.ts (in any folder), src/**/*.ts, **/test/*.{ts,tsx}. Below the folder, without "..".'),
  path: z.string().optional().describe('The folder to look in; the working directory unless told.'),
})

/** Lets the agent look for files by their names. */
export function globFilesTool(workspaces: Workspaces, find: WorkspaceSearch): Tool {
  return defineTool({
    name: 'glob_files',
    description:
      `Finds files by a pattern of their paths and gives at most ${MAX_FILES} paths, sorted by name. ` +
      'What .gitignore leaves out, .git and node_modules are passed over unless the pattern begins ' +
      'with such a folder. Links are not followed.',
    inputSchema: input,
    idempotent: true,
    execute: async (query, { context, userId, signal }) => {
      const found = await find.files(await workspaces.of(context), query, { userId, signal })
      return toolResult({
        output: {
          pattern: query.pattern,
          path: found.where,
          files: found.items,
          truncated: found.end !== 'all',
        },
        text: formatFiles(query, found),
      })
    },
  })
}

function formatFiles({ pattern }: FileQuery, { items, end, where }: SearchResult<string>): string {
  const place = where === '.' ? '' : ` in ${toOneLine(where)}`
  if (items.length === 0) {
    return [
      end === 'all' ? `No file matches ${pattern}${place}.` : `No file was found${place}. ${END_NOTES.time}`,
      'Passed over were what .gitignore leaves out, .git and node_modules; a folder that is named in ' +
        'path is looked at all the same.',
    ].join('\n')
  }
  const head = `${items.length} file${items.length === 1 ? '' : 's'}${place}, sorted by path:`
  return [
    head,
    ...items.map(toOneLine),
    ...(end === 'all' ? [] : [`[${end === 'most' ? END_NOTES.most : END_NOTES.time}]`]),
  ].join('\n')
}

const END_NOTES: Readonly<Record<Extract<SearchEnd, 'most' | 'time'>, string>> = {
  most: `These are the first ${MAX_FILES}; there are more. Narrow the search by path or a longer pattern.`,
  time: 'The search was ended after 20 seconds; there may be more. Narrow it by path.',
}
