import { describe, expect, it } from 'vitest'

import { framesOf } from './read-frames.ts'

const body = Buffer.from(
  [
    'event: ping\n\n',
    'data: {"event":"workflow_started","task_id":"t1"}\r\n\r\n',
    'data: {"event":"text_chunk","task_id":"t1","data":{"text":"你好, wörld 🎉"}}\n\n',
    'data: no json\n\ndata: {"no":"event"}\n\n',
    'data: {"event":"workflow_finished","data":{"status":"succeeded","outputs":{"a":1}}}',
  ].join(''),
)

async function* pieces(...all: readonly Uint8Array[]) {
  yield* all
}

describe('the frames of Dify', () => {
  it('are read however they are chunked, also inside multi-byte characters', async () => {
    const whole = await Array.fromAsync(framesOf(pieces(body)))

    expect(whole).toEqual([
      { event: 'other', task_id: 't1' },
      { event: 'text_chunk', task_id: 't1', data: { text: '你好, wörld 🎉' } },
      { event: 'workflow_finished', data: { status: 'succeeded', outputs: { a: 1 } } },
    ])
    for (let at = 1; at < body.length; at++) {
      const cut = framesOf(pieces(body.subarray(0, at), body.subarray(at)))
      expect(await Array.fromAsync(cut)).toEqual(whole)
    }
    const single = framesOf(pieces(...Array.from(body, (byte) => Uint8Array.of(byte))))
    expect(await Array.fromAsync(single)).toEqual(whole)
  })
})
