import { describe, expect, it } from 'vitest'

import { cpuMs } from '../../../../test/support/cpu-time.ts'
import { scrub, shortenQuotations } from './scrub.ts'

describe('scrub', () => {
  it.each([
    ['Incorrect API key provided: sk-proj-abc***wxyz. See https://x.example/keys.', 'abc'],
    ['Incorrect API key provided: hunter2-of-mine', 'hunter2'],
    ['Invalid bearer token: Bearer abcdef.ghi', 'abcdef'],
    ['{"authorization":"Basic dXNlcjpwYXNz"}', 'dXNlcjpwYXNz'],
    ['API key not valid: AIzaSyD-1234567890abcdefghijk', 'AIzaSyD'],
    ['connect to https://user:hunter2@proxy.example/v1 failed', 'hunter2'],
    ['GET https://api.example/v1?key=hunter2abc&alt=sse', 'hunter2'],
    ['password=hunter2', 'hunter2'],
    ['x-api-key: hunter2', 'hunter2'],
    ['access_token="hunter2"', 'hunter2'],
    ['the jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln expired', 'eyJ'],
    ['gsk_0123456789abcdef is limited', '0123456789'],
    ['key Abcdefghij0123456789Klmnopq is limited', 'Abcdefghij'],
  ])('removes keys: %s', (text, secret) => {
    expect(scrub(text)).not.toContain(secret)
  })

  it.each([
    "This model's maximum context length is 60000 tokens. However, your messages resulted in 71234 tokens.",
    'max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens',
    'prompt is too long: 213462 tokens > 200000 maximum',
    'There is no posting 123e4567-e89b-12d3-a456-426614174000.',
    'commit 0123456789abcdef0123456789abcdef01234567 is unknown',
    'The model claude-sonnet-4-5-20250929 has no tool mcp_server_read_all_of_it_2.',
    '上下文太长了，请缩短后再试。',
  ])('keeps everything else: %s', (text) => {
    expect(scrub(text)).toBe(text)
  })

  it('removes the given secrets, and each part of a header', () => {
    const secrets = ['correct horse', 'Token battery-staple', 'no']

    expect(scrub('not correct horse; battery-staple', { secrets })).toBe('not [key]; [key]')
  })

  it('returns one short line without control characters', () => {
    expect(scrub('a\r\n\tb\u0000\u001b[2Jc\u202e')).toBe('a b [2Jc')
    expect(scrub('x'.repeat(1000))).toBe(`${'x'.repeat(299)}…`)
    expect(scrub('x'.repeat(8) + '😀😀', { maxCharacters: 10 })).toBe(`${'x'.repeat(8)}…`)
  })

  it('takes little time for any text', () => {
    const pieces = ['a', 'a:', 'a-', 'a_', ' ', 'http://a', 'token', '"', 'Aa1']

    expect(cpuMs(() => pieces.map((piece) => scrub(piece.repeat(100_000))))).toBeLessThan(1000)
  })
})

describe('shortenQuotations', () => {
  const long = "I don't want my colleagues to know that I was ill"

  it.each([
    [`Invalid prompt: "${long}" (code 3)`, 'Invalid prompt: "…" (code 3)'],
    [`Invalid value: '${long}'. Try again.`, "Invalid value: '…'. Try again."],
    [`{"error":{"message":"“${long}” is refused"}}`, '{"error":{"message":"…"}}'],
    [`The message \`${long} …`, 'The message `…'],
  ])('leaves out what is quoted: %s', (text, short) => {
    expect(shortenQuotations(text)).toBe(short)
  })

  it.each([
    "The provider's limit for 'max_tokens' is 8192. The key's owner has 'tier.' and no more of it than \"1\".",
    `The model "gpt-5.5-codex" does not exist or you don't have access to it.`,
  ])('keeps names and values: %s', (text) => {
    expect(shortenQuotations(text)).toBe(text)
  })

  it('takes little time for any text', () => {
    const pieces = ['"', "'", "'a", '"a', ' `', '“']

    expect(cpuMs(() => pieces.map((piece) => shortenQuotations(piece.repeat(100_000))))).toBeLessThan(1000)
  })
})
