import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, it } from 'vitest'
import { z } from 'zod'

import { createTempDir } from '../../../../test/support/create-temp-dir.ts'
import { explainConfig } from './index.ts'

const agent = {
  id: 'mail',
  settings: z.object({
    folders: z.array(z.string()).default(['inbox']).meta({ flag: 'folder', value: 'NAME' }),
    accounts: z.record(z.string(), z.object({ password: z.string(), port: z.int() })).default({}),
    limits: z.object({ mails: z.int().default(10) }),
  }),
}

it('names the flag, the variable, the file or the default of each setting', async () => {
  const home = await createTempDir()
  const lines = [
    'port: 1',
    'readers: 2',
    'metrics: true',
    'limits: { requests: 3, mails: 4 }',
    'accounts: { a: { password: "${P}", port: 993 } }',
  ]
  await writeFile(join(home, 'config.yaml'), lines.join('\n'))
  const env = { DRAGOMAN_READERS: '5', DRAGOMAN_FOLDER: 'work', P: 'hunter2', OPENAI_API_KEY: 'sk-hunter2' }

  const settings = explainConfig(['--home', home, '--port', '6'], env, [agent])

  const byName = Object.fromEntries(settings.map(({ name, ...rest }) => [name, rest]))
  expect(byName).toMatchObject({
    home: { value: home, source: 'flag', origin: '--home' },
    port: { value: 6, source: 'flag', origin: '--port' },
    readers: { value: 5, source: 'environment', origin: 'DRAGOMAN_READERS' },
    folders: { value: ['work'], source: 'environment', origin: 'DRAGOMAN_FOLDER' },
    metrics: { value: true, source: 'config.yaml' },
    host: { value: '127.0.0.1', source: 'default' },
    model: { value: null, source: 'default' },
    'limits.requests': { value: 3, source: 'config.yaml' },
    'limits.mails': { value: 4, source: 'config.yaml' },
    'limits.callsPerStep': { source: 'default' },
    accounts: { value: { a: { password: '(hidden)', port: 993 } }, source: 'config.yaml' },
    telemetry: { value: null, source: 'default' },
  })
  expect(JSON.stringify(settings)).not.toContain('hunter2')
})
