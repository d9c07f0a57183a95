import { APICallError } from '@ai-sdk/provider'
import { RetryError } from 'ai'
import { describe, expect, it } from 'vitest'

import { ServiceError, toFailure } from '../errors.ts'
import { modelFailure } from './model-failure.ts'

const SECRET = 'sk-secret-1234'

const provider = (name: string) => ({ name, keyVariable: 'KEY_VARIABLE' })

function refused(statusCode: number | undefined, responseHeaders: Record<string, string> = {}): APICallError {
  return new APICallError({
    message: `Incorrect API key provided: ${SECRET}`,
    url: 'https://api.example/v1',
    requestBodyValues: {},
    ...(statusCode !== undefined && { statusCode }),
    responseHeaders,
    responseBody: JSON.stringify({ error: { message: `Incorrect API key provided: ${SECRET}` } }),
  })
}

describe('the refusal of a provider', () => {
  it.each([
    ...[401, 404, 408, 418, 429, 500, 503].map((status) => refused(status)),
    refused(429, { 'retry-after': '30' }),
    refused(undefined),
    new DOMException('', 'TimeoutError'),
    new DOMException('', 'AbortError'),
    new Error('no idea'),
  ])('has a Chinese translation: %s', (error) => {
    const chinese = modelFailure(error, provider('openai:gpt-x')).messageIn('zh')

    expect(chinese).toMatch(/openai:gpt-x.*\p{Script=Han}.*。$/u)
    expect(chinese).not.toContain(SECRET)
  })

  it.each([
    [
      'anthropic:claude-x',
      401,
      'The model provider refused the key for anthropic:claude-x. Check KEY_VARIABLE. The provider ' +
        'says: Incorrect API key provided: [key].',
    ],
    [
      'openai:gpt-x',
      403,
      'The model provider refused the key for openai:gpt-x. Check KEY_VARIABLE. The provider says: ' +
        'Incorrect API key provided: [key].',
    ],
  ])('names the variable of the key of %s', (name, status, message) => {
    expect(modelFailure(refused(status), provider(name))).toMatchObject({
      code: 'model-unauthorized',
      details: status === 403 ? { providerStatus: 403 } : {},
      message,
    })
  })

  it.each([
    [{ 'retry-after': '30' }, 30],
    [{ 'Retry-After': '1.5' }, 2],
    [{ 'retry-after-ms': '1200', 'retry-after': '60' }, 2],
    [{ 'retry-after': new Date(Date.now() - 5000).toUTCString() }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('contains the time to wait after too many requests: %j', (headers, retryAfter) => {
    expect(modelFailure(refused(429, headers as Record<string, string>), provider('openai:x'))).toMatchObject(
      {
        code: 'rate-limited',
        retryAfter,
      },
    )
  })

  it('reads a date as the time to wait', () => {
    const { retryAfter } = modelFailure(
      refused(429, { 'retry-after': new Date(Date.now() + 30_000).toUTCString() }),
      provider('x'),
    )

    expect(retryAfter).toBeGreaterThanOrEqual(28)
    expect(retryAfter).toBeLessThanOrEqual(30)
  })

  it('contains any other status', () => {
    expect(modelFailure(refused(502), provider('anthropic:x'))).toMatchObject({
      code: 'model-failed',
      message:
        'The model provider answered the call of anthropic:x with status 502: Incorrect API key provided: [key].',
    })
  })

  it.each([503, 529])('says that the provider is overloaded (%s)', (status) => {
    expect(modelFailure(refused(status, { 'retry-after': '7' }), provider('anthropic:x'))).toMatchObject({
      code: 'model-overloaded',
      message:
        'The model provider is overloaded: it answered the call of anthropic:x with status ' +
        `${status}: Incorrect API key provided: [key].`,
      retryAfter: 7,
    })
  })

  it('says that the model or the address may be wrong', () => {
    expect(modelFailure(refused(404), provider('openai:x'))).toMatchObject({
      code: 'model-refused',
      message:
        "The model provider answered that there is no openai:x. Check the model's name, and the " +
        "provider's address. The provider says: Incorrect API key provided: [key].",
    })
  })

  it('is found in the last of several tries, and in the middle of a stream', () => {
    const retried = new RetryError({
      message: SECRET,
      reason: 'maxRetriesExceeded',
      errors: [refused(500), refused(429)],
    })

    expect(modelFailure(retried, provider('x')).code).toBe('rate-limited')
    expect(
      modelFailure({ message: 'Overloaded', type: 'overloaded_error', statusCode: 529 }, provider('x')).code,
    ).toBe('model-overloaded')
  })

  it.each([401, 429, 500, undefined])('never contains a key (%s)', (status) => {
    const error = refused(status)
    const failure = modelFailure(error, provider('openai:x'))

    expect(JSON.stringify(toFailure(failure))).not.toContain(SECRET)
    expect(failure.cause).toBe(error)
  })
})

describe('the reason of a refusal', () => {
  const withBody = (responseBody: string, statusCode = 400, message = 'Bad Request'): APICallError =>
    new APICallError({ message, url: 'http://x', requestBodyValues: {}, statusCode, responseBody })
  const messageOf = (error: unknown): string =>
    modelFailure(error, { name: 'openai:gpt-x', keyVariable: 'K', secrets: ['open sesame'] }).message

  it.each([
    ['{"error":{"message":"temperature must be at most 2."}}', ': temperature must be at most 2.'],
    ['[{"error":{"message":"Bad tool"}}]', ': Bad tool.'],
    ['{"error":"no such option"}', ': no such option.'],
    ['{"detail":"Not this one"}', ': Not this one.'],
    ['{"message":"Nor this"}', ': Nor this.'],
    ['upstream refused', ': upstream refused.'],
    ['<html>nginx</html>', '.'],
    ['', '.'],
    ['{"error":{"message":"open sesame is wrong"}}', ': [key] is wrong.'],
    ['{"error":{"message":"a\\n\\u0007b"}}', ': a b.'],
  ])('is read from %s', (body, end) => {
    expect(messageOf(withBody(body))).toBe(`The model provider refused openai:gpt-x with status 400${end}`)
  })

  it('has at most 300 characters', () => {
    expect(messageOf(withBody(JSON.stringify({ message: 'x'.repeat(5000) })))).toHaveLength(
      'The model provider refused openai:gpt-x with status 400: .'.length + 300,
    )
  })

  it.each<[unknown, string]>([
    [{ message: 'Engine overheated', type: 'server_error' }, ': Engine overheated.'],
    ['Engine overheated', ': Engine overheated.'],
    [new Error('a fault of ours'), '.'],
  ])('is read from an error within the stream: %j', (error, end) => {
    expect(messageOf(error)).toBe(`The model openai:gpt-x did not answer as it should${end}`)
  })
})

describe('a request that exceeds the context window', () => {
  it.each<[unknown, boolean]>([
    [{ statusCode: 400, message: "This model's maximum context length is 60000 tokens." }, true],
    [{ statusCode: 400, message: 'x', responseBody: '{"error":{"code":"context_length_exceeded"}}' }, true],
    [{ statusCode: 400, message: 'prompt is too long: 213462 tokens > 200000 maximum' }, true],
    [
      {
        statusCode: 400,
        message: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)',
      },
      true,
    ],
    ...[
      'input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000',
      'Prompt exceeds max length',
      '输入超出模型最大上下文长度',
      'Total tokens of image and text exceed max message tokens. Request id: 0217',
      'Total message token length exceed model limit',
      'length of prompt_tokens (57535) must be less than max_seq_len (32768)',
      'Prompt tokens too long',
      'The decoder prompt (length 9012) is longer than the maximum model length of 8000.',
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens',
      'max_tokens must be at least 1, got -1100.',
      'the model is loaded with context length of only 4096 tokens, which is not enough',
    ].map((message): [unknown, boolean] => [{ statusCode: 400, message }, true]),
    [{ statusCode: 413, message: '' }, true],
    [{ message: 'Your input exceeds the context window of this model.' }, true],
    [{ message: 'x', code: 'context_length_exceeded' }, true],
    [{ statusCode: 429, message: 'Too many tokens, please wait.' }, false],
    [{ statusCode: 500, message: 'prompt is too long' }, false],
    [{ statusCode: 400, message: 'temperature is too high' }, false],
    [
      { statusCode: 400, message: 'max_tokens is too large: 100000. At most 16384 completion tokens.' },
      false,
    ],
  ])('is recognized: %j', (error, isFull) => {
    const failure = modelFailure(error, provider('x'))

    expect(failure.code === 'context-full').toBe(isFull)
    expect(toFailure(failure).retryable && isFull).toBe(false)
  })
})

describe('a failure before any answer', () => {
  it('says that the provider could not be reached', async () => {
    const offline = await fetch('http://127.0.0.1:2').catch((error: unknown) => error)

    expect(modelFailure(offline, provider('x'))).toMatchObject({
      code: 'model-failed',
      message:
        'The provider of x could not be reached: nothing answers at its address (ECONNREFUSED). ' +
        'Check its address, and whether it runs.',
    })
  })

  it('distinguishes a timeout from an abort by the user', () => {
    expect(modelFailure(new DOMException('', 'TimeoutError'), provider('x')).code).toBe('timed-out')
    expect(modelFailure(new DOMException('', 'AbortError'), provider('x')).code).toBe('aborted')
  })

  it('does not show the message of an unforeseen error', () => {
    expect(modelFailure(new Error(SECRET), provider('x'))).toMatchObject({
      code: 'model-failed',
      message: 'The model x did not answer as it should.',
    })
    expect(modelFailure(undefined, provider('x')).code).toBe('model-failed')
  })
})

it('returns a ServiceError unchanged', () => {
  const ours = new ServiceError('timed-out', 'Too slow.')

  expect(modelFailure(ours, provider('x'))).toBe(ours)
})
