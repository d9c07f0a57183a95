import { expect, it } from 'vitest'

import { testServer } from '../../../../packages/dragoman/src/testing/index.ts'
import { calls, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { assistant } from '../../src/index.ts'

it('finds messages of other conversations in English and Chinese, without the question itself', async () => {
  const searches = ['alpacas', '骆驼', 'zebras'].flatMap((words) => [
    step(calls('c1', 'search_conversations', { words })),
    step(says('Done.')),
  ])
  const { models, prompts } = scriptedModel([step(says('Nice.')), step(says('好。')), ...searches])
  await using server = await testServer({ agents: [assistant], models })
  await server.send('assistant', 'My alpacas are called Ada and 小明。')
  await server.send('assistant', '我的骆驼喜欢吃胡萝卜')

  await server.send('assistant', 'What did I say about alpacas?')
  await server.send('assistant', '我之前说过关于骆驼的什么？')
  await server.send('assistant', 'What did I say about zebras?')

  const [alpacas, camels, zebras] = [3, 5, 7].map((at) => JSON.stringify(prompts[at]?.at(-1)))
  expect(alpacas).toMatch(/user \(assistant, .*My alpacas are called Ada/)
  expect(alpacas).not.toContain('What did I say')
  expect(camels).toContain('我的骆驼喜欢吃胡萝卜')
  expect(zebras).toContain('Nothing was said before')
})
