import { describe, expect, it } from 'vitest'

import { formatContext, readContext } from './context.ts'

describe('the surroundings of the life agent', () => {
  it('are told before the user’s words: a form that is kept, a scenario, and the page', () => {
    const lines = formatContext({
      formSaved: 'birth',
      scenario: 'evening "check-in"',
      context: [{ description: 'The open card', value: { day: '己卯' } }],
    })

    expect(lines).toEqual([
      '[Context: The user has filled in the form "birth"; what it says is saved.]',
      '[Context: The client is in the scenario "evening \\"check-in\\"".]',
      '<page-context>',
      '- The open card: {"day":"己卯"}',
      '</page-context>',
    ])
  })

  it.each([
    [{ skills: 'bazi' }, 'context.skills: must be of the type array'],
    [{ form: 'x' }, 'context.form: must be an object'],
    [{ voiceMode: 'loud' }, 'context.voiceMode: must be one of warm, sarcastic, wise'],
    [{ timeZone: '+08:07' }, 'context.timeZone: must be an IANA time zone'],
    [{ context: 'x' }, 'context.context must be a list'],
  ])('are refused by a sentence that names the field: %j', (context, words) => {
    const results = (): unknown => [readContext(context), formatContext(context)]

    expect(results).toThrow(words)
  })
})
