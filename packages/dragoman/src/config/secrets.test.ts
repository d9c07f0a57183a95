import { describe, expect, it } from 'vitest'

import { configuredSecrets } from './secrets.ts'

describe('configuredSecrets', () => {
  it('finds secrets of the environment by their names', () => {
    const env = {
      OPENAI_API_KEY: 'plain words',
      DATABASE_URL: 'postgres://ada:horse-staple@db/x',
      LANG: 'en_US.UTF-8',
      SERVICE_PASSWORD: 'short',
    }

    expect(
      configuredSecrets({ env, agents: {}, sections: { telemetry: null, quotas: null, models: null } }),
    ).toEqual(['plain words', 'postgres://ada:horse-staple@db/x', 'horse-staple'])
  })

  it('takes no folder of a shell and no path of a file for a secret', () => {
    const env = {
      PWD: '/srv/dragoman',
      OLDPWD: '/srv/dragoman/data',
      OPENAI_API_KEY_FILE: '/run/secrets/openai',
      MAIL_PWD: '/looks-like-a-path',
    }
    const none = { agents: {}, sections: { telemetry: null, quotas: null, models: null } }

    expect(configuredSecrets({ env, ...none })).toEqual(['/looks-like-a-path'])
  })

  it('finds headers and variables of config.yaml, whatever their names', () => {
    const mcp = { notes: { url: 'https://notes.example/mcp', headers: { 'x-tenant': 'Bearer abcdefgh' } } }
    const telemetry = { endpoint: 'https://otel.example', headers: { other: '12345678' } }

    const secrets = configuredSecrets({
      env: {},
      agents: { assistant: { mcp } },
      sections: { telemetry, quotas: null, models: null },
    })

    expect(secrets).toEqual(['Bearer abcdefgh', 'abcdefgh', '12345678'])
  })
})
