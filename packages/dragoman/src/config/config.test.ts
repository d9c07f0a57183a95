import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defaultLimits } from './default-limits.fixture.ts'
import { readConfig, type Config } from './config.ts'
import { limit } from './limits.ts'

describe('readConfig', () => {
  let home: string
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  })
  afterEach(() => rm(home, { recursive: true }))

  const write = (text: string): Promise<void> => writeFile(join(home, 'config.yaml'), text)
  const read = (args: readonly string[] = [], env: Config['env'] = {}): Config =>
    readConfig(['--home', home, ...args], env)

  it('has safe defaults', () => {
    expect(read()).toEqual({
      host: '127.0.0.1',
      port: 3033,
      basePath: '',
      home,
      model: undefined,
      origins: [],
      hosts: [],
      trustedProxies: ['127.0.0.0/8', '::1/128'],
      requireToken: false,
      guests: false,
      keepGuests: 90,
      rateLimit: 100,
      readers: 1000,
      keepLogs: 30,
      logLevel: 'info',
      offlinePace: 30,
      titles: 'words',
      privateHosts: [],
      place: undefined,
      answerWithin: 86_400,
      drainSeconds: 5,
      metrics: false,
      acceptLoss: false,
      limits: defaultLimits,
      sections: { telemetry: null, quotas: null, models: null },
      agents: {},
      env: {},
    })
  })

  it('reads limits, and names a limit that is out of range', async () => {
    await write('limits: { requests: 8 }\n')
    expect(read().limits).toMatchObject({ requests: 8, requestsPerUser: 64 })

    await write('limits: { requests: 0 }\n')
    expect(() => read()).toThrow('limits.requests must be a whole number from 1 to 1000000')
  })

  const garden = {
    id: 'garden',
    settings: z.object({
      beds: z.array(z.string()).default([]).meta({ flag: 'bed' }),
      limits: z.object({ plants: limit(9, 99) }),
    }),
  }

  it('reads the settings of an agent from flags, variables and the file', async () => {
    await write('beds: [north]\nlimits: { plants: 7, requests: 8 }\n')
    const settingsOf = (args: readonly string[], env: Config['env'] = {}) =>
      readConfig(['--home', home, ...args], env, [garden]).agents['garden']

    expect(settingsOf([])).toEqual({ beds: ['north'], limits: { plants: 7 } })
    expect(settingsOf(['--bed', 'south'], { DRAGOMAN_BED: 'west' })).toMatchObject({ beds: ['south'] })
    expect(settingsOf([], { DRAGOMAN_BED: 'west,east' })).toMatchObject({ beds: ['west', 'east'] })
    expect(() => read()).toThrow('beds is not known')
    await write('limits: { plants: 0 }\n')
    expect(() => settingsOf([])).toThrow('limits.plants must be a whole number from 1 to 99')
  })

  it('refuses two settings with the same name', () => {
    const readBoth = (settings: z.ZodType) => () =>
      readConfig(['--home', home], {}, [garden, { id: 'farm', settings }])

    expect(readBoth(z.object({ beds: z.string().default('') }))).toThrow(
      'Agent "farm": settings.beds is a setting already. Choose another name.',
    )
    expect(readBoth(z.object({ port: z.string().default('') }))).toThrow('settings.port is a setting already')
  })

  it('prefers a flag to its variable, the variable to the file, and the file to the default', async () => {
    await write('rateLimit: 1\nreaders: 1\nport: 1\nrequireToken: true\n')

    const config = read(['--rate-limit', '3', '--no-require-token'], {
      DRAGOMAN_RATE_LIMIT: '2',
      DRAGOMAN_READERS: '2',
    })

    expect(config).toMatchObject({ rateLimit: 3, readers: 2, port: 1, requireToken: false, logLevel: 'info' })
  })

  it('reads every setting of the file, and expands environment variables', async () => {
    await write(`
host: localhost
port: \${PORT}          # a number, for the field wants one
model: \${MODEL:offline}
origins: [https://app.example/, "\${EXTRA_ORIGIN:}", "http://localhost:*"]
hosts: [Chat.Example]
trustedProxies: [172.16.0.0/12, 2001:db8::7]
requireToken: \${STRICT:true}
rateLimit: 0
readers: 5
keepLogs: 365
keepGuests: 0
logLevel: debug
offlinePace: 0
titles: model
answerWithin: 600
`)

    expect(read([], { PORT: '8080' })).toMatchObject({
      host: 'localhost',
      port: 8080,
      model: 'offline',
      origins: ['https://app.example', 'http://localhost:*'],
      hosts: ['chat.example'],
      trustedProxies: ['172.16.0.0/12', '2001:db8::7'],
      requireToken: true,
      rateLimit: 0,
      readers: 5,
      keepLogs: 365,
      keepGuests: 0,
      logLevel: 'debug',
      offlinePace: 0,
      titles: 'model',
      answerWithin: 600,
    })
  })

  it('has a variable for each flag, and ignores an empty one', () => {
    const env = {
      DRAGOMAN_ALLOW_ORIGIN: 'https://a.example, https://b.example',
      DRAGOMAN_ALLOW_HOST: 'chat.example',
      DRAGOMAN_REQUIRE_TOKEN: '1',
      DRAGOMAN_PORT: '',
    }

    expect(read([], env)).toMatchObject({
      origins: ['https://a.example', 'https://b.example'],
      hosts: ['chat.example'],
      requireToken: true,
      port: 3033,
      basePath: '',
    })
  })

  it.each([
    [['--port', '70000'], {}, '--port must be a whole number from 0 to 65535, not "70000".'],
    [['--answer-within', '0'], {}, '--answer-within must be a whole number from 1 to 31536000, not "0".'],
    [['--rate-limit=-1'], {}, '--rate-limit must be a whole number from 0 to 1000000, not "-1".'],
    [
      [],
      { DRAGOMAN_READERS: 'many' },
      'DRAGOMAN_READERS must be a whole number from 0 to 1000000, not "many".',
    ],
    [
      [],
      { DRAGOMAN_REQUIRE_TOKENS: 'true' },
      'The variable DRAGOMAN_REQUIRE_TOKENS is not known: is DRAGOMAN_REQUIRE_TOKEN meant?',
    ],
    [[], { DRAGOMAN_RATELIMIT: '5' }, 'is DRAGOMAN_RATE_LIMIT meant?'],
    [[], { dragoman_require_token: 'true' }, 'is DRAGOMAN_REQUIRE_TOKEN meant?'],
    [[], { DRAGOMAN_REQUIRE_TOKEN: 'yes' }, 'DRAGOMAN_REQUIRE_TOKEN must be true or false, not "yes".'],
    [
      ['--allow-origin', '*'],
      {},
      '--allow-origin must be an origin like https://app.example, chrome-extension://ID or http://localhost:*, not "*".',
    ],
    [
      ['--trusted-proxy', '10.0.0.0/33'],
      {},
      '--trusted-proxy must be an address or a network like 10.0.0.1 or 172.16.0.0/12, not "10.0.0.0/33".',
    ],
    [
      ['--allow-host', 'a:80'],
      {},
      '--allow-host must be a host name like chat.example, without a port, not "a:80".',
    ],
    [
      ['--log-level', 'loud'],
      {},
      '--log-level must be one of trace, debug, info, warn, error, fatal, silent, not "loud".',
    ],
    [['--prot', '1'], {}, "Unknown option '--prot'. See dragoman serve --help."],
  ])('names the problem of %j %j', (args, env, sentence) => {
    expect(() => read(args, env)).toThrow(sentence)
  })

  it.each([
    'chrome-extension://*',
    'app://',
    'file:///home',
    'http://127.0.0.2:*',
    'https://localhost:*',
    'data://x',
    'https://app.example/path',
    'https://*.app.example',
  ])('allows no origin %s', (origin) => {
    expect(() => read(['--allow-origin', origin])).toThrow(
      `--allow-origin must be an origin like https://app.example, chrome-extension://ID or http://localhost:*, not "${origin}".`,
    )
  })

  it.each([
    ['rateLimt: 5', 'rateLimt is not known: is rateLimit meant?'],
    ['port: "3033"', 'port must be a whole number from 0 to 65535.'],
    ['origins: https://app.example', 'origins must be a list.'],
    [
      'origins: [https://app.example, "*"]',
      'origins[1] must be an origin like https://app.example, chrome-extension://ID or http://localhost:*.',
    ],
    ['requireToken: ${STRICT}', 'requireToken wants the variable STRICT, which is not set.'],
    ['requireToken: ${STRICT:yes}', 'requireToken must be true or false.'],
    ['- 1', 'The file must be a group of fields.'],
    ['requireToken', 'The file must be a group of fields.'],
    ['', 'The file is empty'],
    ['requireToken:', 'requireToken must be true or false.'],
    [
      "privateHosts: ['*']",
      'privateHosts[0] must be a host like mail.home.lan or 10.0.0.5:8080, not a pattern',
    ],
    ['privateHosts: [10.0.0.0/8]', 'not a pattern or a network'],
    ['hosts:', 'hosts has no value: give it one, or leave it out.'],
    ['limits: ~', 'limits has no value'],
    ['requireToken: true\nrequireToken: false', 'Map keys must be unique'],
    ['port: [', 'at line 1'],
  ])('names the file and the field of %j', async (text, sentence) => {
    await write(text)
    expect(() => read()).toThrow(sentence)
    expect(() => read()).toThrow(join(home, 'config.yaml'))
  })
})
