import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { expectNoWarnings } from '../support/expect-no-warnings.ts'
import { gate } from '../support/gate.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { weather } from '../support/story-tools.ts'
import { openCopilot, type CopilotOptions } from './copilot.ts'

const ride = { ...weather, name: 'ride', needsApproval: () => true }
const none = z.object({})

/** A page tool whose user takes their time: CopilotKit calls it again for one who comes back. */
const choose = (handler: () => Promise<unknown>) =>
  [{ type: 'human-in-the-loop', name: 'choose', description: 'Asks.', parameters: none, handler }] as const

describe.each(['rest', 'single'] as const)('reconnecting CopilotKit by %s', (way) => {
  const model = scriptedModel()
  const server = useServer({ models: model.models, tools: [weather, ride] })
  expectNoWarnings()

  const opened = (threadId: string, tools: CopilotOptions['tools'] = []) =>
    openCopilot({ url: server.url, way, threadId: `${way}-${threadId}`, tools })

  it('shows nothing of a new thread', async () => {
    const copilot = await opened('new')

    await copilot.core.connectAgent({ agent: copilot.agent })

    expect(copilot.lines()).toEqual([])
    expect(copilot.errors).toEqual([])
  })

  it('shows the messages and the state, and continues', async () => {
    model.play([
      step(says('I look.'), calls('c1', 'weather', { city: 'Oslo' })),
      step(says('It rains.')),
      step(says('Again.')),
    ])
    const before = await opened('past')
    before.agent.setState({ size: 3 })
    await before.say('How is Oslo?')

    const copilot = await opened('past')
    await copilot.core.connectAgent({ agent: copilot.agent })

    expect(copilot.agent.messages).toEqual(before.agent.messages)
    expect(copilot.agent.state).toEqual({ size: 3 })
    await copilot.say('Once more')
    expect(copilot.lines()).toEqual([
      'user: How is Oslo?',
      'assistant: I look.',
      'weather {"city":"Oslo"} -> Rain in Oslo.',
      'assistant: It rains.',
      'user: Once more',
      'assistant: Again.',
    ])
    expect(copilot.errors).toEqual([])
  })

  it('follows a running answer from its start, and can stop it', async () => {
    const held = gate()
    model.play([step(says('First.')), step(says('It ', held, 'rains.')), step(says('On ', gate()))])
    const before = await opened('live')
    await before.say('One')
    const answer = before.say('Two')
    await before.shows('user: One', 'assistant: First.', 'user: Two', 'assistant: It ')

    const copilot = await opened('live')
    const followed = copilot.core.connectAgent({ agent: copilot.agent })
    await copilot.shows('user: One', 'assistant: First.', 'user: Two', 'assistant: It ')
    held.open()
    await Promise.all([answer, followed])

    expect(copilot.lines()).toEqual(['user: One', 'assistant: First.', 'user: Two', 'assistant: It rains.'])
    expect(copilot.agent.messages).toEqual(before.agent.messages)
    const third = before.say('Three')
    await before.shows(...copilot.lines(), 'user: Three', 'assistant: On ')
    const again = await opened('live')
    const watched = again.core.connectAgent({ agent: again.agent })
    await again.shows(...before.lines())
    again.core.stopAgent({ agent: again.agent })
    await Promise.all([third, watched])
    expect(again.lines()).toEqual(before.lines())
    expect([...copilot.errors, ...again.errors, ...before.errors]).toEqual([])
  })

  it('requests a pending page tool again, and continues with its result', async () => {
    const never = Promise.withResolvers<string>()
    model.play([
      step(calls('c1', 'choose', {})),
      step(calls('c2', 'choose', {})),
      step(says('Red and blue.')),
    ])
    let connects = 0
    const before = await opened(
      'tool',
      choose(() => (connects++ === 0 ? Promise.resolve('red') : never.promise)),
    )
    void before.say('Choose')
    await before.shows('user: Choose', 'choose {} -> red', 'choose {}')

    const copilot = await opened(
      'tool',
      choose(async () => 'blue'),
    )
    await copilot.core.connectAgent({ agent: copilot.agent })

    await copilot.shows('user: Choose', 'choose {} -> red', 'choose {} -> blue', 'assistant: Red and blue.')
    expect(model.prompts).toHaveLength(3)
    expect(copilot.errors).toEqual([])
  })

  it('requests a pending approval again', async () => {
    model.play([step(calls('c1', 'ride', { city: 'Oslo' })), step(says('We are there.'))])
    const before = await opened('yes')
    await before.say('Take me to Oslo')

    const copilot = await opened('yes')
    await copilot.core.connectAgent({ agent: copilot.agent })
    const [interrupt] = copilot.agent.pendingInterrupts
    await copilot.core.runAgent({
      agent: copilot.agent,
      resume: [{ interruptId: interrupt?.id ?? '', status: 'resolved', payload: { approved: true } }],
    })

    expect(copilot.lines()).toEqual([
      'user: Take me to Oslo',
      'ride {"city":"Oslo"} -> Rain in Oslo.',
      'assistant: We are there.',
    ])
    expect(copilot.errors).toEqual([])
  })
})
