import { z } from 'zod'

import type { Operation } from '../../../agents/index.ts'

/** The descriptions of the routes of the server's owner. */

const group = 'Owner'
const time = z.iso.datetime()

const tokenShape = z
  .object({
    id: z.string(),
    name: z.string(),
    user: z.string(),
    createdAt: time,
    lastUsedAt: time.nullable(),
  })
  .meta({ id: 'Token' })

export const tokenBody = z
  .object({
    name: z.string(),
    user: z.string().optional().describe('The user of its requests. Without it, the owner of the server.'),
  })
  .meta({ examples: [{ name: 'phone', user: 'ada' }] })

export const userShape = z
  .object({
    user: z.string(),
    tokens: z.int().describe('How many tokens the user has.'),
    runs: z.int().describe('In the last 30 days, like the tokens of models.'),
    inputTokens: z.int(),
    outputTokens: z.int(),
    lastRunAt: time.nullable(),
  })
  .meta({ id: 'User' })

export const findingShape = z
  .object({
    agent: z.string(),
    level: z.enum(['ok', 'note', 'problem']),
    text: z.string(),
  })
  .meta({ id: 'Finding' })

const nodeShape = z
  .object({
    name: z.string().describe('Host, process id and a random part.'),
    place: z.string().nullable().describe('Where its files are.'),
    reportedAt: time,
    isAlive: z.boolean(),
    runs: z.int().describe('Runs that it works on.'),
  })
  .meta({ id: 'Node' })

const loadShape = z
  .object({
    kind: z.string().describe('Such as requests, readers, bytesRead. Bytes are counted in bytes.'),
    pool: z.enum(['users', 'guests', 'addresses']).describe('addresses: callers without a user.'),
    used: z.int(),
    limit: z.number().nullable().describe('The most that all of the pool may hold; null: any number.'),
    refusals: z.int().describe('Since the server started: what was refused, or ended for a new caller.'),
  })
  .meta({ id: 'Load' })

export const listTokens: Operation = {
  group,
  summary: 'List the tokens',
  description: 'Of all users, the oldest first. Their secrets are not stored.',
  responses: { 200: { description: 'All tokens.', json: z.object({ tokens: z.array(tokenShape) }) } },
  errors: ['forbidden'],
}

export const createToken: Operation = {
  group,
  summary: 'Create a token',
  body: tokenBody,
  responses: {
    201: {
      description: 'The token. Its secret is shown here only.',
      json: z.object({ token: tokenShape, secret: z.string() }),
    },
  },
  errors: ['forbidden', 'conflict'],
}

export const revokeToken: Operation = {
  group,
  summary: 'Revoke a token',
  description: 'Its requests are refused at once, and its open streams end.',
  params: z.object({
    id: z
      .string()
      .meta({ examples: ['phone'] })
      .describe('Its id or name.'),
  }),
  responses: { 204: { description: 'It is revoked.' } },
  errors: ['forbidden', 'not-found'],
}

export const listUsers: Operation = {
  group,
  summary: 'List the users',
  description: 'Everybody who has a token or had a run in the last 30 days.',
  responses: { 200: { description: 'All users.', json: z.object({ users: z.array(userShape) }) } },
  errors: ['forbidden'],
}

export const listNodes: Operation = {
  group,
  summary: 'List the nodes of a cluster',
  responses: {
    200: {
      description: 'All that reported lately. None if the server is the only one.',
      json: z.object({ nodes: z.array(nodeShape) }),
    },
  },
  errors: ['forbidden'],
}

export const listLoad: Operation = {
  group,
  summary: 'Show what callers hold of this process',
  responses: {
    200: { description: 'By kind and pool.', json: z.object({ load: z.array(loadShape) }) },
  },
  errors: ['forbidden'],
}

export const listFindings: Operation = {
  group,
  summary: 'Show what agents lack on this machine',
  description: 'As `dragoman doctor` does for agents.',
  responses: {
    200: {
      description: 'The findings, and what runs here.',
      json: z.object({
        version: z.string(),
        node: z.string().describe('The version of Node.js.'),
        startedAt: time,
        findings: z.array(findingShape),
      }),
    },
  },
  errors: ['forbidden'],
}
