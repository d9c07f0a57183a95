import { expect, it } from 'vitest'

import { requireLongSecret } from './require-long-secret.ts'

it.each(['a', ' ', '               x'])('refuses %j as the secret of the server', (secret) => {
  expect(() => requireLongSecret(secret)).toThrow('DRAGOMAN_SECRET must have at least 16 characters')
  expect(() => requireLongSecret('0123456789abcdef')).not.toThrow()
})
