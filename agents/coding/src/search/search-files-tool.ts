import { z } from 'zod'

import { defineTool, toolResult, type Tool } from 'dragoman/agents'
import { toOneLine } from '../workspace/to-one-line.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import {
  escapeRegex,
  MAX_LINES,
  type SearchEnd,
  type WorkspaceSearch,
  type SearchResult,
  type LineQuery,
} from './workspace-search.ts'
import type { Hit } from './searcher.ts'

const input = z.object({
  pattern: z
    .string()
    .describe('A regular expression, looked for line by line; case counts unless it begins with (?i).'),
  path: z.string().optional().describe('The file or folder to look in; the working directory unless told.'),
  include: z
    .string()
    .optional()
    .describe('Only files whose path below that folder matches, as *.ts, src/**/*.ts or *.{ts,tsx}.'),
})

/** Lets the agent look for lines in files. */
export function searchFilesTool(workspaces: Workspaces, find: WorkspaceSearch): Tool {
  return defineTool({
    name: 'search_files',
    description:
      'Searches the contents of files for a regular expression and gives path:line:text, at most ' +
      `${MAX_LINES} lines. What .gitignore leaves out, .git, node_modules, binary files and files over ` +
      '10 MB are passed over.',
    inputSchema: input,
    idempotent: true,
    execute: async (query, { context, userId, signal }) => {
      const found = await find.lines(await workspaces.of(context), query, { userId, signal })
      return toolResult({
        output: {
          pattern: query.pattern,
          path: found.where,
          ...(query.include !== undefined && { include: query.include }),
          matches: found.items.map(({ path, line, text }) => ({ path, line, text })),
          truncated: found.end !== 'all',
        },
        text: formatLines(query, found),
      })
    },
  })
}

function formatLines({ pattern, include }: LineQuery, { items, end, where }: SearchResult<Hit>): string {
  const among = include === undefined ? '' : `, in files that match ${include}`
  const place = where === '.' ? '' : ` in ${toOneLine(where)}`
  if (items.length === 0) {
    const literal = escapeRegex(pattern)
    return [
      end === 'all'
        ? `No line matches ${pattern}${place}${among}.`
        : `No line was found${place}${among}. ${END_NOTES[end]}`,
      'Passed over were what .gitignore leaves out, .git, node_modules, binary files, files over 10 MB ' +
        'and what cannot be read; a folder that is named in path is looked at all the same.',
      ...(literal === pattern
        ? []
        : [`The pattern is a regular expression. To look for its very characters: ${literal}`]),
    ].join('\n')
  }
  const files = new Set(items.map(({ path }) => path)).size
  const head = `${items.length} line${items.length === 1 ? '' : 's'} in ${files} file${files === 1 ? '' : 's'}${place}:`
  const lines = items.map(
    ({ path, line, text, cut }) => `${toOneLine(path)}:${line}:${text}${cut ? '… [the line goes on]' : ''}`,
  )
  return [head, ...lines, ...(end === 'all' ? [] : [`[${END_NOTES[end]}]`])].join('\n')
}

const END_NOTES: Readonly<Record<Exclude<SearchEnd, 'all'>, string>> = {
  most:
    `These are the first ${MAX_LINES}; there are more. Narrow the search by a longer pattern, by ` +
    'path or by include.',
  bytes:
    'These are the first 50 KB; there is more. Narrow the search by a longer pattern, by path or by include.',
  time: 'The search was ended after 20 seconds; there may be more. Narrow it by path or include.',
  endless:
    'The search was ended: the pattern takes too long on a line. Make it simpler, without repetitions in repetitions.',
}
