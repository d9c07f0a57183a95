import { assert, integer, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { findSecret } from './find-secret.ts'

describe('what is never kept', () => {
  it.each([
    ['my password is hunter2', 'password'],
    ['The PIN of my card was 4711', 'password'],
    ['Wi-Fi password: tea and cake', 'password'],
    ['我的银行卡密码是 123456', 'password'],
    ['邮箱密码：abcd', 'password'],
    ['支付密码8866', 'password'],
    ['验证码是 448291', 'password'],
    ['my API key is abc', 'key'],
    ['我的密钥是 abc', 'key'],
    ['sk-ant-api03-AbCdEfGhIjKlMnOpQrSt', 'key'],
    ['ghp_abcdefghijklmnopqrstuvwxyz012345', 'key'],
    ['AKIAIOSFODNN7EXAMPLE', 'key'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', 'key'],
    ['-----BEGIN RSA PRIVATE KEY----- MIIE', 'key'],
    ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b', 'key'],
    ['card 4111 1111 1111 1111', 'card'],
    ['卡号 ６２２２０２１２３４５６７８９０１２８', 'card'],
    ['3782-822463-10005', 'card'],
    ['4111.1111.1111.1111', 'card'],
    ['4111_1111_1111_1111', 'card'],
    ['4111–1111–1111–1111', 'card'],
    ['4111\n1111\n1111\n1111', 'card'],
    ['my seed phrase is apple banana cat', 'key'],
    ['身份证 11010519491231002X', 'identity'],
    ['110105 19491231 002X', 'identity'],
    ['SSN: 078 05 1120', 'identity'],
    ['passport number E12345678', 'identity'],
    ['护照号E12345678', 'identity'],
    ['身份证11010519491231002x。', 'identity'],
    ['SSN 219-09-9999', 'identity'],
  ])('%s: a %s', (text, kind) => {
    expect(findSecret(text)).toBe(kind)
  })

  it.each([
    'I keep forgetting my password',
    '我老是忘记密码',
    '我在学密码学',
    'I like hiking',
    'I was born on 15 May 1990 at 14:30',
    'call me at +86 138 1234 5678',
    'order 4111 1111 1111 1112 never came',
    '身份证 110105194912310021',
    'my room is 219-09',
    'my passport runs out on 2027-12-31',
    'from 2024.01.05 to 2024.02.03',
    'https://example.com/a-very-long-title-about-mountain-walks-in-2024',
    'the key to happiness is tea',
    '幸福的密码就在生活里',
  ])('%s: none', (text) => {
    expect(findSecret(text)).toBeUndefined()
  })

  it('finds the number of a card wherever it stands, and none that was mistyped in one place', () => {
    assert(
      property(
        string({ maxLength: 20 }),
        integer({ min: 0, max: 14 }),
        integer({ min: 1, max: 9 }),
        (text, at, by) => {
          const around = text.replaceAll(/\d/g, '#')
          const digits = '4539578763621486'
          const wrong = Array.from(digits, (digit, place) =>
            place === at + 1 ? (Number(digit) + by) % 10 : digit,
          )

          expect(findSecret(`${around}. ${digits} .${around}`)).toBeDefined()
          expect(findSecret(`No. ${wrong.join('')}`)).not.toBe('card')
        },
      ),
    )
  })
})
