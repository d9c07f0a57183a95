import { stat } from 'node:fs/promises'

import { isServiceError } from 'dragoman/errors'
import type { UserPart } from 'dragoman/events'
import { listFolder } from '../workspace/list-folder.ts'
import { placeIn, type Place } from '../workspace/place.ts'
import { readText } from '../workspace/read-text.ts'
import type { Workspace } from '../workspace/workspaces.ts'
import { mentionsIn, type Mention } from './mentions.ts'
import type { Reference } from './reference.ts'

const MOST = 20
/** Of all files together, in bytes. */
const MAX_TOTAL_BYTES = 100 * 1024
const MAX_ENTRIES = 200
/** Of what only looks like a reference no more is looked for. */
const MAX_MENTIONS = 200

const OUTSIDE = 'lies outside of the working directory, and was not read.'

/** The files and folders that a user's message refers to, once each, with what stands in them. What is not there is no reference. */
export async function readReferences(
  workspace: Workspace,
  said: readonly UserPart[],
): Promise<readonly Reference[]> {
  const texts = said.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const found = new Map<string, Reference>()
  let left = MAX_TOTAL_BYTES
  for (const mention of texts.flatMap(mentionsIn).slice(0, MAX_MENTIONS)) {
    if (found.size >= MOST) break
    const meant = await placeOf(workspace, mention)
    const name = typeof meant === 'string' ? meant : meant?.shown
    if (meant === undefined || name === undefined || found.has(name)) continue
    const one = typeof meant === 'string' ? without(meant, OUTSIDE) : await referenceTo(meant, left)
    left -= Buffer.byteLength(one.text ?? one.entries?.join('\n') ?? '')
    found.set(name, one)
  }
  return [...found.values()]
}

/** The first reading that is there; a path that is refused, if one leads outside. */
async function placeOf(workspace: Workspace, mention: Mention): Promise<Place | string | undefined> {
  for (const path of mention) {
    if (/^(?:~\/|file:)/i.test(path)) return path
    try {
      const place = await placeIn(workspace, path)
      await stat(place.path)
      return place
    } catch (error) {
      if (isServiceError(error, 'forbidden')) return path
    }
  }
  return undefined
}

async function referenceTo(place: Place, left: number): Promise<Reference> {
  const path = place.shown
  try {
    if ((await stat(place.path)).isDirectory()) {
      const { entries, truncated } = await listFolder(place, MAX_ENTRIES)
      const names = entries.map(({ name, type }) => (type === 'directory' ? `${name}/` : name))
      return { path, entries: names, truncated }
    }
    const { text } = await readText(place)
    const shown = beginningOf(text, left)
    return { path, text: shown, truncated: shown.length < text.length }
  } catch (error) {
    return without(path, isServiceError(error) ? error.message : 'It could not be read.')
  }
}

function without(path: string, problem: string): Reference {
  return { path, problem, truncated: true }
}

/** As much of a text as fits: whole lines, where it has some. */
function beginningOf(text: string, most: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  const cut = bytes.toString('utf8', 0, Math.max(0, most)).replace(/\uFFFD+$/, '')
  const end = cut.lastIndexOf('\n') + 1
  return end > cut.length / 2 ? cut.slice(0, end) : cut
}
