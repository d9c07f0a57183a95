import { delimiter, join } from 'node:path'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { commandEnvironment, installFolder } from './command-environment.ts'

describe('commandEnvironment', () => {
  it('has the variables that programs need, and disables pagers and prompts', () => {
    expect(
      commandEnvironment({ PATH: '/opt/bin', LC_ALL: 'zh_CN.UTF-8', TZ: 'Asia/Shanghai', CARGO_HOME: '/c' }),
    ).toMatchObject({
      PATH: '/opt/bin',
      LC_ALL: 'zh_CN.UTF-8',
      TZ: 'Asia/Shanghai',
      CARGO_HOME: '/c',
      CI: '1',
      PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
    })
    expect(commandEnvironment({})['PATH']).toContain('/usr/bin')
  })

  it('finds no program that was installed with this server', () => {
    const here = join(import.meta.dirname, '../../../..')
    const own = [join(here, 'node_modules/.bin'), join(here, 'node_modules/node/bin'), here]

    expect(commandEnvironment({ PATH: [...own, '/usr/bin', `${here}-2/bin`].join(delimiter) })['PATH']).toBe(
      ['/usr/bin', `${here}-2/bin`].join(delimiter),
    )
  })

  it('knows its install folder, also as a dependency of another project', () => {
    expect(installFolder('/srv/dragoman')).toBe('/srv/dragoman')
    expect(installFolder('/app/node_modules/dragoman')).toBe('/app/node_modules')
    expect(installFolder('/app/node_modules/a/node_modules/dragoman')).toBe('/app/node_modules')
  })

  it.each([
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'DRAGOMAN_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'DATABASE_URL',
    'SSH_AUTH_SOCK',
    'LC_API_KEY',
    'NODE_OPTIONS',
    'NODE_ENV',
    'BASH_ENV',
    'LD_PRELOAD',
  ])('omits %s', (name) => {
    expect(Object.keys(commandEnvironment({ [name]: 'secret' }))).not.toContain(name)
  })

  it('removes passwords from proxies', () => {
    const { HTTP_PROXY, https_proxy, ALL_PROXY, NO_PROXY } = commandEnvironment({
      HTTP_PROXY: 'http://ada:secret@proxy.lan:3128',
      https_proxy: 'http://proxy.lan:3128',
      ALL_PROXY: 'ada:secret@proxy.lan',
      NO_PROXY: 'localhost',
    })

    expect(HTTP_PROXY).toBe('http://proxy.lan:3128/')
    expect(https_proxy).toBe('http://proxy.lan:3128')
    expect(ALL_PROXY ?? '').not.toContain('secret')
    expect(NO_PROXY).toBe('localhost')
  })

  it('omits the value of an unknown name', () => {
    const names = fc.stringMatching(/^[A-Z_]{1,20}(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$/)
    fc.assert(
      fc.property(names, (name) => {
        expect(Object.values(commandEnvironment({ [name]: 'sk-hidden' }))).not.toContain('sk-hidden')
      }),
    )
  })
})
