import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect, it } from 'vitest'

import { createCallTally } from '../events/index.ts'
import { scriptedModel, says, step } from '../../../../test/support/scripted-model.ts'
import { generateText } from './generate-text.ts'
import { meterModels } from './meter-models.ts'

it.each([
  { input: -500_000, output: -1e9, counted: { inputTokens: 0, outputTokens: 0 } },
  { input: 1.5, output: 1e300, counted: { inputTokens: 2, outputTokens: 10_000_000 } },
  { input: '7', output: 3, counted: { inputTokens: 0, outputTokens: 3 } },
  { input: NaN, output: '3', counted: { inputTokens: 8, outputTokens: 1, estimated: true } },
])("counts $input and $output tokens of a tool's model as $counted", async (reported) => {
  const { models } = scriptedModel([step(says('Hi.'))])
  const choice = models.choose({ primary: '', fallback: '' })
  const inputTokens = { total: reported.input, cacheRead: -1 }
  const end = { usage: { inputTokens, outputTokens: { total: reported.output } } }
  /** The script's model, but for what it reports. */
  const load = async (): Promise<LanguageModelV4> => {
    const model = await choice.load()
    return {
      ...model,
      async doStream(options) {
        const { stream } = await model.doStream(options)
        const output = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
          transform: (part, out) =>
            out.enqueue(part.type === 'finish' ? ({ ...part, ...end } as LanguageModelV4StreamPart) : part),
        })
        return { stream: stream.pipeThrough(output) }
      },
    }
  }
  const meter = createCallTally()
  const metered = meterModels({ choose: () => ({ ...choice, load }) }).choose({})
  const asking = { instructions: 'a', text: 'b' }
  await generateText(metered, asking, new AbortController().signal, meter)

  expect(meter.calls).toEqual([{ model: 'scripted:model', usage: reported.counted }])
})
