import { z } from 'zod'

import type { Operation } from 'dragoman/agents'

const group = 'Files'

function text(field: string) {
  return z.string({
    error: ({ input }) => (input === undefined ? `${field} is required` : `${field} must be a text`),
  })
}

const location = {
  sessionId: text('sessionId')
    .nullish()
    .describe('The session in whose folders to look, by our id or the client’s own name.'),
  workspaceRoot: text('workspaceRoot')
    .nullish()
    .describe(
      'The folder, by its absolute path: in place of the session’s. Neither is needed where one root is served.',
    ),
}
const path = text('path')
  .min(1, 'path must not be empty')
  .describe('Relative to the folder, or absolute within it.')
/** A count; one that is too small counts as one. */
const most = (what: string) =>
  z
    .int('must be a whole number')
    .overwrite((count) => Math.max(count, 1))
    .nullish()
    .describe(what)
const folderPath = text('path').nullish().describe('A folder in it; the whole unless told.')

export const readBody = z
  .object({
    ...location,
    path,
    offset: z
      .int('must be a whole number')
      .min(0, 'must not be negative')
      .nullish()
      .describe('How many lines to pass over at the start.'),
    limit: most('How many lines to give, at most: 1 or more.'),
  })
  .meta({ examples: [{ path: 'notes/hello.md' }, { path: 'notes/hello.md', offset: 0, limit: 1 }] })
export const writeBody = z
  .object({ ...location, path, content: text('content').describe('All that is to stand in it.') })
  .meta({ examples: [{ path: 'notes/hello.md', content: 'Hello.\n你好。\n' }] })
export const searchBody = z
  .object({
    ...location,
    path: folderPath,
    pattern: text('pattern').nullish().describe('A regular expression that lines match.'),
    include: text('include').nullish().describe('With pattern: only files like it, as *.ts or src/**/*.ts.'),
    maxResults: most('How many matches or files to give, at most: 1 or more.'),
    name: text('name').nullish().describe('In place of pattern: files whose path is like it.'),
  })
  .refine(({ pattern, name }) => typeof pattern === 'string' || typeof name === 'string', {
    path: ['pattern'],
    error: 'pattern or name is required',
  })
  .refine(({ pattern, name }) => typeof pattern !== 'string' || typeof name !== 'string', {
    path: ['name'],
    error: 'name and pattern exclude each other',
  })
  .meta({ examples: [{ pattern: 'Hello|你好', include: '*.md' }, { name: '*.md' }] })
export const listBody = z.object({ ...location, path: folderPath }).meta({ examples: [{ path: 'notes' }] })

const truncated = z.boolean().describe('Whether there is more than is given.')
const errors = ['not-found', 'forbidden', 'unavailable'] as const
const displayPath = z.string().describe('Relative to the folder.')

export const writeFile: Operation = {
  group,
  summary: 'Write a file',
  description:
    'Whole or not at all; folders above it are made. Encoding, line endings within the content ' +
    'aside, and mode of what is replaced are kept.',
  body: writeBody,
  responses: {
    200: {
      description: 'It stands there.',
      json: z.object({
        path: displayPath,
        bytes: z.int(),
        created: z.boolean().describe('false: another text stood there.'),
      }),
    },
  },
  errors: [...errors, 'conflict', 'too-large'],
}

export const readFile: Operation = {
  group,
  summary: 'Read a file',
  description:
    'A text file of at most 10 MB, or some of its lines; the first million characters of them are given.',
  body: readBody,
  responses: {
    200: {
      description: 'What stands in it.',
      json: z.object({
        path: displayPath,
        content: z.string(),
        totalLines: z.int(),
        truncated,
        encoding: z
          .string()
          .describe('As UTF-8 or GB18030.')
          .meta({ examples: ['UTF-8'] }),
      }),
    },
  },
  errors: [...errors, 'too-large'],
}

export const searchFiles: Operation = {
  group,
  summary: 'Search files',
  description:
    'For lines by pattern, or for files by name. What .gitignore leaves out, .git and node_modules ' +
    'are passed over unless path names such a folder.',
  body: searchBody,
  responses: {
    200: {
      description: 'matches where lines, files where names were asked for.',
      json: z.object({
        matches: z.array(z.object({ path: displayPath, line: z.int(), text: z.string() })).optional(),
        files: z.array(displayPath).optional(),
        truncated,
      }),
    },
  },
  errors: [...errors, 'too-large'],
}

export const listFolder: Operation = {
  group,
  summary: 'List a folder',
  description: 'Hidden files included, by name; at most 1,000. Where a link leads is not followed.',
  body: listBody,
  responses: {
    200: {
      description: 'What is in it.',
      json: z.object({
        path: displayPath,
        entries: z.array(
          z.object({
            name: z.string(),
            type: z.enum(['file', 'directory', 'link', 'other']),
            size: z.int().describe('In bytes.'),
            modified: z.iso.datetime(),
          }),
        ),
        truncated,
      }),
    },
  },
  errors: [...errors],
}
