import { z } from 'zod'

import type { Operation } from 'dragoman/agents'
import { group, sessionId } from './chat-stream-openapi.ts'
import { pageQuery } from 'dragoman/surfaces'
import { anyJson } from 'dragoman/protocols'

const folder = z.string('must be a path').min(1, 'must be a path').max(4096)
const workspaceRoot = folder.describe('The folder to work in: below a served root.')

/** What a session's client has said of it stands in each list: so many characters, at most. */
const MAX_METADATA_LENGTH = 16_384

export const createBody = z
  .object({
    workspaceRoot: workspaceRoot
      .nullish()
      .describe(
        'The folder to work in: below a served root. The served root where none is named and one is served.',
      ),
    model: z
      .string()
      .min(1)
      .max(200)
      .nullish()
      .describe('The model that answers in it. One that is not known here is left out.'),
    metadata: z
      .record(z.string(), anyJson)
      .refine(
        (metadata) => JSON.stringify(metadata).length <= MAX_METADATA_LENGTH,
        `must be of at most ${MAX_METADATA_LENGTH} characters`,
      )
      .nullish()
      .describe('Whatever its client wants to be told again.'),
  })
  .meta({ examples: [{ metadata: { title: '修复测试' } }] })

export const sessionBody = z.object({ sessionId }).meta({ examples: [{ sessionId: 'my-session' }] })

export const workspaceBody = z
  .object({ sessionId, workspaceRoot: z.string('workspaceRoot is required').pipe(workspaceRoot) })
  .meta({ examples: [{ sessionId: 'my-session', workspaceRoot: '/home/me/project' }] })

export const directoryBody = z
  .object({
    sessionId,
    directory: folder.optional().describe('A further folder that may be worked in: below a served root.'),
    directories: z
      .array(folder, 'must be a list of paths')
      .min(1, 'must name a directory')
      .max(50)
      .optional()
      .describe('Several of them, in place of directory: all or none are added.'),
  })
  .refine(({ directory, directories }) => (directory === undefined) !== (directories === undefined), {
    path: ['directory'],
    error: 'directory is required, or directories',
  })
  .meta({
    examples: [
      { sessionId: 'my-session', directory: '/home/me/project' },
      { sessionId: 'my-session', directories: ['/home/me/project'] },
    ],
  })

export const listBody = pageQuery({ usual: 50, most: 200 }).meta({ examples: [{ limit: 20 }] })

export const sessionShape = z
  .object({
    sessionId: z.string().describe('The client’s own name, where it gave one.'),
    id: z.string().describe('As sessionId.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    lastActivity: z.iso.datetime().describe('As updatedAt.'),
    title: z.string().nullable(),
    workspaceRoot: z.string().nullable(),
    directories: z.array(z.string()),
    model: z.string().nullable().describe('null: the agent’s own.'),
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'ChatSession' })

const sessionAnswer = { 200: { description: 'The session.', json: sessionShape } }

export const createSession: Operation = {
  group,
  summary: 'Begin a session',
  body: createBody,
  responses: sessionAnswer,
  errors: ['forbidden', 'unavailable'],
}

export const getSession: Operation = {
  group,
  summary: 'Show a session',
  body: sessionBody,
  responses: {
    200: {
      description: 'The session, and the request that goes on in it.',
      json: sessionShape.extend({
        live: z
          .object({ requestId: z.string(), messageId: z.string().describe('As the envelopes have it.') })
          .nullable(),
      }),
    },
  },
  errors: ['not-found'],
}

export const listSessions: Operation = {
  group,
  summary: 'List sessions',
  description: 'The latest change first.',
  body: listBody,
  responses: {
    200: {
      description: 'A page of them.',
      json: z.object({
        sessions: z.array(sessionShape),
        before: z.string().optional().describe('Where there may be more: ask with it.'),
      }),
    },
  },
  errors: ['not-found'],
}

const success = z.literal(true)

export const updateWorkspace: Operation = {
  group,
  summary: 'Work in another folder',
  description: 'From the session’s next request on.',
  body: workspaceBody,
  responses: { 200: { description: 'The session.', json: sessionShape.extend({ success }) } },
  errors: ['forbidden', 'not-found', 'unavailable'],
}

export const addDirectory: Operation = {
  group,
  summary: 'Work in a further folder too',
  description: 'From the session’s next request on. One that is there already is not added again.',
  body: directoryBody,
  responses: {
    200: {
      description: 'The session, and what was added.',
      json: sessionShape.extend({ success, added: z.array(z.string()), errors: z.array(z.string()) }),
    },
  },
  errors: ['forbidden', 'not-found', 'unavailable'],
}

export const listDirectories: Operation = {
  group,
  summary: 'List the folders of a session',
  body: sessionBody,
  responses: {
    200: {
      description: 'The folder that is worked in, and further ones.',
      json: z.object({ directories: z.array(z.string()) }),
    },
  },
  errors: ['not-found'],
}

export const deleteSession: Operation = {
  group,
  summary: 'Delete a session',
  description: 'Stops what runs in it. All that was said is gone, and its name begins no other.',
  body: sessionBody,
  responses: {
    200: { description: 'It is gone.', json: z.object({ success: z.literal(true), sessionId: z.string() }) },
  },
  errors: ['not-found'],
}
