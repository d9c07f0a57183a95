import { z } from 'zod'

import type { InstructionsInput } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { referenceSchema, referenceLines } from './references/reference.ts'

/** What a client may say of where it works; once settled, `workspaceRoot` is a real path below a served root. */
export const contextSchema = z.object({
  workspaceRoot: z
    .string('must be a path')
    .optional()
    .describe('The folder to work in: below a served root.'),
  directories: z
    .array(z.string(), 'must be a list of paths')
    .optional()
    .describe('Further folders that may be worked in, by their absolute paths.'),
  /** What the message refers to: put in when the context is settled. */
  files: z.array(referenceSchema).optional(),
})

export type CodingContext = z.infer<typeof contextSchema>

/** @throws ServiceError `invalid-request`, naming the field */
export function readContext(context: Json): CodingContext {
  const read = contextSchema.safeParse(context)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = ['context', ...(issue?.path ?? []).map(String)].join('.')
  throw new ServiceError('invalid-request', `${field}: ${issue?.message ?? 'is not as it must be'}`)
}

/** Tells the model its folders and its tools. */
export function buildRunInstructions({ context, tools }: InstructionsInput): string {
  const { workspaceRoot = '', directories = [] } = readContext(context)
  return [
    `Your tools: ${tools.join(', ')}. Use them rather than tell the user what to do.`,
    `Working directory: ${workspaceRoot}`,
    ...directories.map((folder) => `Further directory: ${folder}`),
    `Operating system: ${process.platform}`,
    'Relative paths are below the working directory. Nothing outside of these directories can be ' +
      'read or written by the file tools.',
  ].join('\n')
}

/** The files that the message refers to; all else stands in the briefing. */
export function contextLines(context: Json): readonly string[] {
  return referenceLines(readContext(context).files ?? [])
}
