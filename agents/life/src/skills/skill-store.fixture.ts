import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { readFolder } from './read-folder.ts'
import { readFolders } from './read-folders.ts'
import type { Skills } from './skill.ts'
import { createSkillStore } from './skill-store.ts'

/** The names that stand for the agent's own tools. For tests. */
export const ownTools: ReadonlySet<string> = new Set(['request_info', 'show_bazi_chart', 'use_skill'])

export type SkillFolders = AsyncDisposable & {
  readonly home: string
  readonly known: Skills
  /** Writes a file below the home's `skills/`. */
  readonly write: (path: string, text: string | Uint8Array) => Promise<void>
  /** Lets the clock go on. */
  readonly pass: (ms: number) => void
}

type Options = {
  /** What comes with us, too. */
  readonly shipped?: true
  /** Reads on a thread, as a server does: each folder within so many ms. */
  readonly withinMs?: number
}

/** A home, and the skills in it. For tests. */
export async function skillFolders({ shipped, withinMs }: Options = {}): Promise<SkillFolders> {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  let now = 0
  const nowhere = join(home, 'nothing-shipped')
  const clock = (): number => now
  return {
    home,
    known: createSkillStore({
      home,
      own: () => ownTools,
      clock,
      ...(!shipped && { shipped: nowhere }),
      read:
        withinMs === undefined
          ? (found, own) => Promise.all(found.map((folder) => readFolder(folder, own)))
          : readFolders(withinMs),
    }),
    async write(path, text) {
      const file = join(home, 'skills', path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    },
    pass: (ms) => (now += ms),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  }
}

/** A `SKILL.md`, with further lines of frontmatter. For tests. */
export function skillText(name: string, { more = '', body = `Do as ${name} does.` } = {}): string {
  return `---\nname: ${name}\ndescription: What ${name} is for.\n${more}---\n\n${body}\n`
}
