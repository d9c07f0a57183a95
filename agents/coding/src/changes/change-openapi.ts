import { z } from 'zod'

import type { Operation } from 'dragoman/agents'

const group = 'Files'
const errors = ['not-found', 'forbidden', 'unavailable'] as const

const params = z.object({
  id: z
    .string()
    .describe('The thread, by our id or the client’s own name.')
    .meta({ examples: ['my-session'] }),
})
const filePath = z
  .string('path is required')
  .min(1, 'path is required')
  .describe('Relative to the thread’s folder, or absolute within its folders.')
const shownPath = z.string().describe('Relative to the thread’s folder, or absolute in another one.')

const change = z.object({
  path: shownPath,
  state: z.enum(['created', 'edited', 'deleted', 'unreadable']),
  added: z.int().describe('Lines.'),
  removed: z.int().describe('Lines.'),
  changedByOthers: z
    .boolean()
    .describe('Whether something else has changed it as well, such as a command or a person.'),
  problem: z.string().exactOptional().describe('Of an unreadable file: why.'),
  changedAt: z.string().describe('When the thread changed it last.'),
})

const exampleChange = {
  path: 'src/sum.js',
  state: 'edited',
  added: 1,
  removed: 1,
  changedByOthers: false,
  changedAt: '2026-11-27T08:00:00.000Z',
}

export const fileQuery = z.object({ path: filePath.meta({ examples: ['notes/hello.md'] }) })
export const treeQuery = z.object({ path: filePath.meta({ examples: ['notes'] }).exactOptional() })
export const revertBody = z
  .object({
    path: filePath.exactOptional(),
    all: z.literal(true, 'all must be true').exactOptional().describe('Reverts every file.'),
    force: z
      .boolean('force must be a boolean')
      .default(false)
      .describe('Reverts a file that something else has changed as well.'),
  })
  .refine(({ path, all }) => (path === undefined) !== (all === undefined), {
    path: ['path'],
    error: 'path or all is required',
  })
  .meta({ examples: [{ all: true }] })

export const listChanges: Operation = {
  group,
  summary: 'List the files that a thread has changed',
  description:
    'By the tools write_file and edit_file, compared with what the files are now. Changes by commands are not listed.',
  params,
  responses: {
    200: {
      description: 'The files, by path.',
      json: z.object({ workspaceRoot: z.string(), changes: z.array(change) }),
      examples: { one: { workspaceRoot: '/home/me/project', changes: [exampleChange] } },
    },
  },
  errors,
}

export const showChange: Operation = {
  group,
  summary: 'Show what a thread has changed in a file',
  description: 'A unified diff, from before the thread’s first change to now.',
  params,
  query: fileQuery,
  responses: {
    200: {
      description: 'The diff.',
      json: change.extend({
        diff: z.string(),
        truncated: z.boolean().describe('Whether the diff goes on, or cannot be shown.'),
      }),
      examples: {
        edited: {
          ...exampleChange,
          diff: '--- src/sum.js\n+++ src/sum.js\n@@ -1 +1 @@\n-a - b\n+a + b\n',
          truncated: false,
        },
      },
    },
  },
  errors,
}

export const revertChanges: Operation = {
  group,
  summary: 'Revert files to what they were before a thread changed them',
  description: 'A file that the thread created is deleted.',
  params,
  body: revertBody,
  responses: {
    200: {
      description: 'The files that were reverted.',
      json: z.object({ reverted: z.array(shownPath) }),
      examples: { one: { reverted: ['src/sum.js'] } },
    },
  },
  errors: [...errors, 'conflict'],
}

export const listTree: Operation = {
  group,
  summary: 'List a folder of a thread’s workspace',
  description: 'Without what .gitignore excludes, .git and node_modules.',
  params,
  query: treeQuery,
  responses: {
    200: {
      description: 'Folders first.',
      json: z.object({
        path: shownPath,
        entries: z.array(
          z.object({
            name: z.string(),
            path: shownPath,
            type: z.enum(['file', 'directory', 'link', 'other']),
          }),
        ),
        truncated: z.boolean().describe('Whether there are more.'),
      }),
      examples: {
        folder: {
          path: 'src',
          entries: [{ name: 'sum.js', path: 'src/sum.js', type: 'file' }],
          truncated: false,
        },
      },
    },
  },
  errors,
}

export const showFile: Operation = {
  group,
  summary: 'Read a file of a thread’s workspace',
  description: 'A text file of at most 10 MB; its first 200,000 characters are given.',
  params,
  query: fileQuery,
  responses: {
    200: {
      description: 'Its text.',
      json: z.object({
        path: shownPath,
        content: z.string(),
        totalLines: z.int(),
        truncated: z.boolean(),
        encoding: z.string(),
      }),
    },
  },
  errors: [...errors, 'too-large'],
}
