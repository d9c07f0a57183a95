import { realpath } from 'node:fs/promises'
import { join } from 'node:path'

import { isServiceError } from 'dragoman/errors'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { markdownIn, readConfinedFile } from './read-confined-file.ts'
import { MAX_SKILL_BYTES, parseSkillFile } from './parse-skill-file.ts'
import type { Skill } from './skill.ts'
import { MAX_TOOLS_FILE_BYTES, parseToolsFile, type SkillTools } from './parse-tools-file.ts'

const MAX_FILES = 64
const MAX_LINK_NOTES = 5
const MAX_NOTES = 30

/** A skill folder: its parent, its name, and whether it is built in. */
export type SkillFolder = { readonly root: string; readonly name: string; readonly from: Skill['from'] }

/** The skill of a folder. Without a skill the notes give the reason. */
export type FolderRead = { readonly skill?: Skill; readonly notes: readonly string[] }

/** Reads one folder. `own` are the names of the agent's tools. */
export async function readFolder(
  { root, name, from }: SkillFolder,
  own: ReadonlySet<string>,
): Promise<FolderRead> {
  try {
    const folder = join(await realpath(root), name)
    const source = await readConfinedFile(folder, 'SKILL.md', MAX_SKILL_BYTES)
    if (source === undefined) return { notes: ['it has no SKILL.md'] }
    const { notes: mistakes, ...parsed } = await parseSkillFile(name, source)
    const { tools, missing, notes } = await toolsIn(folder, own)
    const inner = [await markdownIn(folder, 'rules'), await markdownIn(folder, 'references')]
    const found = inner.flatMap(({ files }) => files)
    const links = inner.flatMap((one) => one.links).slice(0, MAX_LINK_NOTES)
    const files = found.slice(0, MAX_FILES)
    const more = found.length - files.length
    return {
      skill: { ...parsed, files, tools, ...(missing.length > 0 && { missing }), from, folder },
      notes: limited([
        ...mistakes,
        ...notes,
        ...links.map((link) => `${toSingleLine(link, 100)} is a link, and not read`),
        ...(more > 0 ? [`${more} of its files are more than ${MAX_FILES}, and not read`] : []),
      ]),
    }
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { notes: [error.message] }
  }
}

function limited(notes: readonly string[]): readonly string[] {
  const more = notes.length - MAX_NOTES
  return more > 0 ? [...notes.slice(0, MAX_NOTES), `${more} more notes are not listed`] : notes
}

/** A skill whose tools file cannot be read has no tools. */
async function toolsIn(folder: string, own: ReadonlySet<string>): Promise<SkillTools> {
  for (const file of ['tools.yaml', 'tools/tools.yaml']) {
    try {
      const source = await readConfinedFile(folder, file, MAX_TOOLS_FILE_BYTES)
      if (source === undefined) continue
      const { tools, missing, notes } = await parseToolsFile(source, own)
      return { tools, missing, notes: notes.map((note) => `${file}: ${note}`) }
    } catch (error) {
      if (!isServiceError(error)) throw error
      return { tools: [], missing: [], notes: [`${file}: ${error.message}`] }
    }
  }
  return { tools: [], missing: [], notes: [] }
}
