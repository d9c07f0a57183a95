import { describe, expect, it } from 'vitest'

import { toFailure } from '../errors.ts'
import { modelFailure } from './model-failure.ts'

const SECRET = 'sk-secret-1234'

const provider = (name: string) => ({ name, keyVariable: 'KEY_VARIABLE' })

describe('a refusal that lasts', () => {
  it.each([
    {
      statusCode: 429,
      message: 'You exceeded your current quota, please check your plan and billing details.',
    },
    { statusCode: 429, message: 'x', responseBody: '{"error":{"code":"insufficient_quota"}}' },
    { statusCode: 402, message: 'Insufficient Balance' },
    { statusCode: 400, message: 'Your credit balance is too low to access the Anthropic API.' },
    { message: 'x', code: 'insufficient_quota' },
    { statusCode: 403, message: '账户余额不足' },
    {
      statusCode: 429,
      message: 'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests',
      responseHeaders: { 'retry-after': '80000' },
    },
    { statusCode: 429, message: 'ExceededBudget: User over budget. Spend: 10, Budget: 10' },
    { statusCode: 400, message: 'Budget has been exceeded! Current cost: 1.2, Max budget: 1' },
    { statusCode: 403, message: 'Key limit exceeded (total limit).' },
  ])('is an account without credit: %j', (error) => {
    const failure = modelFailure(error, provider('x'))

    expect(failure.code).toBe('model-refused')
    expect(failure.message).toContain('account has no credit or quota left for x')
    expect(toFailure(failure).retryable).toBe(false)
  })

  it.each([
    { statusCode: 429, message: 'Rate limit reached for requests per minute.' },
    { statusCode: 429, message: 'You exceeded your current quota. Please retry in 34s.' },
    {
      statusCode: 429,
      message: 'You exceeded your current quota.',
      responseBody: '{"error":{"details":[{"retryDelay":"34s"}]}}',
    },
  ])('is not a limit that passes: %j', (error) => {
    expect(modelFailure(error, provider('x')).code).toBe('rate-limited')
  })

  it.each([
    { statusCode: 400, message: 'API key not valid. Please pass a valid API key.' },
    { message: 'Incorrect API key provided', code: 'invalid_api_key' },
    { message: 'x', type: 'authentication_error' },
  ])('is a key that is refused in words: %j', (error) => {
    expect(modelFailure(error, provider('x'))).toMatchObject({
      code: 'model-unauthorized',
      message: expect.stringContaining('Check KEY_VARIABLE.') as string,
    })
  })

  it('is an address that redirects', () => {
    expect(modelFailure({ statusCode: 307, message: 'x' }, provider('x'))).toMatchObject({
      code: 'model-refused',
      message: expect.stringContaining('which is not followed') as string,
    })
  })
})

it('says that a key cannot be sent, without the key', async () => {
  const error = await fetch('http://127.0.0.1:2', { headers: { 'x-api-key': `${SECRET}\u200b` } }).catch(
    (thrown: unknown) => thrown,
  )
  const failure = modelFailure(error, provider('x'))

  expect(failure).toMatchObject({
    code: 'model-unauthorized',
    message: expect.stringContaining('Copy it again into KEY_VARIABLE.') as string,
  })
  expect(failure.message).not.toContain(SECRET)
})

it.each([`a\nb`, 'é\u0000'])('says that a key cannot be sent: %j', async (key) => {
  const error = await fetch('http://127.0.0.1:2', { headers: { authorization: `Bearer ${key}` } }).catch(
    (thrown: unknown) => thrown,
  )

  expect(modelFailure(error, provider('x')).code).toBe('model-unauthorized')
})
