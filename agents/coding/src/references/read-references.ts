import { stat } from 'node:fs/promises'

import { isServiceError } from 'dragoman/errors'
import type { UserPart } from 'dragoman/events'
import { inUserTurn, workOnText } from '../files/text-work.ts'
import { listFolder } from '../workspace/list-folder.ts'
import { resolveWorkspacePath, type WorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { readTextBytes } from '../workspace/read-text.ts'
import type { Workspace } from '../workspace/workspaces.ts'
import { findMentions, type Mention } from './find-mentions.ts'
import type { Reference } from './reference.ts'

const MAX_REFERENCES = 20
/** Of all files together, in bytes. */
const MAX_TOTAL_BYTES = 100 * 1024
const MAX_ENTRIES = 200
/** Of what only looks like a reference no more is looked for. */
const MAX_MENTIONS = 200

const NEVER = new AbortController().signal
const OUTSIDE_MESSAGE = 'lies outside of the working directory, and was not read.'

/** Reads each existing file and folder that a message refers to, once. */
export async function readReferences(
  userId: string,
  workspace: Workspace,
  message: readonly UserPart[],
): Promise<readonly Reference[]> {
  const texts = message.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const found = new Map<string, Reference>()
  let remaining = MAX_TOTAL_BYTES
  for (const mention of texts.flatMap(findMentions).slice(0, MAX_MENTIONS)) {
    if (found.size >= MAX_REFERENCES) break
    const place = await findPlace(workspace, mention)
    const name = typeof place === 'string' ? place : place?.displayPath
    if (place === undefined || name === undefined || found.has(name)) continue
    const one =
      typeof place === 'string'
        ? withProblem(place, OUTSIDE_MESSAGE)
        : await referenceTo(userId, place, remaining)
    remaining -= Buffer.byteLength(one.text ?? one.entries?.join('\n') ?? '')
    found.set(name, one)
  }
  return [...found.values()]
}

/** The first reading that exists, or a refused path if one leads outside. */
async function findPlace(
  workspace: Workspace,
  mention: Mention,
): Promise<WorkspacePath | string | undefined> {
  for (const path of mention) {
    if (/^(?:~\/|file:)/i.test(path)) return path
    try {
      const place = await resolveWorkspacePath(workspace, path)
      await stat(place.path)
      return place
    } catch (error) {
      if (isServiceError(error, 'forbidden')) return path
    }
  }
  return undefined
}

async function referenceTo(userId: string, place: WorkspacePath, remaining: number): Promise<Reference> {
  const path = place.displayPath
  try {
    const found = await stat(place.path)
    if (found.isDirectory()) {
      const { entries, truncated } = await listFolder(place, MAX_ENTRIES)
      const names = entries.map(({ name, type }) => (type === 'directory' ? `${name}/` : name))
      return { path, entries: names, truncated }
    }
    const start = await inUserTurn(userId, NEVER, async () => {
      const { bytes } = await readTextBytes(place)
      return workOnText(userId, bytes.length, { name: 'start', input: { bytes, maxBytes: remaining } })
    })
    return { path, size: found.size, ...start }
  } catch (error) {
    return withProblem(path, isServiceError(error) ? error.message : 'It could not be read.')
  }
}

function withProblem(path: string, problem: string): Reference {
  return { path, problem, truncated: true }
}
