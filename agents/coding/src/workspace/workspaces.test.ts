import { join } from 'node:path'

import { expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { createWorkspaces } from './workspaces.ts'

it('is available if one root is a folder, and names the missing ones', async () => {
  const { root } = await servedFolder({ 'a.txt': '' })
  const [gone, file] = [join(root, 'gone'), join(root, 'a.txt')]
  const notes = [`${gone} is served, but is no folder.`, `${file} is served, but is no folder.`]

  expect(await createWorkspaces([gone, root, file]).condition()).toEqual({ available: true, notes })
  expect(await createWorkspaces([gone, file]).condition()).toEqual({ available: false, notes })
  expect(await createWorkspaces([]).condition()).toMatchObject({ available: false })
})
