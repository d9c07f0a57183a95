import { describe, expect, it } from 'vitest'

import { newRun } from '../../../dragoman/src/log/store-claims.contract.ts'
import { askInText, readTextApproval } from './text-approval.ts'

describe('an answer in text', () => {
  it.each(['yes', 'Yes.', ' OK ', 'ok!', 'ｏｋ', 'Okay', 'はい', 'はい。', '是', '是的！', '好的', '可以'])(
    'allows: %s',
    (text) => expect(readTextApproval(text)).toBe(true),
  )

  it.each(['no', 'No!', 'N', '否', '不', '不可以。', 'いいえ'])('refuses: %s', (text) =>
    expect(readTextApproval(text)).toBe(false),
  )

  it.each(['', 'ok, but only the first one', 'yes and no', '是什么？', '不是', 'はいはい', 'y n', 'not ok'])(
    'is another message: %j',
    (text) => expect(readTextApproval(text)).toBeUndefined(),
  )

  it('is another message where it is long: to normalize that would take long', () => {
    expect(readTextApproval(' '.repeat(200_000) + 'yes')).toBeUndefined()
  })
})

describe('a question in text', () => {
  it.each([
    ['删掉它', '可以运行以下工具吗？'],
    ['delete it', 'May I run this?'],
    ['それを削除して', 'May I run this?'],
  ])('has the language of the message: %s', (text, question) => {
    const { request } = newRun('run_1')
    expect(askInText({ request: { ...request, input: [{ type: 'text', text }] } }, [])).toContain(question)
  })
})
