import { rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { rgPath } from '@vscode/ripgrep'
import { describe, expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { hasSandbox, SYSTEM_PATH, testSandboxes } from '../commands/commands.fixture.ts'
import { plainSearcher } from './plain-searcher.ts'
import { ripgrepSearcher } from './ripgrep-searcher.ts'
import { workspaceSearch } from './workspace-search.ts'

const boxes = testSandboxes({ env: { PATH: SYSTEM_PATH } })
const SEARCHERS = [
  { name: 'ripgrep', works: await hasSandbox(), searcher: () => ripgrepSearcher(rgPath, boxes) },
  { name: 'the plain search', works: true, searcher: plainSearcher },
]

/** What may stand in the place of a folder, between the check of its path and the search. */
const REPLACEMENTS: Readonly<Record<string, (folder: string, outside: string) => Promise<void>>> = {
  'a link that leads out': (folder, outside) => symlink(outside, folder),
  'a link to itself': (folder) => symlink(folder, folder),
  'a file': (folder) => writeFile(folder, 'bait'),
  nothing: async () => undefined,
}
const CASES = Object.keys(REPLACEMENTS).flatMap((by) =>
  ['above/x', 'above'].flatMap((folder) =>
    (['lines', 'files'] as const).map((kind) => [kind, folder, by] as const),
  ),
)

describe.each(SEARCHERS)('a search by $name', (each) => {
  it.skipIf(!each.works).each(CASES)('for %s is answered while %s becomes %s', async (kind, folder, by) => {
    const { root, outside, workspaces } = await servedFolder({ 'above/x/a.txt': 'bait' })
    await writeFile(join(outside, 'b.txt'), 'bait')
    const workspace = await workspaces.open({ workspaceRoot: join(root, 'above/x') })
    const search = workspaceSearch(async () => {
      await rename(join(root, folder), join(root, 'moved'))
      await REPLACEMENTS[by]?.(join(root, folder), outside)
      return each.searcher()
    })
    const { signal } = new AbortController()

    const caller = { userId: 'ada', signal }
    const answer: unknown = await (
      kind === 'lines'
        ? search.lines(workspace, { pattern: 'bait' }, caller)
        : search.files(workspace, { pattern: '**/*' }, caller)
    ).catch((error: unknown) => error)

    const refusal = expect.stringMatching(/^(forbidden|not-found|invalid-input|conflict)$/)
    expect(answer).toMatchObject(answer instanceof Error ? { code: refusal } : { items: [] })
  })
})
