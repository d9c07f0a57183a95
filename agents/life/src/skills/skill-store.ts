import { lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { isDeepStrictEqual } from 'node:util'

import { ServiceError } from 'dragoman/errors'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { readConfinedFile } from './read-confined-file.ts'
import type { FolderRead, SkillFolder } from './read-folder.ts'
import { readFolders, type ReadFolders } from './read-folders.ts'
import type { Library, Skill, SkillCard, Skills, SkillTool } from './skill.ts'

const SHIPPED = join(import.meta.dirname, 'shipped')
const MAX_FOLDERS = 64
const MAX_CARDS = 64
const MAX_CORE_SKILLS = 4
const MAX_FILE_BYTES = 64 * 1024
const FRESH_MS = 1000

type Options = {
  /** Its `skills/` are the owner's own. */
  readonly home: string
  /** The names of the agent's own tools, once there are any. */
  readonly own: () => ReadonlySet<string>
  /** In ms. */
  readonly clock?: () => number
  readonly shipped?: string
  readonly read?: ReadFolders
}

/**
 * Those that come with us, and those in `skills/` of the home. Read when first asked for, and again once a file has
 * changed: each request looks, so that nothing is watched, and a skill can be written while the server runs, in
 * development and elsewhere alike.
 */
export function createSkillStore(options: Options): Skills {
  const { home, own, clock = () => performance.now(), shipped = SHIPPED, read = readFolders() } = options
  let cache: { readonly stamp: string; readonly library: Library } | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<Library> | undefined

  const look = async (): Promise<Library> => {
    const at = clock()
    const found = [
      ...(await foldersIn(shipped, 'dragoman')),
      ...(await foldersIn(join(home, 'skills'), 'home')),
    ]
    const some = found.slice(0, MAX_FOLDERS)
    const stamp = (await Promise.all(some.map(stampOf))).join('\n')
    if (cache?.stamp !== stamp)
      cache = { stamp, library: libraryOf(some, await read(some, own()), found.length) }
    lookedAt = at
    return cache.library
  }

  return {
    async library() {
      if (cache && clock() - lookedAt < FRESH_MS) return cache.library
      looking ??= look().finally(() => (looking = undefined))
      return looking
    },
    async read(skill, file) {
      if (file === 'SKILL.md') return skill.body
      // A name that is not in the list is never a path.
      const text = skill.files.includes(file)
        ? await readConfinedFile(skill.folder, file, MAX_FILE_BYTES)
        : undefined
      if (text !== undefined) return text
      const fileNames = ['SKILL.md', ...skill.files].join(', ')
      throw new ServiceError(
        'not-found',
        `file: there is no such file in ${skill.name}; there are ${fileNames}`,
      )
    },
  }
}

/** Folders sorted by name, without hidden ones. */
async function foldersIn(root: string, from: Skill['from']): Promise<SkillFolder[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
    .map(({ name }) => ({ root, name, from }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** A stamp that changes with the folder. */
async function stampOf({ root, name }: SkillFolder): Promise<string> {
  const parts = ['SKILL.md', 'tools.yaml', 'tools/tools.yaml', 'rules', 'references']
  const stamps = parts.map(async (part) => {
    const found = await lstat(join(root, name, part)).catch(() => undefined)
    return found ? `${found.mtimeMs}:${found.size}:${found.ino}` : ''
  })
  return [root, name, ...(await Promise.all(stamps))].join('|')
}

function libraryOf(found: readonly SkillFolder[], read: readonly FolderRead[], all: number): Library {
  const byName = new Map<string, Skill>()
  const notes: string[] = []
  for (const [at, folder] of found.entries()) {
    const { skill, notes: wrong = [] } = read[at] ?? {}
    const where = toSingleLine(folder.from === 'home' ? `skills/${folder.name}` : folder.name, 100)
    const outcome = skill ? '' : 'left out: '
    notes.push(...wrong.map((note) => `Skill ${where}: ${outcome}${note}.`))
    if (!skill) continue
    const other = byName.get(skill.name)
    if (other) notes.push(`Skill ${where}: stands in for ${placeOf(other)}, which is not told any more.`)
    // What stands in for a skill that always holds does so as well.
    byName.set(skill.name, other?.core ? { ...skill, core: true } : skill)
  }
  const more = all - found.length
  if (more > 0) notes.push(`Skills: ${more} folders are more than ${MAX_FOLDERS}, and left out.`)
  const skillsFound = [...byName.values()]
  const tooMany = skillsFound.filter(({ core }) => core).slice(MAX_CORE_SKILLS)
  notes.push(
    ...tooMany.map(
      ({ name }) => `Skill ${name}: left out: there are ${MAX_CORE_SKILLS} core skills already.`,
    ),
  )
  return withoutCollisions(
    skillsFound.filter((skill) => !tooMany.includes(skill)),
    notes,
  )
}

function placeOf({ from, folder }: Skill): string {
  const name = toSingleLine(basename(folder), 100)
  return from === 'home' ? `skills/${name}` : `the skill ${name} of dragoman`
}

/** Keeps the first of several cards with one name, and limits their number. An equal card is the same one. */
function withoutCollisions(all: readonly Skill[], notes: readonly string[]): Library {
  const cards = new Map<string, { readonly skill: string; readonly card: SkillCard }>()
  const omitted: string[] = []
  const skillsLeft = all.map((skill) => {
    const tools = skill.tools.flatMap((tool): SkillTool[] => {
      const { name, card } = tool
      if (!card) return [tool]
      const first = cards.get(name)
      const { card: _, ...named } = tool
      if (first && isDeepStrictEqual(first.card, card)) return [named]
      if (first)
        omitted.push(
          `Skill ${skill.name}: ${name} is left out: ${first.skill} has another card of that name.`,
        )
      else if (cards.size >= MAX_CARDS)
        omitted.push(`Skill ${skill.name}: ${name} is left out: there are ${MAX_CARDS} cards.`)
      else cards.set(name, { skill: skill.name, card })
      return cards.get(name)?.skill === skill.name ? [tool] : []
    })
    return { ...skill, tools }
  })
  return { skills: skillsLeft, notes: [...notes, ...omitted] }
}
