import { mkdir, readdir, readFile, readlink, lstat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { resolveWorkspacePath } from './resolve-workspace-path.ts'
import { putFile } from './put-file.ts'
import { readText } from './read-text.fixture.ts'

const name = fc.constantFrom('a', 'a', 'b', 'b', 'c', '..', '.', '..a', '')
const way = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))

/** A tree of the root: files, and links that lead anywhere. */
const tree = fc.array(
  fc.record({
    at: fc
      .array(fc.constantFrom('a', 'a', 'b', 'b', 'c', '..a'), { minLength: 1, maxLength: 2 })
      .map((names) => names.join('/')),
    is: fc.oneof(
      fc.constant('file' as const),
      fc.constant('file' as const),
      way.map((to) => ({ to })),
      fc.constantFrom('OUT', 'OUT/secret', 'OUT/new', 'ROOT2', 'ROOT', 'ROOT/a').map((to) => ({ to })),
    ),
  }),
  { minLength: 3, maxLength: 10 },
)
const calls = fc.oneof(
  way,
  way.map((path) => `ROOT/${path}`),
  way.map((path) => `OUT/${path}`),
  way.map((path) => `ROOT2/${path}`),
)

type Folders = { readonly root: string; readonly outside: string }

function resolveAt(path: string, { root, outside }: Folders): string {
  return path
    .replace(/^ROOT2/, `${root}2`)
    .replace(/^ROOT/, root)
    .replace(/^OUT/, join(outside, 'out'))
}

/** As much of the tree as can be: where something is in the way, it is left out. */
async function plant(folders: Folders, entries: readonly Entry[]): Promise<void> {
  for (const { at, is } of entries) {
    const path = join(folders.root, at)
    try {
      // A folder that leads out by a link of this tree is not written through.
      if (await leavesByLink(folders.root, at)) continue
      await mkdir(dirname(path), { recursive: true })
      await (is === 'file' ? writeFile(path, 'inside') : symlink(resolveAt(is.to, folders), path))
    } catch (error) {
      if (!/^E(EXIST|NOTDIR|ISDIR|LOOP|NOENT)/.test(String((error as { code?: unknown }).code))) throw error
    }
  }
}

type Entry = { readonly at: string; readonly is: 'file' | { readonly to: string } }

async function leavesByLink(root: string, at: string): Promise<boolean> {
  let path = root
  for (const step of at.split('/')) {
    path = join(path, step)
    const found = await lstat(path).catch(() => undefined)
    if (found?.isSymbolicLink()) return true
  }
  return false
}

/** All that lies in a folder, with what is in it. */
async function snapshot(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const message = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) return [path, 'folder']
    return [path, entry.isSymbolicLink() ? await readlink(path) : await readFile(path, 'utf8')]
  })
  return Object.fromEntries(await Promise.all(message)) as Readonly<Record<string, string>>
}

describe('any path in any tree of links', () => {
  it('reads and writes only inside the root', async () => {
    let [read, written, refused] = [0, 0, 0]
    await fc.assert(
      fc.asyncProperty(tree, fc.array(calls, { minLength: 1, maxLength: 4 }), async (entries, paths) => {
        const { root, outside, workspaces: open } = await servedFolder()
        const folders = { root, outside }
        await mkdir(join(outside, 'out'))
        await mkdir(`${root}2`)
        await writeFile(join(outside, 'out/secret'), 'secret')
        await writeFile(`${root}2/a`, 'secret')
        await plant(folders, entries)
        const before = [await snapshot(join(outside, 'out')), await snapshot(`${root}2`)]
        const workspace = await open.open({})

        for (const path of paths) {
          try {
            const place = await resolveWorkspacePath(workspace, resolveAt(path, folders))
            expect(place.path === root || place.path.startsWith(`${root}/`)).toBe(true)
            const old = await readText(place).catch(() => undefined)
            expect(old?.text).not.toBe('secret')
            if (old) read += 1
            await putFile(place, Buffer.from('written'), { stamp: old?.stamp, disks: open.disks })
            written += 1
          } catch (error) {
            expect(error).toMatchObject({ name: 'ServiceError' })
            refused += 1
          }
        }
        expect([await snapshot(join(outside, 'out')), await snapshot(`${root}2`)]).toEqual(before)
      }),
      { numRuns: 100 },
    )
    expect(Math.min(read, written, refused)).toBeGreaterThan(0)
  })
})
