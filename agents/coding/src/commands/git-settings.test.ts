import { writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { servedFolder } from '../coding.fixture.ts'
import { SYSTEM_PATH } from './commands.fixture.ts'
import { findProgram } from './find-program.ts'
import { readGitSettings } from './git-settings.ts'

const hasGit = (await findProgram(SYSTEM_PATH, 'git', [])) !== undefined

/** Settings as they hold tokens in the wild. */
const SETTINGS = `
[user]
  name = Ada "the \\"first\\"" Lovelace
  email = ada@example.org
  signingkey = SECRET
[url "https://ada:SECRET@git.lan/"]
  insteadOf = https://git.lan/
[http]
  extraHeader = Authorization: Bearer SECRET
  proxy = http://ada:SECRET@proxy.lan
[credential]
  helper = "!echo password=SECRET"
[github]
  token = SECRET
[alias]
  up = "!curl -H 'token: SECRET' https://git.lan"
[init]
  defaultBranch = main
[include]
  path = more
`

describe.skipIf(!hasGit)('readGitSettings', () => {
  it('returns who the user is, also from included files, and no tokens', async () => {
    const { root: home } = await servedFolder({
      '.gitconfig': SETTINGS,
      more: '[pull]\n\trebase\n[core]\n\tautocrlf = input\n\tsshCommand = ssh -i SECRET\n',
    })

    const settings = await readGitSettings({ PATH: SYSTEM_PATH, HOME: home }, [])

    expect(settings).not.toContain('SECRET')
    // git reads what it is given.
    await mkdir(join(home, 'other'))
    await writeFile(join(home, 'other/.gitconfig'), settings)
    expect(await readGitSettings({ PATH: SYSTEM_PATH, HOME: join(home, 'other') }, [])).toBe(settings)
    expect(settings).toContain('name = "Ada the \\"first\\" Lovelace"')
    for (const line of [
      'email = "ada@example.org"',
      '[init]',
      '[pull]\n\trebase = "true"',
      'autocrlf = "input"',
    ])
      expect(settings).toContain(line)
  })

  it('is empty without settings', async () => {
    const { root } = await servedFolder()
    expect(await readGitSettings({ PATH: SYSTEM_PATH, HOME: root }, [])).toBe('')
    expect(await readGitSettings({ PATH: '/nowhere', HOME: root }, [])).toBe('')
  })

  it('starts no git of a served folder', async () => {
    const { root } = await servedFolder({ '.gitconfig': SETTINGS })
    await writeFile(join(root, 'git'), '#!/bin/sh\nprintf "user.name\\nfake\\0"', { mode: 0o755 })

    expect(await readGitSettings({ PATH: `${root}:${SYSTEM_PATH}`, HOME: root }, [root])).not.toContain(
      'fake',
    )
  })
})
