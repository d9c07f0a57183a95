import { join } from 'node:path'

import { expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { workspaces } from './workspaces.ts'

it('is available as soon as one of its roots is a folder, and names those that are not', async () => {
  const { root } = await servedFolder({ 'a.txt': '' })
  const [gone, file] = [join(root, 'gone'), join(root, 'a.txt')]
  const notes = [`${gone} is served, but is no folder.`, `${file} is served, but is no folder.`]

  expect(await workspaces([gone, root, file]).condition()).toEqual({ available: true, notes })
  expect(await workspaces([gone, file]).condition()).toEqual({ available: false, notes })
  expect(await workspaces([]).condition()).toMatchObject({ available: false })
})
