import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { failure, fileTools } from './files.fixture.ts'

describe('list_directory', () => {
  it('shows folders, sizes, hidden files and link targets', async () => {
    const { call, root, outside } = await fileTools({
      'b.ts': 'x'.repeat(1536),
      '.env': 'A=1',
      'src/a.ts': '',
      '文.md': '',
    })
    await symlink('src', join(root, 'to-src'))
    await symlink('src/a.ts', join(root, 'to-a'))
    await symlink(outside, join(root, 'out'))
    await symlink('nothing', join(root, 'dangling'))
    await symlink(join(outside, 'nothing'), join(root, 'out-to-nothing'))
    execFileSync('mkfifo', [join(root, 'pipe')])
    await writeFile(join(root, 'a\nTotal: 0'), '')

    const { text, output } = await call('list_directory', { path: '.' })

    expect(text.split('\n')).toEqual([
      '.: 11 entries',
      '.env  3 bytes',
      '"a\\nTotal: 0"  0 bytes',
      'b.ts  1.5 KB',
      'dangling -> nothing (leads nowhere)',
      `out -> ${outside} (leads outside)`,
      `out-to-nothing -> ${join(outside, 'nothing')} (leads outside)`,
      'pipe  (a named pipe)',
      'src/',
      'to-a -> src/a.ts',
      'to-src/ -> src',
      '文.md  0 bytes',
    ])
    expect(output).toMatchObject({ path: '.', total: 11, truncated: false })
    expect(output).toHaveProperty('entries.2', { name: 'b.ts', kind: 'file', bytes: 1536 })
    expect(output).toHaveProperty('entries.4', {
      name: 'out',
      kind: 'link',
      target: outside,
      leads: 'outside',
    })
  })

  it('lists the working directory by default and follows a link to a folder', async () => {
    const { call, root } = await fileTools({ 'src/a.ts': '' })
    await symlink('src', join(root, 'to-src'))

    expect((await call('list_directory', {})).text).toMatch(/^\.: 2 entries/)
    expect((await call('list_directory', { path: 'to-src' })).text).toBe('src: 1 entry\na.ts  0 bytes')
  })

  it('filters names by a pattern', async () => {
    const { call } = await fileTools({ 'a.ts': '', 'b.js': '', 'c.md': '' })

    const { text } = await call('list_directory', { path: '.', pattern: '*.{ts,js}' })

    expect(text).toBe('.: 2 entries\na.ts  0 bytes\nb.js  0 bytes')
  })

  it('shows at most 500 names and says so', async () => {
    const { call, root } = await fileTools()
    await mkdir(join(root, 'many'))
    await Promise.all(
      Array.from({ length: 510 }, (_, at) => writeFile(join(root, 'many', `${1000 + at}`), '')),
    )

    const { text, output } = await call('list_directory', { path: 'many' })

    expect(text.split('\n').at(-1)).toBe('[the first 500 of 510; give a pattern to see others]')
    expect(output).toMatchObject({ total: 510, truncated: true })
  })

  it('refuses a file and a missing folder', async () => {
    const { call } = await fileTools({ 'a.ts': '' })

    expect(await failure(call('list_directory', { path: 'a.ts' }))).toMatchObject({
      message: 'path: a.ts is no folder.',
    })
    expect(await failure(call('list_directory', { path: 'none' }))).toMatchObject({ code: 'not-found' })
    expect(await failure(call('list_directory', { path: '..' }))).toMatchObject({ code: 'forbidden' })
  })
})
