import { delimiter, join } from 'node:path'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { environmentOf, installedAt } from './environment.ts'

describe('the environment of a command', () => {
  it('has what programs need, and nobody who pages or asks', () => {
    expect(
      environmentOf({ PATH: '/opt/bin', LC_ALL: 'zh_CN.UTF-8', TZ: 'Asia/Shanghai', CARGO_HOME: '/c' }),
    ).toMatchObject({
      PATH: '/opt/bin',
      LC_ALL: 'zh_CN.UTF-8',
      TZ: 'Asia/Shanghai',
      CARGO_HOME: '/c',
      CI: '1',
      PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
    })
    expect(environmentOf({})['PATH']).toContain('/usr/bin')
  })

  it('finds no program that came with this server', () => {
    const here = join(import.meta.dirname, '../../../..')
    const own = [join(here, 'node_modules/.bin'), join(here, 'node_modules/node/bin'), here]

    expect(environmentOf({ PATH: [...own, '/usr/bin', `${here}-2/bin`].join(delimiter) })['PATH']).toBe(
      ['/usr/bin', `${here}-2/bin`].join(delimiter),
    )
  })

  it('knows where it is installed, also as a package of another project', () => {
    expect(installedAt('/srv/dragoman')).toBe('/srv/dragoman')
    expect(installedAt('/app/node_modules/dragoman')).toBe('/app/node_modules')
    expect(installedAt('/app/node_modules/a/node_modules/dragoman')).toBe('/app/node_modules')
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
  ])('has no %s', (name) => {
    expect(Object.keys(environmentOf({ [name]: 'secret' }))).not.toContain(name)
  })

  it('has proxies without their passwords', () => {
    const { HTTP_PROXY, https_proxy, ALL_PROXY, NO_PROXY } = environmentOf({
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

  it('has no value of a name that it does not know', () => {
    const names = fc.stringMatching(/^[A-Z_]{1,20}(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$/)
    fc.assert(
      fc.property(names, (name) => {
        expect(Object.values(environmentOf({ [name]: 'sk-hidden' }))).not.toContain('sk-hidden')
      }),
    )
  })
})
