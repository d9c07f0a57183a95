import { z } from 'zod'

import { defineTool, toolResult, type Tool } from 'dragoman/agents'
import { oneLine } from '../workspace/one-line.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { MAX_FILES, type End, type Finding, type Found, type WantedFiles } from './find.ts'

const input = z.object({
  pattern: z
    .string()
    .describe('As *.ts (in any folder), src/**/*.ts, **/test/*.{ts,tsx}. Below the folder, without "..".'),
  path: z.string().optional().describe('The folder to look in; the working directory unless told.'),
})

/** Lets the agent look for files by their names. */
export function globFilesTool(workspaces: Workspaces, find: Finding): Tool {
  return defineTool({
    name: 'glob_files',
    description: `Finds files by a pattern of their paths and gives at most ${MAX_FILES} paths, sorted by name. What .gitignore leaves out, .git and node_modules are passed over unless the pattern begins with such a folder. Links are not followed.`,
    inputSchema: input,
    idempotent: true,
    execute: async (wanted, { context, signal }) => {
      const found = await find.files(await workspaces.of(context), wanted, signal)
      return toolResult({
        output: {
          pattern: wanted.pattern,
          path: found.where,
          files: found.items,
          truncated: found.end !== 'all',
        },
        text: told(wanted, found),
      })
    },
  })
}

function told({ pattern }: WantedFiles, { items, end, where }: Found<string>): string {
  const place = where === '.' ? '' : ` in ${oneLine(where)}`
  if (items.length === 0) {
    return [
      end === 'all' ? `No file matches ${pattern}${place}.` : `No file was found${place}. ${goOn.time}`,
      'Passed over were what .gitignore leaves out, .git and node_modules; a folder that is named in path is looked at all the same.',
    ].join('\n')
  }
  const head = `${items.length} file${items.length === 1 ? '' : 's'}${place}, sorted by path:`
  return [
    head,
    ...items.map(oneLine),
    ...(end === 'all' ? [] : [`[${end === 'most' ? goOn.most : goOn.time}]`]),
  ].join('\n')
}

const goOn: Readonly<Record<Extract<End, 'most' | 'time'>, string>> = {
  most: `These are the first ${MAX_FILES}; there are more. Narrow the search by path or a longer pattern.`,
  time: 'The search was ended after 20 seconds; there may be more. Narrow it by path.',
}
