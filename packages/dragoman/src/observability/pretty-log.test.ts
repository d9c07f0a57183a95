import { describe, expect, it } from 'vitest'

import { prettyLog } from './pretty-log.ts'

describe('prettyLog', () => {
  it('writes time, level, message and fields', () => {
    const lines: string[] = []
    const { write } = prettyLog({ write: (text) => lines.push(text) })
    const time = new Date(2026, 0, 2, 3, 4, 5).getTime()

    write(
      JSON.stringify({
        level: 30,
        time,
        msg: 'listening',
        url: 'http://x',
        odd: '\u001b[2J',
        model: { dice: 'offline' },
      }),
    )
    write(JSON.stringify({ level: 50, time, msg: 'unforeseen', err: { stack: 'Error: no\n    at here' } }))

    expect(lines).toEqual([
      '03:04:05 info  listening url=http://x odd= [2J model={"dice":"offline"}\n',
      '03:04:05 error unforeseen\nError: no\n    at here\n',
    ])
  })

  it.each(['msg', 'tool', 'na\nme'])('lets no text in %j look like another line, or turn it', (field) => {
    const lines: string[] = []
    const text = 'x\n03:04:05 fatal forged\r\u2028y \u202ez\u200b'
    prettyLog({ write: (line) => lines.push(line) }).write(
      JSON.stringify({
        level: 30,
        time: 0,
        [field]: text,
        list: { [field]: text },
        err: { stack: `Error: ${text}\n    at here` },
      }),
    )

    const [head, ...stack] = lines.join('').trimEnd().split('\n')
    expect(head).toContain('x 03:04:05 fatal forged  y \\u202ez\\u200b')
    expect(stack).toEqual(['Error: x', '    03:04:05 fatal forged  y \\u202ez\\u200b', '    at here'])
  })
})
