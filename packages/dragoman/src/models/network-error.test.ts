import { expect, it } from 'vitest'

import { modelFailure } from './model-failure.ts'

const provider = (name: string) => ({ name, keyVariable: 'KEY_VARIABLE' })

it.each([
  ['ENOTFOUND', 'model-failed', 'its host name is unknown here (ENOTFOUND). Check its address.'],
  ['EAI_AGAIN', 'model-failed', 'could not be looked up (EAI_AGAIN). Check the DNS of this server.'],
  ['ECONNRESET', 'model-failed', 'the connection failed (ECONNRESET).'],
  ['CERT_HAS_EXPIRED', 'model-refused', 'its certificate is not trusted (CERT_HAS_EXPIRED).'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'model-refused', 'its certificate is not trusted'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'model-refused', 'begins with http or https.'],
])('names the cause %s of a failed connection', (code, expected, words) => {
  const error = new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) })

  expect(modelFailure(error, provider('x'))).toMatchObject({
    code: expected,
    message: expect.stringContaining(words) as string,
  })
})
